import assert from "node:assert/strict";
import { test } from "node:test";

import { arrivedCounts, frontierEdges, frontierText } from "../src/frontier";

const arrival = new Uint8Array([0, 1, 1, 2, 255]);
test("counts grow with the layers and omit nodes that no message reaches", () => {
  assert.deepEqual(arrivedCounts(arrival, 3), [1, 3, 4, 4]);
});

test("edges of a layer are those that carry a message in it", () => {
  const layers = new Uint8Array([1, 255, 2, 1]);
  assert.deepEqual(frontierEdges(layers, 1), [0, 3]);
  assert.deepEqual(frontierEdges(layers, 2), [2]);
  assert.deepEqual(frontierEdges(layers, 0), []);
});

test("the text counts with separators and says when nodes were omitted", () => {
  assert.equal(
    frontierText(2, 413, 1222, false),
    "layer 2: 413 of 1,222 nodes are reached by messages from the anchors",
  );
  assert.equal(frontierText(0, 1, 5, true), "layer 0: 1 of 5 nodes shown is reached by messages from the anchors");
});
