import { expect, test } from "vitest";

import { differenceText } from "../src/differences";
import { bestMean, findDifference, jitter, pairedRuns, runsOf } from "../src/grid_data";
import type { Grid } from "../src/payload";
import { sampleGrid } from "./grid_sample";

const grid = sampleGrid();
const [column] = grid.columns as [Grid["columns"][number]];

test("a difference that is there the other way round has its signs turned", () => {
  const straight = findDifference(grid, column, "gcn", "gat");
  const turned = findDifference(grid, column, "gat", "gcn");
  expect(straight?.mean).toBeLessThan(0);
  expect(turned).toEqual({
    ...straight,
    first: "gat",
    second: "gcn",
    mean: -(straight?.mean ?? 0),
    t: -(straight?.t ?? 0),
  });
});

test("turned figures that are missing stay missing and zero stays without a sign", () => {
  const empty = { dataset: "d", task: "nc", first: "a", second: "b", runs: 1, mean: 0, sd: null, t: null, p: null };
  const small = { ...grid, differences: [empty] };
  const turned = findDifference(small, { dataset: "d", task: "nc", metric: "accuracy" }, "b", "a");
  expect(turned).toMatchObject({ mean: 0, t: null, sd: null, p: null });
});

test("paired runs have one seed and split, and agree with the mean in the payload", () => {
  const pairs = pairedRuns(grid, column, "gat", "gcn");
  expect(pairs).toHaveLength(20);
  const mean = pairs.reduce((sum, pair) => sum + pair.difference, 0) / pairs.length;
  expect(mean).toBeCloseTo(findDifference(grid, column, "gat", "gcn")?.mean ?? NaN, 9);
});

test("runs without a partner or a figure are not paired", () => {
  const runs = grid.runs.filter(
    (run) => run.dataset === "cora" && (run.model === "gcn" || run.model === "gat") && run.seed < 3,
  );
  const changed = runs
    .filter((run) => !(run.model === "gcn" && run.seed === 0))
    .map((run) => (run.seed === 1 && run.model === "gat" ? { ...run, test: null } : run));
  expect(pairedRuns({ ...grid, runs: changed }, column, "gat", "gcn").map(({ seed }) => seed)).toEqual([2]);
});

test("runs of a cell come in order of their seeds", () => {
  const turned = { ...grid, runs: [...grid.runs].reverse() };
  expect(runsOf(turned, column, "gcn").map(({ seed }) => seed)).toEqual(Array.from({ length: 20 }, (_, i) => i));
});

test("the best mean leaves out missing figures", () => {
  const cells = [1, null, 3].map((mean, i) => ({
    dataset: "cora",
    task: "nc",
    model: `m${i}`,
    mean,
    sd: null,
    runs: 1,
  }));
  expect(bestMean({ ...grid, cells }, column)).toBe(3);
  expect(bestMean({ ...grid, cells: [] }, column)).toBeUndefined();
});

test("jitter is the same each time and stays within half a row", () => {
  const values = Array.from({ length: 200 }, (_, i) => jitter(i));
  expect(values).toEqual(Array.from({ length: 200 }, (_, i) => jitter(i)));
  expect(Math.min(...values)).toBeGreaterThanOrEqual(-0.5);
  expect(Math.max(...values)).toBeLessThan(0.5);
  expect(new Set(values).size).toBe(200);
});

test("the text of a difference says when there is nothing to compare", () => {
  expect(differenceText(grid, { column, first: "gcn", second: "gcn" })).toBe("Choose two different models.");
  expect(differenceText({ ...grid, differences: [] }, { column, first: "gcn", second: "gat" })).toContain(
    "no runs of the same seed",
  );
  expect(differenceText(grid, { column, first: "gat", second: "gcn" })).toMatch(
    /mean \+\d+\.\d\d ± \d+\.\d\d points over 20 pairs of runs, t = \d+\.\d\d, p/,
  );
});
