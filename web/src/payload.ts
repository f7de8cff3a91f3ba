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
  /** What is missing, omitted or sampled, one sentence per note. */
  notes: string[];
  run?: Run;
  grid?: Grid;
}

/** NaN and infinities are written as null. */
export type NumberOrNull = number | null;

export interface Run {
  folder: string;
  dataset: string;
  task: "nc" | "lp" | "npc";
  model: string;
  /** The command that repeats the run. */
  command: string;
  /** The whole configuration. */
  settings: [string, string][];
  /** Nodes, edges, anchors, parameters, seconds, device, ... */
  facts: [string, string][];
  /** The main metric, a key of `test` and `valid`. */
  metric: string;
  /** Absent if the run has not finished. Shares, not percent. */
  result?: {
    test: Record<string, NumberOrNull>;
    valid: Record<string, NumberOrNull>;
    best_epoch: number;
    epochs: number;
    interrupted: boolean;
    /** 95 % confidence interval of the main test metric over the `judged` test nodes or pairs. */
    interval?: { low: number; high: number; judged: number; what: "nodes" | "pairs" };
  };
  /** Evaluations on the validation set during training. All lists have the same length. */
  curve: { epoch: number[]; loss: NumberOrNull[]; valid: NumberOrNull[] };
  map?: NodeMap;
  classes?: Confusion;
  pairs?: PairScores;
  fusion?: Fusion;
}

/** The graph as it is drawn. The nodes shown are numbered 0 .. nodes-1. */
export interface NodeMap {
  nodes: number;
  /** Nodes of the graph; more than `nodes` if a sample is shown. */
  total_nodes: number;
  ids: string[];
  /** At least one: "layout" (forces), "components" (principal components of the vectors), ... 0 .. 65535 each way. */
  layouts: { key: string; name: string; x: Packed; y: Packed }[];
  /** A sample if there are too many; both ends are nodes that are shown. */
  edges: { source: Packed; target: Packed; total: number };
  anchors: number[];
  /** Columns to colour the nodes by, in this order. */
  columns: Column[];
  /**
   * Layer in which the first message from an anchor arrives: 0 for anchors, 255 never within `layers`. `edges`: the layer
   * in which an edge carries one, 255 never (held-out edges carry none, directed edges only in their direction).
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
export interface PairScores {
  /** Of pairs that are linked (or of one class) and of those that are not, by score: equal bins over [0, 1]. */
  positives: number[];
  negatives: number[];
  /** A subset of the points, from (0, 0) to (1, 1). */
  roc: { false_positive: number[]; true_positive: number[] };
  auc: NumberOrNull;
}

/** Test nodes. */
export interface Fusion {
  experts: { name: string; accuracy: NumberOrNull; ec: NumberOrNull }[];
  accuracy: NumberOrNull;
  ec: NumberOrNull;
  /** One histogram per expert: number of nodes by gate weight, in equal bins over [0, 1]. */
  gates: number[][];
  /** By the set of experts that are `right`: the number of nodes, and of those the fusion predicts correctly. */
  outcomes: { right: string[]; nodes: number; fused_right: number }[];
}

export interface Grid {
  folder: string;
  /** The command that continues or repeats the grid; empty if it is not known. */
  command: string;
  /** Whose metrics are shown: those of cells, runs and differences. */
  set: "test" | "validation";
  /** "name task", in order. */
  columns: { dataset: string; task: string; metric: string }[];
  models: string[];
  /** In percent. */
  cells: Cell[];
  runs: GridRun[];
  /** The best model of each column and the others, one sentence per column; then how they were compared. */
  comparisons: string[];
  /** Per column and pair of models: first minus second in percentage points, over runs of the same seed and split. */
  differences: Difference[];
  /** The settings of the runs, by the key in their `settings`; entries may be missing. */
  settings: Record<string, [string, string][]>;
}

export interface Cell {
  dataset: string;
  task: string;
  model: string;
  mean: NumberOrNull;
  sd: NumberOrNull;
  runs: number;
  paper?: { mean: number; sd: number; standing: "above" | "within" | "below" };
  ec?: { mean: NumberOrNull; sd: NumberOrNull; paper?: { mean: number; sd: number } };
}

export interface GridRun {
  dataset: string;
  task: string;
  model: string;
  seed: number;
  split: number;
  /** In percent; absent if the validation metrics are shown. */
  test?: NumberOrNull;
  valid: NumberOrNull;
  ec?: NumberOrNull;
  best_epoch: number;
  seconds: number;
  settings: string;
  /** The command that repeats this run. */
  command: string;
}

export interface Difference {
  dataset: string;
  task: string;
  first: string;
  second: string;
  runs: number;
  mean: NumberOrNull;
  sd: NumberOrNull;
  t: NumberOrNull;
  p: NumberOrNull;
  /** Adjusted by Holm's method for the `tests` pairs of models in the column. */
  p_holm: NumberOrNull;
  tests: number;
}
