import { h, hidden, section } from "./dom";
import { count, counted, metricName, meanSd, MISSING, TASK_NAMES } from "./format";
import { bestMean, columnName, findCell, type GridColumn } from "./grid_data";
import type { Cell, Grid } from "./payload";

const STANDINGS = {
  above: { mark: "↑", words: "above the paper" },
  within: { mark: "≈", words: "within the paper's standard deviation" },
  below: { mark: "↓", words: "below the paper" },
};

/** Models by data sets. A cell opens its runs. */
export function gridTableSection(grid: Grid, onOpen: (column: GridColumn, model: string) => void): HTMLElement {
  const head = h("tr", {}, h("th", { scope: "col" }, "Model"));
  for (const column of grid.columns) {
    const about = h(
      "span",
      { class: "column-metric", title: TASK_NAMES[column.task] },
      `${column.task}, ${metricName(column.metric)}`,
    );
    head.append(h("th", { scope: "col" }, h("span", {}, column.dataset), about));
  }
  const body = h("tbody");
  for (const model of grid.models) {
    const row = h("tr", {}, h("th", { scope: "row" }, model));
    for (const column of grid.columns) row.append(tableCell(grid, column, model, onOpen));
    body.append(row);
  }
  const table = h("table", { class: "grid-table" }, h("thead", {}, head), body);
  return section(
    "table",
    "Results",
    h(
      "p",
      { "data-value": "set" },
      `Mean ± standard deviation of ${grid.set} metrics in percent; the best mean of each column is bold.`,
    ),
    h("p", { class: "hint no-print" }, "Click a cell to list its runs."),
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Results by model and data set" }, table),
    paperKey(grid),
    ...grid.comparisons.map((sentence) => h("p", { class: "hint" }, sentence)),
  );
}

function paperKey(grid: Grid): HTMLElement | null {
  if (!grid.cells.some((cell) => cell.paper !== undefined)) return null;
  return h(
    "p",
    { class: "hint" },
    "The paper's result is shown below ours: ↑ ours is above it, ≈ within its standard deviation, ↓ below it.",
  );
}

function tableCell(
  grid: Grid,
  column: GridColumn,
  model: string,
  onOpen: (column: GridColumn, model: string) => void,
): HTMLElement {
  const key = `${model}|${column.dataset}|${column.task}`;
  const cell = findCell(grid, column, model);
  if (cell === undefined) return h("td", { "data-cell": key, class: "empty" }, MISSING);
  const best = cell.mean !== null && cell.mean === bestMean(grid, column);
  const opener = h(
    "button",
    {
      type: "button",
      class: best ? "cell best" : "cell",
      title: `${model} on ${columnName(column)}: ${counted(cell.runs, "run")}`,
    },
    h("span", { class: "cell-mean" }, meanSd(cell.mean, cell.sd)),
    best ? hidden(" best of the column") : null,
    paperLine(cell),
    ecLine(cell),
    hidden(`, ${counted(cell.runs, "run")}`),
  );
  opener.addEventListener("click", () => onOpen(column, model));
  return h("td", { "data-cell": key }, opener);
}

function paperLine(cell: Cell): HTMLElement | null {
  if (cell.paper === undefined) return null;
  const standing = STANDINGS[cell.paper.standing];
  return h(
    "span",
    { class: `cell-paper ${cell.paper.standing}` },
    h("span", { class: "mark", "aria-hidden": "true" }, standing.mark),
    hidden(`, ${standing.words}: `),
    h("span", {}, meanSd(cell.paper.mean, cell.paper.sd)),
  );
}

function ecLine(cell: Cell): HTMLElement | null {
  if (cell.ec === undefined) return null;
  const paper =
    cell.ec.paper === undefined
      ? null
      : h("span", { class: "cell-ec" }, `paper ${meanSd(cell.ec.paper.mean, cell.ec.paper.sd)}`);
  return h(
    "span",
    { class: "cell-lines" },
    h("span", { class: "cell-ec" }, `EC ${meanSd(cell.ec.mean, cell.ec.sd)}`),
    paper,
  );
}

export function gridSummary(grid: Grid): string {
  return `${counted(grid.models.length, "model")} on ${counted(grid.columns.length, "data set")}, ${count(grid.runs.length)} runs, ${grid.set} metrics.`;
}
