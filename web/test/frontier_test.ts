import { expect, test } from "vitest";

import { arrivedCounts, frontierEdges, frontierText } from "../src/frontier";

const arrival = new Uint8Array([0, 1, 1, 2, 255]);
test("counts grow with the layers and leave out nodes that hear nothing", () => {
  expect(arrivedCounts(arrival, 3)).toEqual([1, 3, 4, 4]);
});

test("edges of a layer are those that bring a message in it", () => {
  const layers = new Uint8Array([1, 255, 2, 1]);
  expect(frontierEdges(layers, 1)).toEqual([0, 3]);
  expect(frontierEdges(layers, 2)).toEqual([2]);
  expect(frontierEdges(layers, 0)).toEqual([]);
});

test("the text counts with separators and says when nodes were left out", () => {
  expect(frontierText(2, 413, 1222, false)).toBe("layer 2: 413 of 1,222 nodes have heard from an anchor");
  expect(frontierText(0, 1, 5, true)).toBe("layer 0: 1 of 5 nodes shown has heard from an anchor");
});
