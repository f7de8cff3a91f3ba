import { expect, test } from "vitest";

import { windowAround } from "../src/axis_window";
import { groupNodes } from "../src/colour_groups";
import { coloursOf } from "../src/colours";
import { EXTENT, unpackMap, type MapData } from "../src/map_data";
import { pointSize } from "../src/map_scene";
import { edgeCoordinates, edgesId, mapSeries, type MapState } from "../src/map_series";
import { mapSummary } from "../src/node_map";
import { axisEnds } from "../src/map_view";
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

test("the summary says what was left out", () => {
  const map = sampleMap({ nodes: 40, edges: 90, anchors: 1, classes: 2 });
  expect(mapSummary(map)).toBe("40 nodes, 90 edges, 1 anchor.");
  const thinned = { ...map, total_nodes: 5000, edges: { ...map.edges, total: 12345 } };
  expect(mapSummary(thinned)).toBe("40 of 5,000 nodes, 90 of 12,345 edges, 1 anchor.");
});

test("every node is drawn once, anchors apart", () => {
  expect([points(stateOf(), "points-"), points(stateOf(), "anchors-"), points(stateOf(), "faded")]).toEqual([
    396, 4, 0,
  ]);
});

test("in layer 0 only anchors have their colour and all others are faded", () => {
  const state = stateOf({ layer: 0 });
  expect([points(state, "points-"), points(state, "anchors-"), points(state, "faded")]).toEqual([0, 4, 396]);
});

test("a hidden group is neither in colour nor faded", () => {
  const state = stateOf({ hidden: new Set([0]), layer: 1 });
  const shown = points(state, "points-") + points(state, "anchors-") + points(state, "faded");
  expect(shown).toBe(400 - (state.groups.groups[0]?.nodes ?? 0));
});

test("no series is empty, which ECharts' large mode could not draw", () => {
  for (const one of mapSeries(data, stateOf({ layer: 0 }), coloursOf("dark"), "dark", ""))
    expect((one.data as Float32Array).length).toBeGreaterThan(0);
});

test("edges are handed over once a layout", () => {
  const state = stateOf();
  const [fresh] = mapSeries(data, state, coloursOf("light"), "light", "");
  const [kept] = mapSeries(data, state, coloursOf("light"), "light", edgesId(state));
  expect((fresh?.data as Float32Array).length).toBe(5 * 900);
  expect(kept).not.toHaveProperty("data");
});

test("an edge is two points with their number before them", () => {
  const { layout } = stateOf();
  const [source, target] = [data.edges.source[7] ?? 0, data.edges.target[7] ?? 0];
  expect([...edgeCoordinates(data, layout, [7])]).toEqual([
    2,
    layout.x[source],
    layout.y[source],
    layout.x[target],
    layout.y[target],
  ]);
});

test("a window keeps its span at the ends of the axis", () => {
  expect(windowAround(50, 20)).toEqual({ start: 40, end: 60 });
  expect(windowAround(2, 20)).toEqual({ start: 0, end: 20 });
  expect(windowAround(99, 20)).toEqual({ start: 80, end: 100 });
  expect(windowAround(10, 500)).toEqual({ start: 0, end: 100 });
});

test("a unit is as long sideways as upward, and everything is in view", () => {
  for (const [width, height] of [
    [900, 600],
    [300, 500],
  ] as const) {
    const { x, y } = axisEnds(width, height);
    expect((x[1] - x[0]) / width).toBeCloseTo((y[1] - y[0]) / height, 6);
    expect(Math.max(x[0], y[0])).toBeLessThan(0);
    expect(Math.min(x[1], y[1])).toBeGreaterThan(EXTENT);
  }
});

test("points are smaller in larger graphs and grow with the zoom", () => {
  expect(pointSize(40, 1)).toBeGreaterThan(pointSize(2000, 1));
  expect(pointSize(200000, 1)).toBeLessThan(pointSize(200000, 16));
});
