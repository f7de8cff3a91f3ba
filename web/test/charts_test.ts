import assert from "node:assert/strict";
import { test } from "node:test";

import { shareBounds } from "../src/charts";
import { shareFormat } from "../src/curves";
import { metricName } from "../src/format";
import { assertClose } from "./close";

test("an axis of shares ends at the whole where values come near it", () => {
  const { max } = shareBounds(100);
  assert.equal(max({ min: 40, max: 98 }), 100);
  assert.equal(max({ min: 40, max: 90 }), null);
});

test("an axis of equal shares has some length and stays within 0 and the whole", () => {
  const { min, max } = shareBounds(1);
  assert.equal(max({ min: 1, max: 1 }), 1);
  assertClose(min({ min: 1, max: 1 }), 0.9);
  assert.equal(min({ min: 0.05, max: 0.05 }), 0);
  assertClose(max({ min: 0.05, max: 0.05 }), 0.15);
  assert.equal(min({ min: 0.2, max: 0.3 }), null);
});

test("ticks close together get enough decimals to differ", () => {
  assert.equal(shareFormat([0.5, null, 0.9])(0.8251), "83 %");
  assert.equal(shareFormat([0.82, 0.84])(0.8251), "82.5 %");
  assert.equal(shareFormat([0.8251, 0.8262])(0.8251), "82.51 %");
  assert.equal(shareFormat([])(0.8251), "83 %");
});

test("metrics of experts have the experts' names", () => {
  assert.equal(metricName("ec_2", ["gcn-3", "gir-5"]), "EC, gir-5");
  assert.equal(metricName("accuracy_1", ["gcn-3", "gir-5"]), "accuracy, gcn-3");
  assert.equal(metricName("macro_f1", ["gcn-3"]), "macro F1");
});
