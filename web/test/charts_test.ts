import { expect, test } from "vitest";

import { shareBounds } from "../src/charts";
import { shareFormat } from "../src/curves";
import { figureName } from "../src/format";

test("an axis of shares ends at the whole where values come near it", () => {
  const { max } = shareBounds(100);
  expect(max({ min: 40, max: 98 })).toBe(100);
  expect(max({ min: 40, max: 90 })).toBeNull();
});

test("an axis of equal shares has some length and stays within 0 and the whole", () => {
  const { min, max } = shareBounds(1);
  expect(max({ min: 1, max: 1 })).toBe(1);
  expect(min({ min: 1, max: 1 })).toBeCloseTo(0.9);
  expect(min({ min: 0.05, max: 0.05 })).toBe(0);
  expect(max({ min: 0.05, max: 0.05 })).toBeCloseTo(0.15);
  expect(min({ min: 0.2, max: 0.3 })).toBeNull();
});

test("ticks close together are told apart by decimals", () => {
  expect(shareFormat([0.5, null, 0.9])(0.8251)).toBe("83 %");
  expect(shareFormat([0.82, 0.84])(0.8251)).toBe("82.5 %");
  expect(shareFormat([0.8251, 0.8262])(0.8251)).toBe("82.51 %");
  expect(shareFormat([])(0.8251)).toBe("83 %");
});

test("figures of experts have the experts' names", () => {
  expect(figureName("ec_2", ["gcn-3", "gir-5"])).toBe("EC, gir-5");
  expect(figureName("accuracy_1", ["gcn-3", "gir-5"])).toBe("accuracy, gcn-3");
  expect(figureName("macro_f1", ["gcn-3"])).toBe("macro F1");
});
