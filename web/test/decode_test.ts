import assert from "node:assert/strict";
import { test } from "node:test";

import { packedLength, unpack } from "../src/decode";
import { pack } from "./samples";

test("bytes come back as they were", () => {
  assert.deepEqual([...unpack(pack(new Uint8Array([0, 1, 254, 255])))], [0, 1, 254, 255]);
});

test("numbers of two bytes are little-endian", () => {
  assert.deepEqual([...unpack({ type: "u16", data: btoa("\x01\x02\xff\xff") })], [0x0201, 65535]);
});

test("numbers of four bytes keep their highest bit", () => {
  assert.deepEqual([...unpack(pack(new Uint32Array([7, 4294967295])))], [7, 4294967295]);
});

test("floats keep NaN, infinity and the sign", () => {
  assert.deepEqual([...unpack(pack(new Float32Array([1.5, NaN, -Infinity, -0.25])))], [1.5, NaN, -Infinity, -0.25]);
});

test("no data gives an empty list", () => {
  assert.equal(unpack({ type: "f32", data: "" }).length, 0);
});

test("the length is known before unpacking", () => {
  for (const values of [
    new Uint8Array(4),
    new Uint8Array(5),
    new Uint16Array(3),
    new Uint32Array(7),
    new Float32Array(0),
  ]) {
    assert.equal(packedLength(pack(values)), values.length);
  }
});

test("data that is cut off is an error", () => {
  assert.throws(() => unpack({ type: "u32", data: btoa("abc") }), /3 bytes/);
});
