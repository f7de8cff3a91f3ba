import { expect, test, vi } from "vitest";

import { confusionSection } from "../src/confusion";
import { curvesLabel, hasLonePoints } from "../src/curves";
import { meanWeight } from "../src/fusion";
import { gridTableSection } from "../src/grid_table";
import { histogramBars } from "../src/histogram";
import { guarded } from "../src/page";
import type { Run } from "../src/payload";
import { readPayload } from "../src/read_payload";
import { figureSection } from "../src/run_figure";
import { sampleGrid } from "./grid_sample";
import { HOSTILE_ID, sampleNodeRun } from "./samples";

function run(change: Partial<Run> = {}): Run {
  const found = sampleNodeRun("karate", { nodes: 40, edges: 90, anchors: 4, classes: 3 }).run;
  if (found === undefined) throw new Error("the sample has a run");
  return { ...found, ...change };
}

test("the big figure is the test value with its interval", () => {
  const element = figureSection(run());
  expect(element.querySelector('[data-figure="test"]')?.textContent).toBe("85.7 %");
  expect(element.querySelector('[data-figure="interval"]')?.textContent).toBe(
    "83.2 % to 87.9 %: 95 % interval over 1,234 test nodes",
  );
  expect(element.querySelector('[data-test-figure="loss"]')?.textContent).toBe("–");
});

test("a run without a result and an interrupted one are said in words", () => {
  expect(figureSection(run({ result: undefined })).textContent).toContain("has no result");
  const result = run().result;
  expect(figureSection(run({ result: result && { ...result, interrupted: true } })).textContent).toContain(
    "interrupted after 400 epochs",
  );
});

test("the summary of the curves tells their ends without the gaps", () => {
  const curve = { epoch: [1, 2, 3], loss: [null, 2, 0.5], valid: [0.1, null, null] };
  expect(curvesLabel(run({ curve }))).toBe(
    "Loss from 2 to 0.500 and validation accuracy from 10.0 % to 10.0 % over 3 looks at the validation data; epoch 285 was chosen.",
  );
});

test("a value between gaps needs a point to be seen", () => {
  expect(hasLonePoints([1, null, 2, null])).toBe(true);
  expect(hasLonePoints([1, 2, null, 3, 4])).toBe(false);
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
  expect(first?.style.getPropertyValue("--share")).toBe("45.0%");
  expect(second?.title).toBe(`a taken for ${HOSTILE_ID}: 1, 25.0 % of the row`);
  expect(element.querySelector("script")).toBeNull();
});

test("bars of a histogram are shares, also where nothing was counted", () => {
  expect(histogramBars([1, 3])).toEqual([
    [0, 0.5, 0.25, 1],
    [0.5, 1, 0.75, 3],
  ]);
  expect(histogramBars([0, 0]).map(([, , share]) => share)).toEqual([0, 0]);
});

test("the mean weight takes nodes to lie in the middle of their bins", () => {
  expect(meanWeight([1, 0, 0, 1])).toBe(0.5);
  expect(meanWeight([0, 0])).toBeNull();
});

test("the grid's table marks the best and tells how we stand to the paper", () => {
  const grid = sampleGrid();
  const opened: string[] = [];
  const element = gridTableSection(grid, (column, model) => opened.push(`${model} ${column.dataset}`));
  expect(element.querySelectorAll(".cell.best")).toHaveLength(grid.columns.length);
  expect(element.querySelector('[data-cell="gin|pubmed|nc"]')?.textContent).toBe("–");
  expect(element.querySelector(".cell-paper.above")?.textContent).toMatch(/^↑, above the paper: /);
  element.querySelector<HTMLButtonElement>('[data-cell="gat|cora|nc"] button')?.click();
  expect(opened).toEqual(["gat cora"]);
});

test("data that cannot be read gives one sentence", () => {
  expect(readPayload("{")).toMatch(/missing or damaged/);
  expect(readPayload("[1]")).toMatch(/not that of a gir report/);
  expect(readPayload('{"format": 2}')).toMatch(/format 2/);
  expect(readPayload('{"format": 1, "title": "x"}')).toEqual({ format: 1, title: "x" });
});

test("a section that fails leaves a sentence in its place", () => {
  const silenced = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const made = guarded("Test pairs", () => {
    throw new Error("no numbers");
  });
  expect(made.textContent).toBe("Test pairsThis part cannot be shown: no numbers.");
  silenced.mockRestore();
});
