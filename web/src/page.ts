import { confusionSection } from "./confusion";
import { curvesSection } from "./curves";
import { differencesSection } from "./differences";
import { h, section } from "./dom";
import { TASK_NAMES } from "./format";
import { fusionSection } from "./fusion";
import { dotsSection } from "./grid_dots";
import { gridSummary, gridTableSection } from "./grid_table";
import { mapSection } from "./node_map";
import { pairsSection } from "./pair_charts";
import type { Grid, Payload, Run } from "./payload";
import { resultSection } from "./run_result";
import { runPanels } from "./run_panel";
import { commandLine, settingsSection } from "./settings";
import { themeButton } from "./theme";

/** The page, and what is drawn after its first paint. */
export interface Page {
  element: HTMLElement;
  later: (() => Promise<void>)[];
}

export function page(payload: Payload): Page {
  const later: Page["later"] = [];
  const sections = [
    ...(payload.run === undefined ? [] : runSections(payload.run, later)),
    ...(payload.grid === undefined ? [] : gridSections(payload.grid)),
  ];
  const main = h("main", { id: "content", tabindex: -1 }, noteList(payload.notes), ...sections);
  if (sections.length === 0)
    main.append(h("p", { class: "warning" }, "This report contains neither a run nor a grid."));
  const element = h(
    "div",
    {},
    h("a", { class: "skip", href: "#content" }, "Skip to the content"),
    header(payload),
    navigation(sections),
    main,
  );
  return { element, later };
}

function header(payload: Payload): HTMLElement {
  const about =
    payload.run === undefined ? (payload.grid === undefined ? "" : gridSummary(payload.grid)) : runSummary(payload.run);
  return h(
    "header",
    {},
    h(
      "div",
      {},
      h("h1", {}, payload.title),
      h("p", { class: "hint" }, about, h("span", { class: "version" }, ` gir ${payload.version}`)),
    ),
    h("div", { class: "no-print" }, themeButton()),
  );
}

function runSummary(run: Run): string {
  return `${run.model} on ${run.dataset}, ${TASK_NAMES[run.task] ?? run.task}.`;
}

/** Notes on missing data come before the results. */
function noteList(notes: string[]): HTMLElement | null {
  if (notes.length === 0) return null;
  const list = h("ul");
  for (const note of notes) list.append(h("li", {}, note));
  return h("div", { class: "warning", role: "note", "aria-label": "Notes", "data-panel": "notes" }, list);
}

function navigation(sections: HTMLElement[]): HTMLElement {
  const list = h("ul");
  for (const one of sections)
    list.append(h("li", {}, h("a", { href: `#${one.id}` }, one.querySelector("h2")?.textContent ?? "")));
  return h("nav", { "aria-label": "Sections", class: "no-print" }, list);
}

function runSections(run: Run, later: Page["later"]): HTMLElement[] {
  const { map, classes, pairs, fusion } = run;
  return [
    guarded("Result", () => resultSection(run)),
    guarded("Training", () => curvesSection(run)),
    map && guarded("Graph", () => laterSection(mapSection(map), later)),
    classes && guarded("Confusion matrix", () => confusionSection(classes)),
    pairs && guarded("Test pairs", () => pairsSection(pairs, run.task)),
    fusion && guarded("Fusion of experts", () => fusionSection(fusion)),
    guarded("Settings", () => settingsSection(run)),
  ].filter((one) => one !== undefined);
}

function laterSection(made: { element: HTMLElement; draw: () => Promise<void> }, later: Page["later"]): HTMLElement {
  later.push(made.draw);
  return made.element;
}

/** A section that cannot be shown is replaced by an error message; the others are unaffected. */
export function guarded(title: string, make: () => HTMLElement): HTMLElement {
  try {
    return make();
  } catch (error) {
    console.error(error);
    const reason = error instanceof Error ? error.message : String(error);
    const id = title.toLowerCase().replaceAll(" ", "-");
    return section(id, title, h("p", { class: "warning", role: "alert" }, `This part cannot be shown: ${reason}.`));
  }
}

function gridSections(grid: Grid): HTMLElement[] {
  const panels = runPanels(grid);
  const table = gridTableSection(grid, panels.openRuns);
  table.append(panels.element);
  const differences = differencesSection(grid);
  return [
    table,
    dotsSection(grid, panels.openRun),
    ...(differences === null ? [] : [differences]),
    section("command", "Command", h("p", {}, `Folder: ${grid.folder}`), commandLine(grid.command)),
  ];
}
