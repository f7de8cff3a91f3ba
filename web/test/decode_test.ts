import { expect, test } from "vitest";

import { packedLength, unpack } from "../src/decode";
import { pack } from "./samples";

test("bytes come back as they were", () => {
  expect([...unpack(pack(new Uint8Array([0, 1, 254, 255])))]).toEqual([0, 1, 254, 255]);
});

test("numbers of two bytes are little-endian", () => {
  expect([...unpack({ type: "u16", data: btoa("\x01\x02\xff\xff") })]).toEqual([0x0201, 65535]);
});

test("numbers of four bytes keep their highest bit", () => {
  expect([...unpack(pack(new Uint32Array([7, 4294967295])))]).toEqual([7, 4294967295]);
});

test("floats keep NaN, infinity and the sign", () => {
  expect([...unpack(pack(new Float32Array([1.5, NaN, -Infinity, -0.25])))]).toEqual([1.5, NaN, -Infinity, -0.25]);
});

test("no data gives an empty list", () => {
  expect(unpack({ type: "f32", data: "" })).toHaveLength(0);
});

test("the length is known before unpacking", () => {
  for (const values of [
    new Uint8Array(4),
    new Uint8Array(5),
    new Uint16Array(3),
    new Uint32Array(7),
    new Float32Array(0),
  ]) {
    expect(packedLength(pack(values))).toBe(values.length);
  }
});

test("data that is cut off is an error", () => {
  expect(() => unpack({ type: "u32", data: btoa("abc") })).toThrow("3 bytes");
});
