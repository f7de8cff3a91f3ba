import { chart, legend, shareBounds, tooltip, valueAxis, type Option } from "./charts";
import type { Colours } from "./colours";
import { h, section, tooltipLines } from "./dom";
import { compact, count, counted, metricName, percent } from "./format";
import type { NumberOrNull, Run } from "./payload";
import { isPrinting } from "./theme";

/** Training loss and validation metric by epoch, one above the other. */
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
      "To zoom in, drag the ends of the strip below the chart, or press + and − and the arrow keys while the chart has focus; 0 shows all epochs.",
    ),
  );
}

export function curvesLabel(run: Run): string {
  const { epoch, loss, valid } = run.curve;
  const name = metricName(run.metric);
  const best = run.result === undefined ? "" : `; best epoch ${count(run.result.best_epoch)}`;
  return `Training loss ${range(loss, compact)} and validation ${name} ${range(valid, percent)} over ${counted(epoch.length, "evaluation")}${best}.`;
}

function range(values: NumberOrNull[], format: (value: number) => string): string {
  const known = values.filter((value) => value !== null);
  const [first, last] = [known[0], known[known.length - 1]];
  return first === undefined || last === undefined ? "not recorded" : `from ${format(first)} to ${format(last)}`;
}

function curvesOption(run: Run, tone: Colours): Option {
  const name = metricName(run.metric);
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
        markLine: bestEpochLine(run, tone, false),
      },
      {
        ...curve({ name: `validation ${name}`, epoch, values: valid, axis: 1, colour: tone.accent }),
        markLine: bestEpochLine(run, tone, true),
      },
    ],
  };
}

/** Percent with enough decimals to distinguish the ticks of an axis over these values. */
export function shareFormat(values: NumberOrNull[]): (value: number) => string {
  let [lowest, highest] = [Infinity, -Infinity];
  for (const value of values) {
    if (value === null) continue;
    lowest = Math.min(lowest, value);
    highest = Math.max(highest, value);
  }
  const span = highest - lowest;
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
  values: NumberOrNull[];
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

/** Whether a value has gaps on both sides, so that only a symbol makes it visible. */
export function hasLonePoints(values: NumberOrNull[]): boolean {
  return values.some(
    (value, i) => value !== null && (values[i - 1] ?? null) === null && (values[i + 1] ?? null) === null,
  );
}

function bestEpochLine(run: Run, tone: Colours, named: boolean): Record<string, unknown> | undefined {
  if (run.result === undefined) return undefined;
  const { best_epoch, epochs } = run.result;
  return {
    silent: true,
    symbol: "none",
    lineStyle: { color: tone.text, type: "dashed", width: 1.25 },
    label: {
      show: named,
      color: tone.text,
      formatter: `best epoch ${count(best_epoch)}`,
      position: "end",
      // Keeps the text inside the chart if the line is close to an edge.
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
    `validation ${metricName(run.metric)} ${percent(run.curve.valid[at], 2)}`,
  ]);
}
