import type { Cell, Difference, Grid, GridRun, NumberOrNull } from "./payload";

export type GridColumn = Grid["columns"][number];

export function columnName(column: { dataset: string; task: string }): string {
  return `${column.dataset} ${column.task}`;
}

export function inColumn(one: { dataset: string; task: string }, column: { dataset: string; task: string }): boolean {
  return one.dataset === column.dataset && one.task === column.task;
}

export function findCell(grid: Grid, column: GridColumn, model: string): Cell | undefined {
  return grid.cells.find((cell) => cell.model === model && inColumn(cell, column));
}

/** The metric of a run that the grid shows. */
export function shownMetric(grid: Grid, run: GridRun): NumberOrNull {
  return grid.set === "test" ? (run.test ?? null) : run.valid;
}

/** Runs of a cell in order of seed and split. */
export function runsOf(grid: Grid, column: { dataset: string; task: string }, model: string): GridRun[] {
  const found = grid.runs.filter((run) => run.model === model && inColumn(run, column));
  return found.sort((a, b) => a.seed - b.seed || a.split - b.split);
}

/** The highest mean of a column. */
export function bestMean(grid: Grid, column: GridColumn): number | undefined {
  const means = grid.cells.filter((cell) => inColumn(cell, column)).map((cell) => cell.mean);
  const known = means.filter((mean) => mean !== null);
  return known.length === 0 ? undefined : Math.max(...known);
}

/** First minus second; if the payload has the pair in the other order, the signs are inverted. */
export function findDifference(grid: Grid, column: GridColumn, first: string, second: string): Difference | undefined {
  const among = grid.differences.filter((difference) => inColumn(difference, column));
  const straight = among.find((one) => one.first === first && one.second === second);
  if (straight !== undefined) return straight;
  const turned = among.find((one) => one.first === second && one.second === first);
  const negative = (value: number | null): number | null => (value === null ? null : 0 - value);
  return turned && { ...turned, first, second, mean: negative(turned.mean), t: negative(turned.t) };
}

export interface PairedRun {
  seed: number;
  split: number;
  /** In percentage points. */
  difference: number;
}

/** Differences of runs of the same seed and split; runs without a metric are omitted. */
export function pairedRuns(grid: Grid, column: GridColumn, first: string, second: string): PairedRun[] {
  const key = (run: GridRun): string => `${run.seed} ${run.split}`;
  const others = new Map(runsOf(grid, column, second).map((run) => [key(run), shownMetric(grid, run)]));
  return runsOf(grid, column, first).flatMap((run) => {
    const other = others.get(key(run));
    const own = shownMetric(grid, run);
    if (own === null || other === null || other === undefined) return [];
    return [{ seed: run.seed, split: run.split, difference: own - other }];
  });
}

/** A deterministic offset from -0.5 to 0.5 that separates overlapping points. */
export function jitter(position: number): number {
  return ((position * 0.6180339887) % 1) - 0.5;
}
