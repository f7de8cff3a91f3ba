import assert from "node:assert/strict";
import { test } from "node:test";

import "./dom";

import { tooltipLines } from "../src/dom";
import { unpackMap } from "../src/map_data";
import { matchingIds } from "../src/node_search";
import { nodeFacts, nodeFactsElement } from "../src/node_facts";
import { HOSTILE_ID, sampleMap } from "./samples";

const data = unpackMap(sampleMap({ nodes: 40, edges: 90, anchors: 4, classes: 3 }));

test("an id that looks like a script comes out as text", () => {
  const element = nodeFactsElement(data, 1);
  assert.equal(element.querySelector("script"), null);
  assert.equal(element.querySelector(".node-id")?.textContent, `node ${HOSTILE_ID}`);
  assert.match(element.innerHTML, /&lt;script&gt;/);
});

test("tooltips of charts hold text only", () => {
  const element = tooltipLines([HOSTILE_ID, "<b>bold</b>"]);
  assert.equal(element.querySelector("script, b"), null);
  assert.equal(element.textContent, `${HOSTILE_ID}<b>bold</b>`);
});

test("every column of a node is listed, and whether it is an anchor", () => {
  assert.deepEqual(
    nodeFacts(data, 0).map(([name]) => name),
    ["role", ...data.columns.map(({ name }) => name), "first message"],
  );
  assert.deepEqual(nodeFacts(data, 0)[0], ["role", "anchor"]);
  assert.notDeepEqual(nodeFacts(data, 2)[0], ["role", "anchor"]);
});

test("a node without a value has a dash", () => {
  const distance = data.columns.find(({ key }) => key === "distance");
  const never = [...(data.frontier?.arrival ?? [])].indexOf(255);
  assert.ok(never >= 0);
  const facts = new Map(nodeFacts(data, never));
  assert.equal(facts.get(distance?.name ?? ""), "–");
  assert.equal(facts.get("first message"), "never");
});

test("ids that begin with the text come before those that contain it", () => {
  assert.deepEqual(matchingIds(["xa", "a", "Ab", "b"], "a"), ["a", "Ab", "xa"]);
  assert.deepEqual(matchingIds(["a1", "a2", "a3"], "a", 2), ["a1", "a2"]);
});
