import { chart, legend, shareBounds, tooltip, valueAxis, type Option } from "./charts";
import type { Colours } from "./colours";
import { h, section, tooltipLines } from "./dom";
import { compact, count, counted, figureName, percent } from "./format";
import type { Figure, Run } from "./payload";
import { isPrinting } from "./theme";

/** Loss and validation figure over the epochs, one above the other. */
export function curvesSection(run: Run): HTMLElement {
  if (run.curve.epoch.length === 0) {
    return section("curves", "Training", h("p", {}, "No curve was recorded for this run."));
  }
  const drawn = chart({
    kind: "curves",
    zoom: "epochs",
    height: 480,
    label: curvesLabel(run),
    option: (tone) => curvesOption(run, tone),
  });
  return section(
    "curves",
    "Training",
    drawn.element,
    h(
      "p",
      { class: "hint no-print" },
      "To look closer, drag the ends of the strip below the chart, or press + and − and the arrow keys while the chart has focus; 0 shows all epochs.",
    ),
  );
}

export function curvesLabel(run: Run): string {
  const { epoch, loss, valid } = run.curve;
  const name = figureName(run.metric);
  const best = run.result === undefined ? "" : `; epoch ${count(run.result.best_epoch)} was chosen`;
  return `Loss from ${ends(loss, compact)} and validation ${name} from ${ends(valid, percent)} over ${counted(epoch.length, "look", "looks")} at the validation data${best}.`;
}

function ends(values: Figure[], format: (value: number) => string): string {
  const known = values.filter((value) => value !== null);
  const [first, last] = [known[0], known[known.length - 1]];
  return first === undefined || last === undefined ? "nothing known" : `${format(first)} to ${format(last)}`;
}

function curvesOption(run: Run, tone: Colours): Option {
  const name = figureName(run.metric);
  const { epoch, loss, valid } = run.curve;
  const last = Math.max(epoch[epoch.length - 1] ?? 1, 1);
  const epochAxis = (gridIndex: number): Record<string, unknown> => ({
    ...valueAxis(tone, "x", { name: gridIndex === 1 ? "epoch" : undefined, min: 0, max: last }),
    gridIndex,
    axisPointer: { show: true, snap: true, label: { show: false }, lineStyle: { color: tone.muted } },
  });
  return {
    legend: legend(tone),
    grid: [
      { left: 76, right: 24, top: 34, height: 150, outerBoundsMode: "none" },
      { left: 76, right: 24, top: 236, height: 140, outerBoundsMode: "none" },
    ],
    axisPointer: { link: [{ xAxisIndex: "all" }] },
    xAxis: [epochAxis(0), epochAxis(1)],
    yAxis: [
      { ...valueAxis(tone, "y", { name: "loss" }), gridIndex: 0 },
      { ...valueAxis(tone, "y", { name, format: shareFormat(valid) }), ...shareBounds(1), gridIndex: 1 },
    ],
    dataZoom: zooms(tone),
    tooltip: tooltip(tone, { trigger: "axis", formatter: (items: unknown) => curveTooltip(run, items) }),
    series: [
      {
        ...curve({ name: "training loss", epoch, values: loss, axis: 0, colour: tone.second }),
        markLine: chosenEpoch(run, tone, false),
      },
      {
        ...curve({ name: `validation ${name}`, epoch, values: valid, axis: 1, colour: tone.accent }),
        markLine: chosenEpoch(run, tone, true),
      },
    ],
  };
}

/** As many decimals as it takes to tell the ticks of an axis over these values apart. */
export function shareFormat(values: Figure[]): (value: number) => string {
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) {
    if (value === null) continue;
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  const span = most - least;
  const decimals = span > 0.05 || span <= 0 ? 0 : span > 0.005 ? 1 : 2;
  return (value) => percent(value, decimals);
}

function zooms(tone: Colours): Record<string, unknown>[] {
  const shared = { xAxisIndex: [0, 1], filterMode: "none" };
  return [
    { ...shared, type: "inside", id: "wheel", zoomOnMouseWheel: "ctrl" },
    {
      ...shared,
      type: "slider",
      id: "epochs",
      show: !isPrinting(),
      bottom: 6,
      height: 24,
      left: 76,
      right: 24,
      showDetail: false,
      borderColor: tone.line,
      textStyle: { color: tone.muted },
      handleStyle: { borderColor: tone.muted },
      labelFormatter: (value: number) => count(Math.round(value)),
    },
  ];
}

interface CurveSpec {
  name: string;
  epoch: number[];
  values: Figure[];
  axis: number;
  colour: string;
}

function curve(spec: CurveSpec): Record<string, unknown> {
  const many = spec.values.length > 40;
  return {
    name: spec.name,
    type: "line",
    xAxisIndex: spec.axis,
    yAxisIndex: spec.axis,
    data: spec.epoch.map((epoch, position) => [epoch, spec.values[position] ?? null]),
    connectNulls: false,
    showSymbol: !many || hasLonePoints(spec.values),
    symbol: "circle",
    symbolSize: many ? 3 : 5,
    lineStyle: { width: 1.75, color: spec.colour },
    itemStyle: { color: spec.colour },
  };
}

/** A value between two gaps has no line to be seen by. */
export function hasLonePoints(values: Figure[]): boolean {
  return values.some(
    (value, i) => value !== null && (values[i - 1] ?? null) === null && (values[i + 1] ?? null) === null,
  );
}

function chosenEpoch(run: Run, tone: Colours, named: boolean): Record<string, unknown> | undefined {
  if (run.result === undefined) return undefined;
  const { best_epoch, epochs } = run.result;
  return {
    silent: true,
    symbol: "none",
    lineStyle: { color: tone.text, type: "dashed", width: 1.25 },
    label: {
      show: named,
      color: tone.text,
      formatter: `chosen: epoch ${count(best_epoch)}`,
      position: "end",
      // The text stays inside the chart when the line stands near its side.
      align: best_epoch > 0.85 * epochs ? "right" : best_epoch < 0.15 * epochs ? "left" : "center",
    },
    data: [{ xAxis: best_epoch }],
  };
}

function curveTooltip(run: Run, items: unknown): HTMLElement {
  const first = Array.isArray(items) ? (items[0] as { dataIndex: number } | undefined) : undefined;
  const at = first?.dataIndex ?? 0;
  const loss = run.curve.loss[at] ?? null;
  return tooltipLines([
    `epoch ${count(run.curve.epoch[at] ?? 0)}`,
    `loss ${loss === null ? "–" : compact(loss)}`,
    `validation ${figureName(run.metric)} ${percent(run.curve.valid[at], 2)}`,
  ]);
}
