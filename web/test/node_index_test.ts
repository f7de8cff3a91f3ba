import assert from "node:assert/strict";
import { test } from "node:test";

import { indexNodes } from "../src/node_index";
import { randomFrom } from "./random";

const EXTENT = 65535;

function places(nodes: number, seed: number): [Uint16Array, Uint16Array] {
  const random = randomFrom(seed);
  const draw = (): Uint16Array => new Uint16Array(nodes).map(() => Math.floor(random() * (EXTENT + 1)));
  return [draw(), draw()];
}

function slowly(xs: Uint16Array, ys: Uint16Array, x: number, y: number, reach: number): number {
  let [found, best] = [-1, reach];
  xs.forEach((own, node) => {
    const distance = Math.hypot(own - x, (ys[node] ?? 0) - y);
    if (distance < best || (distance === best && found < 0)) [found, best] = [node, distance];
  });
  return found;
}

test("the nearest node is that of a search through all", () => {
  const [xs, ys] = places(3000, 4);
  const index = indexNodes(xs, ys, EXTENT);
  const random = randomFrom(9);
  let hits = 0;
  for (let i = 0; i < 300; ++i) {
    const [x, y, reach] = [random() * EXTENT, random() * EXTENT, random() * 2000];
    const found = index.nearest(x, y, reach);
    assert.equal(found, slowly(xs, ys, x, y, reach));
    if (found >= 0) ++hits;
  }
  assert.ok(hits > 100);
});

test("nodes on the rim are found, from outside too", () => {
  const index = indexNodes([0, EXTENT], [0, EXTENT], EXTENT);
  assert.equal(index.nearest(-5, -5, 10), 0);
  assert.equal(index.nearest(EXTENT + 5, EXTENT, 10), 1);
  assert.equal(index.nearest(EXTENT / 2, EXTENT / 2, 100), -1);
});

test("nodes that are not wanted are passed over", () => {
  const index = indexNodes([100, 110], [100, 100], EXTENT);
  assert.equal(index.nearest(101, 100, 50), 0);
  assert.equal(
    index.nearest(101, 100, 50, (node) => node !== 0),
    1,
  );
});
