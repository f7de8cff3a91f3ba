import { h, pairList } from "./dom";
import { compact, MISSING } from "./format";
import { NO_CATEGORY, type MapColumn, type MapData } from "./map_data";

/** The value of a column for a node, as text. */
export function columnText(column: MapColumn, node: number): string {
  const value = column.values[node];
  if (value === undefined) return MISSING;
  if (column.kind === "number") return compact(value);
  return value === NO_CATEGORY ? MISSING : (column.categories[value] ?? MISSING);
}

/** Everything known about a node, as pairs of name and value. */
export function nodeFacts(data: MapData, node: number): [string, string][] {
  const facts: [string, string][] = [];
  if (data.isAnchor[node] === 1) facts.push(["role", "anchor"]);
  for (const column of data.columns) facts.push([column.name, columnText(column, node)]);
  const arrival = data.frontier?.arrival[node];
  if (arrival !== undefined) facts.push(["first message", arrival === 255 ? "never" : `layer ${arrival}`]);
  return facts;
}

/** The same as an element, for the tooltip and the panel. */
export function nodeFactsElement(data: MapData, node: number): HTMLElement {
  return h("div", {}, h("p", { class: "node-id" }, `node ${data.ids[node] ?? node}`), pairList(nodeFacts(data, node)));
}
