import { expect, test } from "vitest";

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
  expect(groups.map(({ name, nodes }) => [name, nodes])).toEqual([
    ["a", 1],
    ["b", 1],
    ["c", 3],
  ]);
  expect([...of]).toEqual([2, 0, 2, 1, 2]);
});

test("nodes without a category get a group of their own", () => {
  const column = categories(["a"], [0, 65535]);
  const { groups, of } = groupNodes(column, [column], 2);
  expect(groups.map(({ name, nodes, colour }) => [name, nodes, colour])).toEqual([
    ["a", 1, { category: 0 }],
    ["none", 1, "none"],
  ]);
  expect([...of]).toEqual([0, 1]);
});

test("of many categories the seven largest get a colour and the rest are others", () => {
  const names = Array.from({ length: 10 }, (_, i) => `c${i}`);
  const values = names.flatMap((_, i) => new Array<number>(i + 1).fill(i));
  const column = categories(names, values);
  const { groups, of } = groupNodes(column, [column], values.length);
  expect(groups).toHaveLength(CATEGORY_LIMIT);
  expect(groups.map(({ name }) => name).slice(0, 7)).toEqual(["c9", "c8", "c7", "c6", "c5", "c4", "c3"]);
  expect(groups[7]).toEqual({ name: "others (3 categories)", nodes: 1 + 2 + 3, colour: { category: 7 } });
  expect(of[0]).toBe(7);
  expect(of[values.length - 1]).toBe(0);
});

test("eight categories need no others", () => {
  const names = Array.from({ length: 8 }, (_, i) => `c${i}`);
  const column = categories(names, [7, 0]);
  expect(groupNodes(column, [column], 2).groups.map(({ name }) => name)).toEqual(names);
});

test("a prediction has the colours of the label", () => {
  const names = Array.from({ length: 9 }, (_, i) => `c${i}`);
  const label = categories(names, [8, 8, 8, 0, 1, 2, 3, 4, 5, 6, 7]);
  const prediction = categories(names, [0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7], "prediction");
  const both = [label, prediction];
  expect(groupNodes(prediction, both, 11).groups.map(({ name }) => name)).toEqual(
    groupNodes(label, both, 11).groups.map(({ name }) => name),
  );
  expect(groupNodes(prediction, both, 11).groups[0]).toMatchObject({ name: "c8", nodes: 0 });
});

test("few whole numbers get a bin each, and NaN none", () => {
  const column = numbers([0, 3, NaN, 1, 3]);
  const { groups, of } = groupNodes(column, [column], 5);
  expect(groups.map(({ name, nodes }) => [name, nodes])).toEqual([
    ["0", 1],
    ["1", 1],
    ["2", 0],
    ["3", 2],
    ["none", 1],
  ]);
  expect([...of]).toEqual([0, 3, 4, 1, 3]);
});

test("other numbers go into nine equal bins, the greatest into the last", () => {
  const values = [0, 0.05, 0.5, 0.9];
  const column = numbers(values);
  const { groups, of } = groupNodes(column, [column], values.length);
  expect(groups).toHaveLength(BIN_LIMIT);
  expect([...of]).toEqual([0, 0, 5, 8]);
});

test("a column of one value has one bin, a column of none has no bin", () => {
  expect(chooseBins([2.5, 2.5]).map(({ name }) => name)).toEqual(["2.50"]);
  expect(chooseBins([NaN, NaN])).toEqual([]);
  const column = numbers([NaN]);
  expect(groupNodes(column, [column], 1).groups.map(({ name }) => name)).toEqual(["none"]);
});

test("a map without columns is one group", () => {
  expect(groupNodes(undefined, [], 3).groups).toEqual([{ name: "all nodes", nodes: 3, colour: { category: 0 } }]);
});

test("colours of groups differ, in both themes", () => {
  for (const theme of ["light", "dark"] as const) {
    const tone = coloursOf(theme);
    const colours = tone.categories.map((_, category) =>
      groupColour({ name: "", nodes: 0, colour: { category } }, tone, theme),
    );
    expect(new Set([...colours, tone.none, tone.faded]).size).toBe(10);
    expect(rampColour(0, theme)).not.toBe(rampColour(1, theme));
  }
});
