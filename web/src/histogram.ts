import { tooltipLines } from "./dom";
import { count, fixed, percent } from "./format";

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Bars of a histogram over [0, 1] as [left, right, share of all, count]. */
export function histogramBars(counts: readonly number[]): [number, number, number, number][] {
  const total = sum(counts);
  return counts.map((value, bin) => [
    bin / counts.length,
    (bin + 1) / counts.length,
    total === 0 ? 0 : value / total,
    value,
  ]);
}

export interface HistogramSpec {
  name: string;
  counts: readonly number[];
  colour: string;
  /** What is counted: "pairs", "nodes". */
  what: string;
}

interface RenderApi {
  value: (dimension: number) => number;
  coord: (point: [number, number]) => [number, number];
}

/** A translucent histogram, so that two can overlap. Bars span their bins, which bar charts cannot do. */
export function histogramSeries(spec: HistogramSpec): Record<string, unknown> {
  return {
    name: spec.name,
    type: "custom",
    clip: true,
    dimensions: ["from", "to", "share", "count"],
    encode: { x: [0, 1], y: 2 },
    data: histogramBars(spec.counts),
    itemStyle: { color: spec.colour },
    renderItem: (_: unknown, api: RenderApi) => {
      const [left, top] = api.coord([api.value(0), api.value(2)]);
      const [right, bottom] = api.coord([api.value(1), 0]);
      return {
        type: "rect",
        shape: { x: left + 0.5, y: top, width: Math.max(1, right - left - 1), height: bottom - top },
        style: { fill: spec.colour, fillOpacity: 0.5, stroke: spec.colour, lineWidth: 1 },
      };
    },
    tooltip: {
      formatter: ({ value }: { value: [number, number, number, number] }) =>
        tooltipLines([
          spec.name,
          `from ${fixed(value[0], 2)} to ${fixed(value[1], 2)}`,
          `${count(value[3])} ${spec.what}, ${percent(value[2])}`,
        ]),
    },
  };
}
