import type { ECharts } from "echarts/core";

import { listenToKeys } from "./axis_window";
import { followTheme, startChart } from "./charts";
import { groupNodes } from "./colour_groups";
import { EXTENT, type Layout, type MapData } from "./map_data";
import { fillLegend } from "./map_legend";
import { edgesId, isShown, mapSeries, SMALL_GRAPH, type MapState } from "./map_series";
import { mapView, type MapView } from "./map_view";
import { nodeFactsElement } from "./node_facts";
import { indexNodes, type NodeIndex } from "./node_index";
import { colours, isPrinting, theme } from "./theme";

/** Maximum distance from the pointer to a node, in CSS pixels. */
const HOVER_REACH = 14;

/** The elements of the map in the page. */
export interface MapParts {
  canvas: HTMLElement;
  tooltip: HTMLElement;
  panel: HTMLElement;
  legend: HTMLElement;
}

export interface MapScene {
  data: MapData;
  state: MapState;
  view: MapView;
  /** Draws `state`. */
  redraw: () => void;
  showLegend: () => void;
  /** Selects a node and shows its details in the panel; moves the view to it if `centre`. */
  choose: (node: number, centre: boolean) => void;
  /** Resolves when everything is on the screen. */
  drawn: Promise<void>;
}

/** Diameter of a point in CSS pixels: smaller in larger graphs, and slowly increasing with the zoom. */
export function pointSize(nodes: number, scale: number): number {
  const base = Math.min(11, Math.max(1.6, 260 / Math.sqrt(nodes)));
  return Math.min(12, Math.round(base * Math.sqrt(Math.max(1, scale)) * 2) / 2);
}

export function startMap(data: MapData, layout: Layout, parts: MapParts): MapScene {
  const instance = startChart(parts.canvas);
  const view = mapView(instance);
  const groups = groupNodes(data.columns[0], data.columns, data.nodes);
  const state: MapState = { layout, groups, hidden: new Set(), selected: -1, size: pointSize(data.nodes, 1) };
  const redraw = drawer(instance, view, data, state);
  const showLegend = (): void => legendFiller(data, state, parts, redraw);
  const choose = (node: number, centre: boolean): void => {
    state.selected = node;
    parts.panel.replaceChildren(nodeFactsElement(data, node));
    if (centre) view.centre(state.layout.x[node] ?? 0, state.layout.y[node] ?? 0);
    redraw();
  };
  const drawn = new Promise<void>((resolve) => {
    const finished = (): void => {
      instance.off("finished", finished);
      resolve();
    };
    instance.on("finished", finished);
  });
  const scene = { data, state, view, redraw, showLegend, choose, drawn };
  redraw();
  showLegend();
  followTheme(instance, parts.canvas, () => {
    redraw();
    showLegend();
  });
  listenToPointer(instance, scene, parts);
  listenToKeys(parts.canvas, view);
  instance.on("datazoom", () => followZoom(scene, parts));
  return scene;
}

/** Returns a function that draws the state; edges are passed to ECharts only after the layout has changed. */
function drawer(instance: ECharts, view: MapView, data: MapData, state: MapState): () => void {
  let drawnEdges = "";
  return () => {
    const series = mapSeries(data, state, colours(), theme(), drawnEdges);
    // Printing does not wait for progressive rendering of the edges.
    if (isPrinting()) for (const one of series) one.progressive = 0;
    instance.setOption({ ...view.option(), animation: false, series }, { replaceMerge: ["series"] });
    drawnEdges = edgesId(state);
  };
}

function legendFiller(data: MapData, state: MapState, parts: MapParts, redraw: () => void): void {
  const onToggle = (group: number): void => {
    if (!state.hidden.delete(group)) state.hidden.add(group);
    redraw();
  };
  const spec = {
    groups: state.groups,
    hidden: state.hidden,
    anchors: data.anchors.length,
    tone: colours(),
    theme: theme(),
    onToggle,
  };
  fillLegend(parts.legend, spec, data.nodes < SMALL_GRAPH);
}

function followZoom(scene: MapScene, parts: MapParts): void {
  parts.tooltip.hidden = true;
  const size = pointSize(scene.data.nodes, scene.view.scale());
  if (size === scene.state.size) return;
  scene.state.size = size;
  // ECharts does not accept a new option while it is drawing.
  setTimeout(scene.redraw, 0);
}

/** Hover and click through our own index: ECharts would scan all points of a large series. */
function listenToPointer(instance: ECharts, { data, state, choose }: MapScene, parts: MapParts): void {
  const indexes = new Map<string, NodeIndex>();
  const nodeAt = (x: number, y: number): number => {
    const index = indexes.get(state.layout.key) ?? indexNodes(state.layout.x, state.layout.y, EXTENT);
    indexes.set(state.layout.key, index);
    const [left = 0, top = 0] = instance.convertFromPixel({ gridIndex: 0 }, [x, y]);
    const [right = 0] = instance.convertFromPixel({ gridIndex: 0 }, [x + HOVER_REACH, y]);
    return index.nearest(left, top, Math.abs(right - left), (node) => isShown(state, node));
  };
  const zr = instance.getZr();
  zr.on("mousemove", ({ offsetX, offsetY }) => {
    const node = nodeAt(offsetX, offsetY);
    parts.tooltip.hidden = node < 0;
    if (node < 0) return;
    parts.tooltip.replaceChildren(nodeFactsElement(data, node));
    placeTooltip(parts, offsetX, offsetY);
  });
  zr.on("globalout", () => (parts.tooltip.hidden = true));
  zr.on("click", ({ offsetX, offsetY }) => {
    const node = nodeAt(offsetX, offsetY);
    if (node >= 0) choose(node, false);
  });
}

/** Beside the pointer, on the side where there is room. */
function placeTooltip({ canvas, tooltip }: MapParts, x: number, y: number): void {
  const left = x + 16 + tooltip.offsetWidth > canvas.clientWidth ? x - 16 - tooltip.offsetWidth : x + 16;
  const top = Math.min(y + 12, canvas.clientHeight - tooltip.offsetHeight - 4);
  tooltip.style.transform = `translate(${Math.max(0, left)}px, ${Math.max(0, top)}px)`;
}
