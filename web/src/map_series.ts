import { CATEGORY_SYMBOLS, type Colours, type Theme } from "./colours";
import { CATEGORY_LIMIT, groupColour, type Groups } from "./colour_groups";
import { frontierEdges } from "./frontier";
import type { Layout, MapData } from "./map_data";

/** Graphs with fewer nodes are drawn with one symbol per category and with outlined points. */
export const SMALL_GRAPH = 2000;

/** What the map shows at the moment. */
export interface MapState {
  layout: Layout;
  groups: Groups;
  /** Positions of the groups that are hidden in the legend. */
  hidden: Set<number>;
  /** Layer of the frontier; undefined while it is not shown. */
  layer?: number;
  /** The node that was searched for or clicked, or -1. */
  selected: number;
  /** Diameter of a point in CSS pixels. */
  size: number;
}

/** Nodes of hidden groups are neither drawn nor found by the pointer. */
export function isShown(state: MapState, node: number): boolean {
  return !state.hidden.has(state.groups.of[node] ?? 0);
}

function hasArrived(data: MapData, state: MapState, node: number): boolean {
  return (
    state.layer === undefined || data.frontier === undefined || (data.frontier.arrival[node] ?? 255) <= state.layer
  );
}

/** Coordinates of the chosen nodes as x, y, x, y, ... */
function coordinates(layout: Layout, nodes: number, chosen: (node: number) => boolean): Float32Array {
  const points = new Float32Array(nodes * 2);
  let length = 0;
  for (let node = 0; node < nodes; ++node) {
    if (!chosen(node)) continue;
    points[length++] = layout.x[node] ?? 0;
    points[length++] = layout.y[node] ?? 0;
  }
  return points.slice(0, length);
}

/** Edges in the format of ECharts' large mode: 2, x, y, x, y per line. */
export function edgeCoordinates(data: MapData, layout: Layout, chosen?: readonly number[]): Float32Array {
  const length = chosen?.length ?? data.edges.source.length;
  const lines = new Float32Array(length * 5);
  for (let i = 0; i < length; ++i) {
    const edge = chosen?.[i] ?? i;
    const source = data.edges.source[edge] ?? 0;
    const target = data.edges.target[edge] ?? 0;
    lines.set([2, layout.x[source] ?? 0, layout.y[source] ?? 0, layout.x[target] ?? 0, layout.y[target] ?? 0], i * 5);
  }
  return lines;
}

type Series = Record<string, unknown>;

/** All series of the map. The series of edges has no data if the chart has it already (`drawnEdges`). */
export function mapSeries(data: MapData, state: MapState, tone: Colours, theme: Theme, drawnEdges: string): Series[] {
  const lines = drawnEdges === edgesId(state) ? undefined : edgeCoordinates(data, state.layout);
  const series: Series[] = [edgeSeries(edgesId(state), data, tone, lines)];
  if (state.layer !== undefined && data.frontier !== undefined) {
    const carrying = frontierEdges(data.frontier.edges, state.layer);
    if (carrying.length > 0)
      series.push(
        emphasisSeries(`${edgesId(state)}-${state.layer}`, tone, edgeCoordinates(data, state.layout, carrying)),
      );
    series.push(fadedSeries(data, state, tone));
  }
  state.groups.groups.forEach((_, group) => series.push(...groupSeries(data, state, group, tone, theme)));
  if (state.selected >= 0) series.push(selectedSeries(state, tone));
  // ECharts' large mode fails on a series without points.
  return series.filter(({ data: points }) => !(points instanceof Float32Array) || points.length > 0);
}

/** The series id of a layout's edges. Other lines need another id: ECharts cannot replace flat data in a series. */
export function edgesId(state: MapState): string {
  return `edges-${state.layout.key}`;
}

