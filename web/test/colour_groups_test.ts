import assert from "node:assert/strict";
import { test } from "node:test";

import { BIN_LIMIT, CATEGORY_LIMIT, chooseBins, groupColour, groupNodes } from "../src/colour_groups";
import { coloursOf, rampColour } from "../src/colours";
import type { MapColumn } from "../src/map_data";

function categories(names: string[], values: number[], key = "label"): MapColumn {
  return { key, name: key, kind: "category", categories: names, values: new Uint16Array(values) };
}

function numbers(values: number[]): MapColumn {
  return { key: "distance", name: "distance", kind: "number", values: new Float32Array(values) };
}

test("few categories keep their order and are counted", () => {
  const column = categories(["a", "b", "c"], [2, 0, 2, 1, 2]);
  const { groups, of } = groupNodes(column, [column], 5);
  assert.deepEqual(
    groups.map(({ name, nodes }) => [name, nodes]),
    [
      ["a", 1],
      ["b", 1],
      ["c", 3],
    ],
  );
  assert.deepEqual([...of], [2, 0, 2, 1, 2]);
});

test("nodes without a category get a group of their own", () => {
  const column = categories(["a"], [0, 65535]);
  const { groups, of } = groupNodes(column, [column], 2);
  assert.deepEqual(
    groups.map(({ name, nodes, colour }) => [name, nodes, colour]),
    [
      ["a", 1, { category: 0 }],
      ["none", 1, "none"],
    ],
  );
  assert.deepEqual([...of], [0, 1]);
});

test("of many categories the seven largest get a colour and the rest are others", () => {
  const names = Array.from({ length: 10 }, (_, i) => `c${i}`);
  const values = names.flatMap((_, i) => new Array<number>(i + 1).fill(i));
  const column = categories(names, values);
  const { groups, of } = groupNodes(column, [column], values.length);
  assert.equal(groups.length, CATEGORY_LIMIT);
  assert.deepEqual(groups.map(({ name }) => name).slice(0, 7), ["c9", "c8", "c7", "c6", "c5", "c4", "c3"]);
  assert.deepEqual(groups[7], { name: "others (3 categories)", nodes: 1 + 2 + 3, colour: { category: 7 } });
  assert.equal(of[0], 7);
  assert.equal(of[values.length - 1], 0);
});

test("eight categories need no others", () => {
  const names = Array.from({ length: 8 }, (_, i) => `c${i}`);
  const column = categories(names, [7, 0]);
  assert.deepEqual(
    groupNodes(column, [column], 2).groups.map(({ name }) => name),
    names,
  );
});

test("a prediction has the colours of the label", () => {
  const names = Array.from({ length: 9 }, (_, i) => `c${i}`);
  const label = categories(names, [8, 8, 8, 0, 1, 2, 3, 4, 5, 6, 7]);
  const prediction = categories(names, [0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7], "prediction");
  const both = [label, prediction];
  assert.deepEqual(
    groupNodes(prediction, both, 11).groups.map(({ name }) => name),
    groupNodes(label, both, 11).groups.map(({ name }) => name),
  );
  assert.deepEqual(groupNodes(prediction, both, 11).groups[0], { name: "c8", nodes: 0, colour: { category: 0 } });
});

test("few whole numbers get a bin each, and NaN none", () => {
  const column = numbers([0, 3, NaN, 1, 3]);
  const { groups, of } = groupNodes(column, [column], 5);
  assert.deepEqual(
    groups.map(({ name, nodes }) => [name, nodes]),
    [
      ["0", 1],
      ["1", 1],
      ["2", 0],
      ["3", 2],
      ["none", 1],
    ],
  );
  assert.deepEqual([...of], [0, 3, 4, 1, 3]);
});

test("other numbers go into nine equal bins, the greatest into the last", () => {
  const values = [0, 0.05, 0.5, 0.9];
  const column = numbers(values);
  const { groups, of } = groupNodes(column, [column], values.length);
  assert.equal(groups.length, BIN_LIMIT);
  assert.deepEqual([...of], [0, 0, 5, 8]);
});

test("a column of one value has one bin, a column of none has no bin", () => {
  assert.deepEqual(
    chooseBins([2.5, 2.5]).map(({ name }) => name),
    ["2.50"],
  );
  assert.deepEqual(chooseBins([NaN, NaN]), []);
  const column = numbers([NaN]);
  assert.deepEqual(
    groupNodes(column, [column], 1).groups.map(({ name }) => name),
    ["none"],
  );
});

test("a map without columns is one group", () => {
  assert.deepEqual(groupNodes(undefined, [], 3).groups, [{ name: "all nodes", nodes: 3, colour: { category: 0 } }]);
});

test("colours of groups differ, in both themes", () => {
  for (const theme of ["light", "dark"] as const) {
    const tone = coloursOf(theme);
    const colours = tone.categories.map((_, category) =>
      groupColour({ name: "", nodes: 0, colour: { category } }, tone, theme),
    );
    assert.equal(new Set([...colours, tone.none, tone.faded]).size, 10);
    assert.notEqual(rampColour(0, theme), rampColour(1, theme));
  }
});
