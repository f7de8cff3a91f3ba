import { button, h, pairList } from "./dom";
import { count, counted, metricName, fixed, points, seconds } from "./format";
import { columnName, runsOf, type GridColumn } from "./grid_data";
import type { Grid, GridRun } from "./payload";
import { commandLine, settingsList } from "./settings";

export interface RunPanels {
  element: HTMLElement;
  openRuns: (column: GridColumn, model: string) => void;
  openRun: (run: GridRun) => void;
}

/** Below the table: the runs of a cell, and the details of one run. */
export function runPanels(grid: Grid): RunPanels {
  const runs = h("div", { class: "panel", "data-panel": "runs", hidden: true });
  const single = h("div", { class: "panel", "data-panel": "run", hidden: true });
  const openRun = (run: GridRun): void => {
    const heading = h(
      "h3",
      { tabindex: -1 },
      `${run.model} on ${columnName(run)}, seed ${run.seed}, split ${run.split}`,
    );
    single.replaceChildren(panelHead(heading, single), ...runContent(grid, run));
    reveal(single, heading);
  };
  const openRuns = (column: GridColumn, model: string): void => {
    const found = runsOf(grid, column, model);
    const heading = h("h3", { tabindex: -1 }, `${model} on ${columnName(column)}: ${counted(found.length, "run")}`);
    single.hidden = true;
    runs.replaceChildren(panelHead(heading, runs), runTable(grid, found, column, openRun));
    reveal(runs, heading);
  };
  return { element: h("div", { class: "panels" }, runs, single), openRuns, openRun };
}

function panelHead(heading: HTMLElement, panel: HTMLElement): HTMLElement {
  return h(
    "div",
    { class: "panel-head" },
    heading,
    button("Close", () => (panel.hidden = true), { class: "no-print" }),
  );
}

function reveal(panel: HTMLElement, heading: HTMLElement): void {
  panel.hidden = false;
  heading.focus({ preventScroll: true });
  panel.scrollIntoView({ block: "nearest" });
}

function runTable(grid: Grid, runs: GridRun[], column: GridColumn, openRun: (run: GridRun) => void): HTMLElement {
  const metric = metricName(column.metric);
  const metrics = grid.set === "test" ? [`Test ${metric}`, "Validation"] : [`Validation ${metric}`];
  const titles = ["Seed", "Split", ...metrics, "Best epoch", "Time", ""];
  const body = h("tbody");
  for (const run of runs) {
    const open = button("Open", () => openRun(run), {
      "data-run": `${run.seed}|${run.split}`,
      "aria-label": `Open seed ${run.seed}, split ${run.split}`,
    });
    const texts = [
      String(run.seed),
      String(run.split),
      ...(run.test === undefined ? [] : [fixed(run.test, 2)]),
      fixed(run.valid, 2),
      count(run.best_epoch),
      seconds(run.seconds),
    ];
    body.append(h("tr", {}, ...texts.map((text) => h("td", {}, text)), h("td", { class: "no-print" }, open)));
  }
  const head = h("thead", {}, h("tr", {}, ...titles.map((title) => h("th", { scope: "col" }, title))));
  return h(
    "div",
    { class: "scroll tall", tabindex: 0, role: "region", "aria-label": "Runs of the cell" },
    h("table", { class: "numbers" }, head, body),
  );
}

function runContent(grid: Grid, run: GridRun): HTMLElement[] {
  const facts: [string, string][] = [
    ...(run.test === undefined ? [] : [["test", points(run.test)] satisfies [string, string]]),
    ["validation", points(run.valid)],
    ["best epoch", count(run.best_epoch)],
    ["time", seconds(run.seconds)],
  ];
  if (run.ec !== undefined) facts.push(["EC", points(run.ec)]);
  const settings = grid.settings[run.settings];
  return [
    pairList(facts),
    h("h4", {}, "Command"),
    commandLine(run.command),
    h("h4", {}, "Settings"),
    settings === undefined ? h("p", {}, "Not recorded.") : settingsList(settings),
  ];
}
