import type { Payload } from "./payload";

/** The payload, or one sentence that says why there is none. */
export function readPayload(text: string): Payload | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "This report cannot be shown: its data is missing or damaged. Write it again with gir report.";
  }
  if (typeof value !== "object" || value === null || !("format" in value)) {
    return "This report cannot be shown: its data is not that of a gir report.";
  }
  if (value.format !== 1) {
    return `This report cannot be shown: its data has format ${String(value.format)}, and this page reads format 1.`;
  }
  return value as Payload;
}
