import { expect, test } from "vitest";

import { tooltipLines } from "../src/dom";
import { unpackMap } from "../src/map_data";
import { matchingIds } from "../src/node_search";
import { nodeFacts, nodeFactsElement } from "../src/node_facts";
import { HOSTILE_ID, sampleMap } from "./samples";

const data = unpackMap(sampleMap({ nodes: 40, edges: 90, anchors: 4, classes: 3 }));

test("an id that looks like a script comes out as text", () => {
  const element = nodeFactsElement(data, 1);
  expect(element.querySelector("script")).toBeNull();
  expect(element.querySelector(".node-id")?.textContent).toBe(`node ${HOSTILE_ID}`);
  expect(element.innerHTML).toContain("&lt;script&gt;");
});

test("tooltips of charts hold text only", () => {
  const element = tooltipLines([HOSTILE_ID, "<b>bold</b>"]);
  expect(element.querySelector("script, b")).toBeNull();
  expect(element.textContent).toBe(`${HOSTILE_ID}<b>bold</b>`);
});

test("every column of a node is told, and that it is an anchor", () => {
  expect(nodeFacts(data, 0).map(([name]) => name)).toEqual([
    "role",
    ...data.columns.map(({ name }) => name),
    "first message",
  ]);
  expect(nodeFacts(data, 0)[0]).toEqual(["role", "anchor"]);
  expect(nodeFacts(data, 2)[0]).not.toEqual(["role", "anchor"]);
});

test("a node without a value has a dash", () => {
  const distance = data.columns.find(({ key }) => key === "distance");
  const never = [...(data.frontier?.arrival ?? [])].indexOf(255);
  expect(never).toBeGreaterThanOrEqual(0);
  const facts = new Map(nodeFacts(data, never));
  expect(facts.get(distance?.name ?? "")).toBe("–");
  expect(facts.get("first message")).toBe("never");
});

test("ids that begin with the text come before those that contain it", () => {
  expect(matchingIds(["xa", "a", "Ab", "b"], "a")).toEqual(["a", "Ab", "xa"]);
  expect(matchingIds(["a1", "a2", "a3"], "a", 2)).toEqual(["a1", "a2"]);
});
