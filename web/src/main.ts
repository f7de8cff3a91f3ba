import "./style.css";
import "./style_controls.css";
import "./style_tables.css";
import "./style_map.css";
import "./style_print.css";

import { drawCharts } from "./charts";
import { h } from "./dom";
import { page } from "./page";
import type { Payload } from "./payload";
import { readPayload } from "./read_payload";
import { startTheme } from "./theme";

declare global {
  interface Window {
    girReport: GirReport;
  }
}

/** For tests: times of the first paint and of the complete map, in milliseconds since the page was opened. */
interface GirReport {
  ready: Promise<void>;
  firstPaintMs: number;
  mapReadyMs?: number;
}

/** Resolves after the next paint, or after a second if the page is in the background and is not painted. */
function painted(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve, 0));
    setTimeout(resolve, 1000);
  });
}

async function show(report: GirReport): Promise<void> {
  const root = document.getElementById("gir-report");
  const payload = readPayload(document.getElementById("gir-payload")?.textContent ?? "");
  startTheme();
  if (typeof payload === "string") {
    root?.append(h("main", {}, h("p", { class: "warning", role: "alert" }, payload)));
    return;
  }
  document.title = payload.title;
  try {
    await showPage(payload, root, report);
  } catch (error) {
    console.error(error);
    const reason = error instanceof Error ? error.message : String(error);
    root?.prepend(h("p", { class: "warning", role: "alert" }, `A part of this report could not be shown: ${reason}.`));
  }
}

async function showPage(payload: Payload, root: HTMLElement | null, report: GirReport): Promise<void> {
  const { element, later } = page(payload);
  root?.append(element);
  drawCharts();
  await painted();
  report.firstPaintMs = performance.now();
  for (const draw of later) {
    await draw();
    report.mapReadyMs = performance.now();
  }
}

const report: GirReport = { ready: Promise.resolve(), firstPaintMs: 0 };
report.ready = show(report);
window.girReport = report;
