import assert from "node:assert/strict";

/** Fails unless both numbers agree to this many decimals. */
export function assertClose(actual: number | null, expected: number, decimals = 2): void {
  assert.ok(
    actual !== null && Math.abs(actual - expected) < 0.5 * 10 ** -decimals,
    `${actual} is not ${expected} to ${decimals} decimals`,
  );
}
