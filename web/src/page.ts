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
import { figureSection } from "./run_figure";
import { runPanels } from "./run_panel";
import { commandLine, settingsSection } from "./settings";
import { themeButton } from "./theme";

/** The page, and what is drawn only after it can be seen. */
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
  if (sections.length === 0) main.append(h("p", { class: "warning" }, "This report holds neither a run nor a grid."));
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

/** What is missing has to be seen before the figures are. */
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
  const sections = [figureSection(run), curvesSection(run)];
  if (run.map !== undefined) {
    const map = mapSection(run.map);
    sections.push(map.element);
    later.push(map.draw);
  }
  if (run.classes !== undefined) sections.push(confusionSection(run.classes));
  if (run.pairs !== undefined) sections.push(pairsSection(run.pairs, run.task));
  if (run.fusion !== undefined) sections.push(fusionSection(run.fusion));
  sections.push(settingsSection(run));
  return sections;
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
