import { unpack, type Numbers } from "./decode";
import type { NodeMap } from "./payload";

/** Coordinates are 0 .. EXTENT in x and y. */
export const EXTENT = 65535;
/** The value of a node without a category. */
export const NO_CATEGORY = 65535;

export interface Layout {
  key: string;
  name: string;
  x: Numbers;
  y: Numbers;
}

export type MapColumn =
  | { key: string; name: string; kind: "category"; categories: string[]; values: Numbers }
  | { key: string; name: string; kind: "number"; values: Numbers };

/** A node map with its numbers unpacked. */
export interface MapData {
  nodes: number;
  totalNodes: number;
  ids: string[];
  layouts: Layout[];
  edges: { source: Numbers; target: Numbers; total: number };
  anchors: number[];
  isAnchor: Uint8Array;
  columns: MapColumn[];
  frontier?: { arrival: Numbers; edges: Numbers; layers: number };
}

export function unpackMap(map: NodeMap): MapData {
  const isAnchor = new Uint8Array(map.nodes);
  for (const anchor of map.anchors) isAnchor[anchor] = 1;
  return {
    nodes: map.nodes,
    totalNodes: map.total_nodes,
    ids: map.ids,
    layouts: map.layouts.map((layout) => ({ ...layout, x: unpack(layout.x), y: unpack(layout.y) })),
    edges: { source: unpack(map.edges.source), target: unpack(map.edges.target), total: map.edges.total },
    anchors: map.anchors,
    isAnchor,
    columns: map.columns.map((column) => ({ ...column, values: unpack(column.values) })),
    frontier: map.frontier && {
      arrival: unpack(map.frontier.arrival),
      edges: unpack(map.frontier.edges),
      layers: map.frontier.layers,
    },
  };
}
