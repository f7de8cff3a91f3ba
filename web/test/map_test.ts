import assert from "node:assert/strict";
import { test } from "node:test";

import { windowAround } from "../src/axis_window";
import { groupNodes } from "../src/colour_groups";
import { coloursOf } from "../src/colours";
import { EXTENT, unpackMap, type MapData } from "../src/map_data";
import { pointSize } from "../src/map_scene";
import { edgeCoordinates, edgesId, mapSeries, type MapState } from "../src/map_series";
import { mapSummary } from "../src/node_map";
import { axisEnds } from "../src/map_view";
import { assertClose } from "./close";
import { sampleMap } from "./samples";

const data = unpackMap(sampleMap({ nodes: 400, edges: 900, anchors: 4, classes: 3 }));

function stateOf(change: Partial<MapState> = {}): MapState {
  const [layout] = data.layouts as [MapData["layouts"][number]];
  return {
    layout,
    groups: groupNodes(data.columns[0], data.columns, data.nodes),
    hidden: new Set(),
    selected: -1,
    size: 5,
    ...change,
  };
}

/** Points on the map by the beginning of their series' names. */
function points(state: MapState, beginning: string): number {
  const series = mapSeries(data, state, coloursOf("light"), "light", "");
  const lengths = series
    .filter(({ id }) => String(id).startsWith(beginning))
    .map((one) => (one.data as Float32Array).length / 2);
  return lengths.reduce((sum, length) => sum + length, 0);
}

test("the summary says what was omitted", () => {
  const map = sampleMap({ nodes: 40, edges: 90, anchors: 1, classes: 2 });
  assert.equal(mapSummary(map), "40 nodes, 90 edges, 1 anchor.");
  const thinned = { ...map, total_nodes: 5000, edges: { ...map.edges, total: 12345 } };
  assert.equal(mapSummary(thinned), "40 of 5,000 nodes, 90 of 12,345 edges, 1 anchor.");
});

test("every node is drawn once, anchors apart", () => {
  assert.deepEqual(
    [points(stateOf(), "points-"), points(stateOf(), "anchors-"), points(stateOf(), "faded")],
    [396, 4, 0],
  );
});

test("in layer 0 only anchors have their colour and all others are faded", () => {
  const state = stateOf({ layer: 0 });
  assert.deepEqual([points(state, "points-"), points(state, "anchors-"), points(state, "faded")], [0, 4, 396]);
});

test("a hidden group is neither in colour nor faded", () => {
  const state = stateOf({ hidden: new Set([0]), layer: 1 });
  const shown = points(state, "points-") + points(state, "anchors-") + points(state, "faded");
  assert.equal(shown, 400 - (state.groups.groups[0]?.nodes ?? 0));
});

test("no series is empty, which ECharts' large mode could not draw", () => {
  for (const one of mapSeries(data, stateOf({ layer: 0 }), coloursOf("dark"), "dark", ""))
    assert.ok((one.data as Float32Array).length > 0);
});

test("edges are passed to ECharts once per layout", () => {
  const state = stateOf();
  const [fresh] = mapSeries(data, state, coloursOf("light"), "light", "");
  const [kept] = mapSeries(data, state, coloursOf("light"), "light", edgesId(state));
  assert.equal((fresh?.data as Float32Array).length, 5 * 900);
  assert.ok(kept !== undefined && !("data" in kept));
});

test("an edge is two points with their number before them", () => {
  const { layout } = stateOf();
  const [source, target] = [data.edges.source[7] ?? 0, data.edges.target[7] ?? 0];
  assert.deepEqual(
    [...edgeCoordinates(data, layout, [7])],
    [2, layout.x[source], layout.y[source], layout.x[target], layout.y[target]],
  );
});

test("a window keeps its span at the ends of the axis", () => {
  assert.deepEqual(windowAround(50, 20), { start: 40, end: 60 });
  assert.deepEqual(windowAround(2, 20), { start: 0, end: 20 });
  assert.deepEqual(windowAround(99, 20), { start: 80, end: 100 });
  assert.deepEqual(windowAround(10, 500), { start: 0, end: 100 });
});

test("x and y have the same scale, and everything is in view", () => {
  for (const [width, height] of [
    [900, 600],
    [300, 500],
  ] as const) {
    const { x, y } = axisEnds(width, height);
    assertClose((x[1] - x[0]) / width, (y[1] - y[0]) / height, 6);
    assert.ok(Math.max(x[0], y[0]) < 0);
    assert.ok(Math.min(x[1], y[1]) > EXTENT);
  }
});

test("points are smaller in larger graphs and grow with the zoom", () => {
  assert.ok(pointSize(40, 1) > pointSize(2000, 1));
  assert.ok(pointSize(200000, 1) < pointSize(200000, 16));
});
