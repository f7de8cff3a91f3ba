import { rampColour, type Colours, type Theme } from "./colours";
import { compact } from "./format";
import { NO_CATEGORY, type MapColumn } from "./map_data";

/** Number of colours for categories; with more categories, the last colour is shared by the remaining ones. */
export const CATEGORY_LIMIT = 8;
/** Number of bins, and so of colours, for a column of numbers. */
export const BIN_LIMIT = 9;

export interface Group {
  name: string;
  nodes: number;
  /** Position among the category colours, share of the colour ramp, or no value at all. */
  colour: { category: number } | { ramp: number } | "none";
}

/** A partition of the nodes into a few groups, one colour per group. */
export interface Groups {
  groups: Group[];
  /** Per node, a position in `groups`. */
  of: Uint8Array;
}

/** `columns` are all of the map's: those with the same categories get the same colours. */
export function groupNodes(column: MapColumn | undefined, columns: readonly MapColumn[], nodes: number): Groups {
  if (column === undefined)
    return counted([{ name: "all nodes", nodes: 0, colour: { category: 0 } }], new Uint8Array(nodes));
  return column.kind === "category" ? groupCategories(column, columns, nodes) : groupNumbers(column, nodes);
}

export function groupColour(group: Group, tone: Colours, theme: Theme): string {
  if (group.colour === "none") return tone.none;
  if ("ramp" in group.colour) return rampColour(group.colour.ramp, theme);
  return tone.categories[group.colour.category] ?? tone.none;
}

type CategoryMapColumn = Extract<MapColumn, { kind: "category" }>;

function groupCategories(column: CategoryMapColumn, columns: readonly MapColumn[], nodes: number): Groups {
  const shown = shownCategories(firstAlike(column, columns), nodes);
  const groupOf = new Uint8Array(column.categories.length).fill(CATEGORY_LIMIT - 1);
  const groups = shown.map<Group>((category, position) => {
    groupOf[category] = position;
    return { name: column.categories[category] ?? "", nodes: 0, colour: { category: position } };
  });
  if (shown.length < column.categories.length) {
    const others = column.categories.length - shown.length;
    groups.push({ name: `others (${others} categories)`, nodes: 0, colour: { category: CATEGORY_LIMIT - 1 } });
  }
  const none = groups.length;
  groups.push({ name: "none", nodes: 0, colour: "none" });
  const of = new Uint8Array(nodes);
  for (let node = 0; node < nodes; ++node) {
    const value = column.values[node] ?? NO_CATEGORY;
    of[node] = value === NO_CATEGORY ? none : (groupOf[value] ?? none);
  }
  return counted(groups, of);
}

/** Label and prediction share their categories; the first of them decides which get a colour of their own. */
function firstAlike(column: CategoryMapColumn, columns: readonly MapColumn[]): CategoryMapColumn {
  const names = column.categories.join("\n");
  const alike = columns.find((other) => other.kind === "category" && other.categories.join("\n") === names);
  return alike?.kind === "category" ? alike : column;
}

/** All categories if there are enough colours, otherwise the largest, sorted by size. */
function shownCategories(column: CategoryMapColumn, nodes: number): number[] {
  const all = column.categories.map((_, category) => category);
  if (all.length <= CATEGORY_LIMIT) return all;
  const sizes = new Uint32Array(all.length);
  for (let node = 0; node < nodes; ++node) {
    const value = column.values[node] ?? NO_CATEGORY;
    if (value < sizes.length) sizes[value] = (sizes[value] ?? 0) + 1;
  }
  return all.sort((a, b) => (sizes[b] ?? 0) - (sizes[a] ?? 0) || a - b).slice(0, CATEGORY_LIMIT - 1);
}

function groupNumbers(column: MapColumn, nodes: number): Groups {
  const bins = chooseBins(column.values);
  const last = Math.max(1, bins.length - 1);
  const groups = bins.map<Group>((bin, position) => ({ name: bin.name, nodes: 0, colour: { ramp: position / last } }));
  const none = groups.length;
  groups.push({ name: "none", nodes: 0, colour: "none" });
  const of = new Uint8Array(nodes).fill(none);
  const [first] = bins;
  if (first === undefined) return counted(groups, of);
  const width = first.to - first.from;
  for (let node = 0; node < nodes; ++node) {
    const value = column.values[node] ?? NaN;
    if (Number.isFinite(value))
      of[node] = Math.min(bins.length - 1, Math.max(0, Math.floor((value - first.from) / width)));
  }
  return counted(groups, of);
}

export interface Bin {
  name: string;
  from: number;
  to: number;
}

/** Equal bins from the least to the greatest value; few whole numbers (hops) get a bin each. */
export function chooseBins(values: ArrayLike<number>): Bin[] {
  let [least, greatest, whole] = [Infinity, -Infinity, true];
  for (let i = 0; i < values.length; ++i) {
    const value = values[i] ?? NaN;
    if (!Number.isFinite(value)) continue;
    least = Math.min(least, value);
    greatest = Math.max(greatest, value);
    whole &&= Number.isInteger(value);
  }
  if (least > greatest) return [];
  if (least === greatest) return [{ name: compact(least), from: least, to: least + 1 }];
  if (whole && greatest - least < BIN_LIMIT) {
    return Array.from({ length: greatest - least + 1 }, (_, i) => ({
      name: compact(least + i),
      from: least + i,
      to: least + i + 1,
    }));
  }
  const width = (greatest - least) / BIN_LIMIT;
  return Array.from({ length: BIN_LIMIT }, (_, i) => {
    const [from, to] = [least + i * width, least + (i + 1) * width];
    return { name: `${compact(from)} to ${compact(to)}`, from, to };
  });
}

/** Fills in the number of nodes per group; the group of nodes without a value is omitted if it is empty. */
function counted(groups: Group[], of: Uint8Array): Groups {
  for (const group of of) {
    const found = groups[group];
    if (found !== undefined) ++found.nodes;
  }
  const last = groups[groups.length - 1];
  return { groups: last?.colour === "none" && last.nodes === 0 ? groups.slice(0, -1) : groups, of };
}