function edgeSeries(id: string, data: MapData, tone: Colours, lines: Float32Array | undefined): Series {
  const many = data.edges.source.length > 20000;
  return {
    ...lineSeries(id, 0),
    ...(lines === undefined ? {} : { data: lines }),
    lineStyle: {
      color: tone.edge,
      width: many ? 0.4 : data.edges.source.length > 1000 ? 0.7 : 1.1,
      opacity: many ? 0.55 : 1,
    },
  };
}

function emphasisSeries(id: string, tone: Colours, lines: Float32Array): Series {
  const count = lines.length / 5;
  const [width, opacity] = count > 5000 ? [0.5, 0.6] : count > 300 ? [0.9, 0.7] : [1.75, 0.9];
  return { ...lineSeries(id, 1), data: lines, lineStyle: { color: tone.edgeEmphasis, width, opacity } };
}

function lineSeries(id: string, zlevel: number): Series {
  return { id, type: "lines", coordinateSystem: "cartesian2d", large: true, largeThreshold: 0, silent: true, zlevel };
}

function pointSeries(id: string, data: MapData, zlevel: number, points: Float32Array): Series {
  return {
    id,
    type: "scatter",
    dimensions: ["x", "y"],
    data: points,
    large: data.nodes >= SMALL_GRAPH,
    largeThreshold: 0,
    progressive: 0,
    silent: true,
    zlevel,
  };
}

function fadedSeries(data: MapData, state: MapState, tone: Colours): Series {
  const points = coordinates(
    state.layout,
    data.nodes,
    (node) => isShown(state, node) && !hasArrived(data, state, node),
  );
  return { ...pointSeries("faded", data, 0, points), z: 3, symbolSize: state.size, itemStyle: { color: tone.faded } };
}

/** Points of one colour, and its anchors as diamonds on top. */
function groupSeries(data: MapData, state: MapState, group: number, tone: Colours, theme: Theme): Series[] {
  const found = state.groups.groups[group];
  if (found === undefined) return [];
  const color = groupColour(found, tone, theme);
  const small = data.nodes < SMALL_GRAPH;
  const place = found.colour !== "none" && "category" in found.colour ? found.colour.category : 0;
  const chosen = (anchors: boolean): Float32Array => {
    if (state.hidden.has(group)) return new Float32Array(0);
    return coordinates(
      state.layout,
      data.nodes,
      (node) =>
        state.groups.of[node] === group && (data.isAnchor[node] === 1) === anchors && hasArrived(data, state, node),
    );
  };
  // Otherwise single points are hard to see among the emphasised edges.
  const size = state.layer === undefined ? state.size : Math.max(3, state.size);
  // Otherwise a large group of other categories would cover the groups with a colour of their own.
  const leftover = found.colour === "none" || place === CATEGORY_LIMIT - 1;
  return [
    {
      ...pointSeries(`points-${group}`, data, 2, chosen(false)),
      z: leftover ? 1 : 2,
      symbol: small ? (CATEGORY_SYMBOLS[place] ?? "circle") : "circle",
      symbolSize: size,
      itemStyle: small ? { color, opacity: 1, borderColor: tone.background, borderWidth: 0.75 } : { color, opacity: 1 },
    },
    {
      ...pointSeries(`anchors-${group}`, data, 3, chosen(true)),
      symbol: "diamond",
      symbolSize: Math.max(11, state.size * 1.7),
      itemStyle: { color, opacity: 1, borderColor: tone.text, borderWidth: 1.75 },
    },
  ];
}

function selectedSeries(state: MapState, tone: Colours): Series {
  const point = [state.layout.x[state.selected] ?? 0, state.layout.y[state.selected] ?? 0];
  return {
    id: "selected",
    type: "scatter",
    data: [point],
    silent: true,
    zlevel: 4,
    symbol: "circle",
    symbolSize: Math.max(22, state.size * 2.4),
    itemStyle: { color: "transparent", borderColor: tone.edgeEmphasis, borderWidth: 3 },
  };
}
