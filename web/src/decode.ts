import type { Packed } from "./payload";

export type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array;

/** Numbers of a payload. Reads bytes in the machine's order, which is little-endian wherever browsers run. */
export function unpack(packed: Packed): Numbers {
  const text = atob(packed.data);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  switch (packed.type) {
    case "u8":
      return bytes;
    case "u16":
      return new Uint16Array(whole(bytes, 2));
    case "u32":
      return new Uint32Array(whole(bytes, 4));
    case "f32":
      return new Float32Array(whole(bytes, 4));
  }
}

const WIDTHS = { u8: 1, u16: 2, u32: 4, f32: 4 };

/** The number of values, without unpacking them. */
export function packedLength({ type, data }: Packed): number {
  const padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
  return ((data.length / 4) * 3 - padding) / WIDTHS[type];
}

function whole(bytes: Uint8Array<ArrayBuffer>, width: number): ArrayBuffer {
  if (bytes.length % width !== 0) throw new Error(`${bytes.length} bytes are not a list of ${width}-byte numbers`);
  return bytes.buffer;
}
