import assert from "node:assert/strict";
import { test } from "node:test";

import "./dom";

import { confusionSection } from "../src/confusion";
import { curvesLabel, hasLonePoints } from "../src/curves";
import { meanWeight } from "../src/fusion";
import { gridTableSection } from "../src/grid_table";
import { histogramBars } from "../src/histogram";
import { guarded } from "../src/page";
import type { Grid, GridRun, Run } from "../src/payload";
import { readPayload } from "../src/read_payload";
import { runPanels } from "../src/run_panel";
import { resultSection } from "../src/run_result";
import { sampleGrid } from "./grid_sample";
import { HOSTILE_ID, sampleNodeRun } from "./samples";

function run(change: Partial<Run> = {}): Run {
  const found = sampleNodeRun("karate", { nodes: 40, edges: 90, anchors: 4, classes: 3 }).run;
  if (found === undefined) throw new Error("the sample has a run");
  return { ...found, ...change };
}

test("the headline is the main test metric with its confidence interval", () => {
  const element = resultSection(run());
  assert.equal(element.querySelector('[data-value="test"]')?.textContent, "85.7 %");
  assert.equal(
    element.querySelector('[data-value="interval"]')?.textContent,
    "83.2 % to 87.9 %: 95 % confidence interval over 1,234 test nodes",
  );
  assert.equal(element.querySelector('[data-test-metric="loss"]')?.textContent, "–");
});

test("a run without a result and an interrupted run are marked as such", () => {
  assert.match(resultSection(run({ result: undefined })).textContent ?? "", /has no result/);
  const result = run().result;
  assert.match(
    resultSection(run({ result: result && { ...result, interrupted: true } })).textContent ?? "",
    /interrupted after 400 epochs/,
  );
});

test("the summary of the curves gives their first and last values without the gaps", () => {
  const curve = { epoch: [1, 2, 3], loss: [null, 2, 0.5], valid: [0.1, null, null] };
  assert.equal(
    curvesLabel(run({ curve })),
    "Training loss from 2 to 0.500 and validation accuracy from 10.0 % to 10.0 % over 3 evaluations; best epoch 285.",
  );
});

test("a value between gaps needs a point to be seen", () => {
  assert.equal(hasLonePoints([1, null, 2, null]), true);
  assert.equal(hasLonePoints([1, 2, null, 3, 4]), false);
});

test("cells of the confusion matrix are shaded by the share of their row", () => {
  const element = confusionSection({
    names: ["a", HOSTILE_ID],
    matrix: [
      [3, 1],
      [0, 0],
    ],
  });
  const [first, second] = element.querySelectorAll<HTMLElement>("tbody td");
  assert.equal(first?.style.getPropertyValue("--share"), "45.0%");
  assert.equal(second?.title, `a predicted as ${HOSTILE_ID}: 1, 25.0 % of the row`);
  assert.equal(element.querySelector("script"), null);
});

test("bars of a histogram are shares, also where nothing was counted", () => {
  assert.deepEqual(histogramBars([1, 3]), [
    [0, 0.5, 0.25, 1],
    [0.5, 1, 0.75, 3],
  ]);
  assert.deepEqual(
    histogramBars([0, 0]).map(([, , share]) => share),
    [0, 0],
  );
});

test("the mean weight places nodes at the centres of their bins", () => {
  assert.equal(meanWeight([1, 0, 0, 1]), 0.5);
  assert.equal(meanWeight([0, 0]), null);
});

test("the table of a grid marks the best mean and compares it with the paper", () => {
  const grid = sampleGrid();
  const opened: string[] = [];
  const element = gridTableSection(grid, (column, model) => opened.push(`${model} ${column.dataset}`));
  assert.equal(element.querySelectorAll(".cell.best").length, grid.columns.length);
  assert.equal(element.querySelector('[data-cell="gin|pubmed|nc"]')?.textContent, "–");
  assert.match(element.querySelector(".cell-paper.above")?.textContent ?? "", /^↑, above the paper: /);
  element.querySelector<HTMLButtonElement>('[data-cell="gat|cora|nc"] button')?.click();
  assert.deepEqual(opened, ["gat cora"]);
});

test("a grid of validation metrics says so and shows no test metric", () => {
  const sample = sampleGrid();
  const runs = sample.runs.map(({ test, ec, ...run }) => run);
  const grid: Grid = { ...sample, set: "validation", runs };
  const panels = runPanels(grid);
  const [column] = grid.columns;
  assert.ok(column !== undefined);
  panels.openRuns(column, "gat");
  panels.openRun(runs[0] as GridRun);
  const shown = gridTableSection(grid, panels.openRuns).textContent + (panels.element.textContent ?? "");
  assert.match(shown, /of validation metrics in percent/);
  assert.match(shown, /Validation accuracy/);
  assert.doesNotMatch(shown, /test/i);
});

test("data that cannot be read gives one sentence", () => {
  assert.match(String(readPayload("{")), /missing or damaged/);
  assert.match(String(readPayload("[1]")), /not that of a gir report/);
  assert.match(String(readPayload('{"format": 2}')), /format 2/);
  assert.deepEqual(readPayload('{"format": 1, "title": "x"}'), { format: 1, title: "x" });
});

test("a section that fails leaves a sentence in its place", (context) => {
  context.mock.method(console, "error", () => undefined);
  const made = guarded("Test pairs", () => {
    throw new Error("no numbers");
  });
  assert.equal(made.textContent, "Test pairsThis part cannot be shown: no numbers.");
});
