import assert from "node:assert/strict";
import { test } from "node:test";

import * as format from "../src/format";

test("a missing value is a dash everywhere", () => {
  assert.deepEqual(
    [
      format.percent(null),
      format.percent(undefined),
      format.fixed(null),
      format.meanSd(null, 1),
      format.pValue(null),
      format.signed(null),
      format.seconds(null),
      format.points(null),
    ],
    new Array(8).fill("–"),
  );
});

test("shares become percent with one decimal", () => {
  assert.deepEqual(
    [format.percent(0.857), format.percent(1), format.percent(0.90625, 2)],
    ["85.7 %", "100.0 %", "90.63 %"],
  );
});

test("a mean without a standard deviation is shown alone", () => {
  assert.deepEqual([format.meanSd(85.74, 0.36), format.meanSd(85.74, null)], ["85.7 ± 0.4", "85.7"]);
});

test("signs are shown, but not on what rounds to zero", () => {
  assert.deepEqual(
    [format.signed(1.234), format.signed(-1.234), format.signed(0.001), format.signed(-0.001)],
    ["+1.23", "−1.23", "0.00", "0.00"],
  );
});

test("small p values are bounded", () => {
  assert.deepEqual([format.pValue(0.00004), format.pValue(0.0314)], ["< 0.001", "0.031"]);
});

test("counts have separators and their noun agrees", () => {
  assert.deepEqual(
    [format.counted(1, "node"), format.counted(1234, "node"), format.counted(0, "query", "queries")],
    ["1 node", "1,234 nodes", "0 queries"],
  );
});

test("keys of metrics become readable names", () => {
  assert.deepEqual(
    ["roc_auc", "hits@10", "ec_1", "something_else"].map((key) => format.metricName(key)),
    ["ROC AUC", "hits@10", "EC 1", "something else"],
  );
});

test("numbers of any size stay short", () => {
  assert.deepEqual(
    [
      format.compact(3),
      format.compact(0.12345),
      format.compact(12.345),
      format.compact(0.0000123),
      format.compact(NaN),
    ],
    ["3", "0.123", "12.35", "1.23e−5", "–"],
  );
});
