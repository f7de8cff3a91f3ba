import assert from "node:assert/strict";
import { test } from "node:test";

import { differenceText } from "../src/differences";
import { bestMean, findDifference, jitter, pairedRuns, runsOf, shownMetric } from "../src/grid_data";
import type { Grid, GridRun } from "../src/payload";
import { assertClose } from "./close";
import { sampleGrid } from "./grid_sample";

const grid = sampleGrid();
const [column] = grid.columns as [Grid["columns"][number]];

test("a difference that is there the other way round has its signs turned", () => {
  const straight = findDifference(grid, column, "gcn", "gat");
  const turned = findDifference(grid, column, "gat", "gcn");
  assert.ok((straight?.mean ?? NaN) < 0);
  assert.deepEqual(turned, {
    ...straight,
    first: "gat",
    second: "gcn",
    mean: -(straight?.mean ?? 0),
    t: -(straight?.t ?? 0),
  });
});

test("missing values of a turned difference stay missing and zero stays without a sign", () => {
  const empty = {
    dataset: "d",
    task: "nc",
    first: "a",
    second: "b",
    runs: 1,
    mean: 0,
    sd: null,
    t: null,
    p: null,
    p_holm: null,
    tests: 1,
  };
  const small = { ...grid, differences: [empty] };
  const turned = findDifference(small, { dataset: "d", task: "nc", metric: "accuracy" }, "b", "a");
  assert.deepEqual(turned, { ...empty, first: "b", second: "a" });
});

test("paired runs have one seed and split, and agree with the mean in the payload", () => {
  const pairs = pairedRuns(grid, column, "gat", "gcn");
  assert.equal(pairs.length, 20);
  const mean = pairs.reduce((sum, pair) => sum + pair.difference, 0) / pairs.length;
  assertClose(mean, findDifference(grid, column, "gat", "gcn")?.mean ?? NaN, 9);
});

test("runs without a partner or a metric are not paired", () => {
  const runs = grid.runs.filter(
    (run) => run.dataset === "cora" && (run.model === "gcn" || run.model === "gat") && run.seed < 3,
  );
  const changed = runs
    .filter((run) => !(run.model === "gcn" && run.seed === 0))
    .map((run) => (run.seed === 1 && run.model === "gat" ? { ...run, test: null } : run));
  assert.deepEqual(
    pairedRuns({ ...grid, runs: changed }, column, "gat", "gcn").map(({ seed }) => seed),
    [2],
  );
});

test("a grid of validation metrics shows these and needs no test metrics", () => {
  const runs = grid.runs.map(({ test, ec, ...run }) => ({ ...run, valid: (run.model === "gat" ? 2 : 1) * 30 }));
  const validation: Grid = { ...grid, set: "validation", runs };
  assert.ok(pairedRuns(validation, column, "gat", "gcn").every(({ difference }) => difference === 30));
  assert.equal(shownMetric(validation, validation.runs[0] as GridRun), 30);
});

test("runs of a cell come in order of their seeds", () => {
  const turned = { ...grid, runs: [...grid.runs].reverse() };
  assert.deepEqual(
    runsOf(turned, column, "gcn").map(({ seed }) => seed),
    Array.from({ length: 20 }, (_, i) => i),
  );
});

test("the best mean ignores missing values", () => {
  const cells = [1, null, 3].map((mean, i) => ({
    dataset: "cora",
    task: "nc",
    model: `m${i}`,
    mean,
    sd: null,
    runs: 1,
  }));
  assert.equal(bestMean({ ...grid, cells }, column), 3);
  assert.equal(bestMean({ ...grid, cells: [] }, column), undefined);
});

test("jitter is the same each time and stays within half a row", () => {
  const values = Array.from({ length: 200 }, (_, i) => jitter(i));
  assert.deepEqual(
    values,
    Array.from({ length: 200 }, (_, i) => jitter(i)),
  );
  assert.ok(Math.min(...values) >= -0.5);
  assert.ok(Math.max(...values) < 0.5);
  assert.equal(new Set(values).size, 200);
});

test("the text of a difference says when there is nothing to compare", () => {
  assert.equal(differenceText(grid, { column, first: "gcn", second: "gcn" }), "Choose two different models.");
  assert.match(
    differenceText({ ...grid, differences: [] }, { column, first: "gcn", second: "gat" }),
    /no runs of the same seed/,
  );
  assert.match(
    differenceText(grid, { column, first: "gat", second: "gcn" }),
    /mean \+\d+\.\d\d ± \d+\.\d\d points over 20 pairs of runs, t = \d+\.\d\d, p .*, after Holm's correction for 66 pairs/,
  );
});
