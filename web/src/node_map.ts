import { groupNodes } from "./colour_groups";
import { packedLength } from "./decode";
import { button, h, section, select } from "./dom";
import { count, counted } from "./format";
import { frontierControls } from "./frontier_controls";
import { unpackMap } from "./map_data";
import { startMap, type MapParts, type MapScene } from "./map_scene";
import { nodeSearch } from "./node_search";
import type { NodeMap } from "./payload";

const ZOOM_STEP = 1.5;

/** The graph. The section exists at once; `draw` unpacks and draws the graph and resolves when all of it is visible. */
export function mapSection(map: NodeMap): { element: HTMLElement; draw: () => Promise<void> } {
  const label = `Map of the graph: ${mapSummary(map)} Arrow keys move, plus and minus zoom, 0 shows everything.`;
  const parts: MapParts = {
    canvas: h("div", {
      class: "chart map",
      "data-chart": "map",
      role: "application",
      tabindex: 0,
      "aria-label": label,
    }),
    tooltip: h("div", { class: "map-tooltip", "aria-hidden": "true", hidden: true }),
    panel: h(
      "div",
      { class: "panel", role: "status", "data-panel": "node" },
      h("p", { class: "hint" }, "Point at a node, click it, or search for its id."),
    ),
    legend: h("ul", { class: "legend", "aria-label": "Colours; click one to hide its nodes" }),
  };
  const controls = h("div", { class: "no-print" }, h("p", { class: "hint" }, "The graph is being drawn."));
  const side = h("div", { class: "map-side" }, parts.legend, parts.panel);
  const element = section(
    "graph",
    "Graph",
    h("p", {}, mapSummary(map)),
    controls,
    h("div", { class: "map-row" }, h("div", { class: "map-box" }, parts.canvas, parts.tooltip), side),
    h(
      "p",
      { class: "hint no-print" },
      "Wheel, + and − zoom; dragging and the arrow keys move; 0 shows everything. Diamonds are anchors.",
    ),
  );
  const draw = async (): Promise<void> => {
    const data = unpackMap(map);
    const [layout] = data.layouts;
    if (layout === undefined) return;
    const scene = startMap(data, layout, parts);
    controls.replaceChildren(...mapControls(scene, parts.panel));
    await scene.drawn;
  };
  return { element, draw };
}

/** Numbers of nodes, edges and anchors shown, and their totals if some are omitted. */
export function mapSummary(map: NodeMap): string {
  const part = (shown: number, total: number, noun: string): string =>
    shown < total ? `${count(shown)} of ${counted(total, noun)}` : counted(total, noun);
  const nodes = part(map.nodes, map.total_nodes, "node");
  const edges = part(packedLength(map.edges.source), map.edges.total, "edge");
  return `${nodes}, ${edges}, ${counted(map.anchors.length, "anchor")}.`;
}

function mapControls(scene: MapScene, panel: HTMLElement): HTMLElement[] {
  const { data, state, view } = scene;
  const layout = select({
    label: "Layout",
    control: "layout",
    options: data.layouts.map(({ key, name }) => ({ value: key, name })),
    onChange: (key) => {
      state.layout = data.layouts.find((one) => one.key === key) ?? state.layout;
      scene.redraw();
    },
  });
  const search = nodeSearch({
    ids: data.ids,
    onFound: (node) => scene.choose(node, true),
    onUnknown: (text) => {
      state.selected = -1;
      scene.redraw();
      panel.replaceChildren(h("p", {}, `None of the nodes shown has the id ${text}.`));
    },
  });
  const zooms = h(
    "div",
    { class: "button-group", role: "group", "aria-label": "Zoom" },
    button("+", () => view.zoom(ZOOM_STEP), { "data-control": "zoom-in", "aria-label": "Zoom in" }),
    button("−", () => view.zoom(1 / ZOOM_STEP), { "data-control": "zoom-out", "aria-label": "Zoom out" }),
    button("Fit", () => view.fit(), { "data-control": "fit" }),
  );
  const frontier = frontierControls(data, (layer) => {
    state.layer = layer;
    scene.redraw();
  });
  const rows = [h("div", { class: "controls" }, layout.element, colourSelect(scene), search, zooms)];
  return frontier === null ? rows : [...rows, frontier];
}

function colourSelect({ data, state, redraw, showLegend }: MapScene): HTMLElement | null {
  if (data.columns.length === 0) return null;
  const { element } = select({
    label: "Colour by",
    control: "colour",
    options: data.columns.map(({ key, name }) => ({ value: key, name })),
    onChange: (key) => {
      const column = data.columns.find((one) => one.key === key);
      state.groups = groupNodes(column, data.columns, data.nodes);
      state.hidden.clear();
      redraw();
      showLegend();
    },
  });
  return element;
}
