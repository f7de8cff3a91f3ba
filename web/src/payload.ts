/** What `gir report` writes into the page. src/report/html/ of the C++ side makes it; both sides keep to this file. */

/** Numbers as little-endian bytes in base64. */
export interface Packed {
  type: "u8" | "u16" | "u32" | "f32";
  data: string;
}

export interface Payload {
  format: 1;
  /** Of gir. */
  version: string;
  title: string;
  /** What is missing, was left out or thinned, a sentence each. */
  notes: string[];
  run?: Run;
  grid?: Grid;
}

/** NaN and infinities are null wherever a number may be one. */
export type Figure = number | null;

export interface Run {
  folder: string;
  dataset: string;
  task: "nc" | "lp" | "npc";
  model: string;
  /** What to type to have the same run again. */
  command: string;
  /** The whole configuration. */
  settings: [string, string][];
  /** Nodes, edges, anchors, parameters, seconds, device, ... */
  facts: [string, string][];
  /** The figure that decides, a key of `test` and `valid`. */
  metric: string;
  /** Absent where the run has not ended. Shares, not percent. */
  result?: {
    test: Record<string, Figure>;
    valid: Record<string, Figure>;
    best_epoch: number;
    epochs: number;
    interrupted: boolean;
    /** 95 % interval of the test figure over the nodes or pairs that were judged. */
    interval?: { low: number; high: number; judged: number; what: "nodes" | "pairs" };
  };
  /** Looks at the validation data while training. All lists are of one length. */
  curve: { epoch: number[]; loss: Figure[]; valid: Figure[] };
  map?: NodeMap;
  classes?: Confusion;
  pairs?: PairFigures;
  fusion?: Fusion;
}

/** The graph to look at. Nodes are counted 0 .. nodes-1 among those shown. */
export interface NodeMap {
  nodes: number;
  /** Nodes of the graph; more than `nodes` where it was thinned. */
  total_nodes: number;
  ids: string[];
  /** At least one: "layout" (forces), "components" (principal components of the vectors), ... 0 .. 65535 each way. */
  layouts: { key: string; name: string; x: Packed; y: Packed }[];
  /** Some of the edges where there are too many; ends are shown nodes. */
  edges: { source: Packed; target: Packed; total: number };
  anchors: number[];
  /** What nodes can be coloured by, in this order. */
  columns: Column[];
  /**
   * Layer in which the first message from an anchor arrives: 0 for anchors, 255 never within `layers`. `edges`: the layer
   * in which an edge brings one, 255 never (edges that are held out carry nothing, directed ones one way).
   */
  frontier?: { arrival: Packed; edges: Packed; layers: number };
}

export type Column = CategoryColumn | NumberColumn;

export interface CategoryColumn {
  /** "label", "prediction", "error", "part", "experts". */
  key: string;
  name: string;
  kind: "category";
  categories: string[];
  /** u16: positions in `categories`; 65535 for none. */
  values: Packed;
}

export interface NumberColumn {
  /** "distance" (to the nearest anchor), "gate-1", "gate-2", ... */
  key: string;
  name: string;
  kind: "number";
  /** f32; NaN for none (a node that no anchor reaches). */
  values: Packed;
}

/** Test nodes: matrix[label][prediction]. */
export interface Confusion {
  names: string[];
  matrix: number[][];
}

/** Test pairs. */
export interface PairFigures {
  /** Of pairs that are linked (or of one class) and of those that are not, by score: equal bins over [0, 1]. */
  positives: number[];
  negatives: number[];
  /** Thinned; from (0, 0) to (1, 1). */
  roc: { false_positive: number[]; true_positive: number[] };
  auc: Figure;
}

/** Test nodes. */
export interface Fusion {
  experts: { name: string; accuracy: Figure; ec: Figure }[];
  accuracy: Figure;
  ec: Figure;
  /** A histogram an expert: how many nodes give it a weight in each of equal bins over [0, 1]. */
  gates: number[][];
  /** Which experts are right, as a list of their names (empty: none), on how many nodes, and how often the fusion is. */
  outcomes: { right: string[]; nodes: number; fused_right: number }[];
}

export interface Grid {
  folder: string;
  /** What to type to go on with it or to have it again; empty where that is not known. */
  command: string;
  /** "name task", in order. */
  columns: { dataset: string; task: string; metric: string }[];
  models: string[];
  /** In percent. */
  cells: Cell[];
  runs: GridRun[];
  /** Every two models on every column: first minus second, in points, over runs of the same seed and split. */
  differences: Difference[];
  /** What a run was set to, by its `settings`; entries may be missing. */
  settings: Record<string, [string, string][]>;
}

export interface Cell {
  dataset: string;
  task: string;
  model: string;
  mean: Figure;
  sd: Figure;
  runs: number;
  paper?: { mean: number; sd: number; standing: "above" | "within" | "below" };
  ec?: { mean: Figure; sd: Figure; paper?: { mean: number; sd: number } };
}

export interface GridRun {
  dataset: string;
  task: string;
  model: string;
  seed: number;
  split: number;
  /** In percent. */
  test: Figure;
  valid: Figure;
  ec?: Figure;
  best_epoch: number;
  seconds: number;
  settings: string;
  /** What to type for this one run. */
  command: string;
}

export interface Difference {
  dataset: string;
  task: string;
  first: string;
  second: string;
  runs: number;
  mean: Figure;
  sd: Figure;
  t: Figure;
  p: Figure;
}
