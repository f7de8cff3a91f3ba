import { expect, test } from "vitest";

import { arrivedCounts, frontierEdges, frontierText } from "../src/frontier";

const arrival = new Uint8Array([0, 1, 1, 2, 255]);
const edges = { source: [0, 1, 2, 3, 2, 0], target: [1, 2, 3, 1, 4, 3] };

test("counts grow with the layers and leave out nodes that hear nothing", () => {
  expect(arrivedCounts(arrival, 3)).toEqual([1, 3, 4, 4]);
});

test("edges of a layer join it with the one before, in either direction", () => {
  expect(frontierEdges(arrival, edges, 1)).toEqual([0]);
  expect(frontierEdges(arrival, edges, 2)).toEqual([2, 3]);
});

test("layer 0 has no edges, and none lead to nodes that hear nothing", () => {
  expect(frontierEdges(arrival, edges, 0)).toEqual([]);
  expect(frontierEdges(new Uint8Array([254, 255]), { source: [0], target: [1] }, 3)).toEqual([]);
});

test("the text counts with separators and says when nodes were left out", () => {
  expect(frontierText(2, 413, 1222, false)).toBe("layer 2: 413 of 1,222 nodes have heard from an anchor");
  expect(frontierText(0, 1, 5, true)).toBe("layer 0: 1 of 5 nodes shown has heard from an anchor");
});
