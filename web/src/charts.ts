import { BarChart, CustomChart, LineChart, LinesChart, ScatterChart } from "echarts/charts";
import {
  DataZoomComponent,
  GridComponent,
  LegendComponent,
  MarkLineComponent,
  TooltipComponent,
} from "echarts/components";
import * as echarts from "echarts/core";
import type { EChartsCoreOption, ECharts } from "echarts/core";
import { CanvasRenderer } from "echarts/renderers";

import { listenToKeys, middle, span, WHOLE, windowAround, windowsOf } from "./axis_window";
import type { Colours } from "./colours";
import { h } from "./dom";
import { colours, isPrinting, onThemeChange } from "./theme";

echarts.use([
  BarChart,
  CustomChart,
  LineChart,
  LinesChart,
  ScatterChart,
  DataZoomComponent,
  GridComponent,
  LegendComponent,
  MarkLineComponent,
  TooltipComponent,
  CanvasRenderer,
]);

export type Option = EChartsCoreOption;

/** Width of an A4 page without its margins, in CSS pixels. */
const PAPER_WIDTH = 680;

export interface ChartSpec {
  /** For `data-chart`. */
  kind: string;
  /** One sentence with numbers that says what the chart shows. */
  label: string;
  /** CSS pixels. */
  height: number;
  option: (colours: Colours) => Option;
  /** The id of the zoom that keys control while the chart has focus. */
  zoom?: string;
  /** Called with `dataIndex` and `seriesId` of what was clicked. */
  onClick?: (target: { seriesId: string; dataIndex: number }) => void;
}

export interface Chart {
  element: HTMLElement;
  /** Draws the chart, which must be in the page; does nothing the second time. */
  draw: () => void;
  /** Shows something else in the same place. */
  update: (change: Pick<ChartSpec, "label" | "option">) => void;
}

const charts: Chart[] = [];

/** A chart that is drawn by `drawCharts` and again whenever the theme changes. */
export function chart(spec: ChartSpec): Chart {
  const reached = spec.zoom === undefined ? { role: "img" } : { role: "application", tabindex: 0 };
  const element = h("div", { class: "chart", "data-chart": spec.kind, "aria-label": spec.label, ...reached });
  element.style.height = `${spec.height}px`;
  let option = spec.option;
  let instance: ECharts | undefined;
  const show = (): void => instance?.setOption(withDefaults(option(colours()), colours()), { notMerge: true });
  const draw = (): void => {
    if (instance !== undefined) return;
    instance = startChart(element);
    if (spec.onClick !== undefined) listenToClicks(instance, spec.onClick);
    if (spec.zoom !== undefined) zoomByKeys(instance, element, spec.zoom);
    show();
    followTheme(instance, element, show);
  };
  const update: Chart["update"] = (change) => {
    option = change.option;
    element.setAttribute("aria-label", change.label);
    show();
  };
  const made = { element, draw, update };
  charts.push(made);
  return made;
}

export function drawCharts(): void {
  for (const one of charts) if (one.element.isConnected) one.draw();
}

export function startChart(element: HTMLElement): ECharts {
  return echarts.init(element, null, { renderer: "canvas" });
}

function listenToClicks(instance: ECharts, onClick: NonNullable<ChartSpec["onClick"]>): void {
  instance.on("click", (event) => {
    if (event.seriesId !== undefined) onClick({ seriesId: event.seriesId, dataIndex: event.dataIndex });
  });
}

function zoomByKeys(instance: ECharts, element: HTMLElement, dataZoomId: string): void {
  let shown = WHOLE;
  instance.on("datazoom", (event) => {
    shown = windowsOf(event).get(dataZoomId) ?? shown;
  });
  const show = (centre: number, wanted: number): void => {
    instance.dispatchAction({ type: "dataZoom", dataZoomId, ...windowAround(centre, wanted) });
  };
  listenToKeys(element, {
    zoom: (factor) => show(middle(shown), span(shown) / factor),
    move: (right) => show(middle(shown) + right * span(shown), span(shown)),
    fit: () => show(50, 100),
  });
}

/** Redraws on new colours and fits the chart to its box, on screen and on paper. */
export function followTheme(instance: ECharts, element: HTMLElement, redraw: () => void): void {
  onThemeChange(() => {
    const narrow = isPrinting() && element.clientWidth > PAPER_WIDTH;
    instance.resize(narrow ? { width: PAPER_WIDTH } : {});
    redraw();
    // A printer does not wait for the next frame.
    if (isPrinting()) instance.getZr().flush();
  });
  new ResizeObserver(() => {
    if (!isPrinting() && element.clientWidth !== instance.getWidth()) {
      instance.resize();
      redraw();
    }
  }).observe(element);
}

function withDefaults(option: Option, tone: Colours): Option {
  return {
    animation: false,
    backgroundColor: "transparent",
    textStyle: { fontFamily: FONT, fontSize: 12, color: tone.text },
    ...option,
  };
}

export const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif";

interface AxisSpec {
  name?: string;
  min?: number | "dataMin";
  max?: number | "dataMax";
  format?: (value: number) => string;
}

/** A value axis in the page's tones, its name centred beside the tick labels. */
export function valueAxis(tone: Colours, place: "x" | "y", spec: AxisSpec = {}): Record<string, unknown> {
  return {
    type: "value",
    name: spec.name,
    nameLocation: "middle",
    nameGap: place === "x" ? 28 : 46,
    nameTextStyle: { color: tone.muted, fontSize: 12 },
    min: spec.min,
    max: spec.max,
    scale: true,
    axisLine: { show: place === "x", onZero: false, lineStyle: { color: tone.muted } },
    axisTick: { show: false },
    axisLabel: { color: tone.muted, fontSize: 12, hideOverlap: true, formatter: spec.format },
    splitLine: { lineStyle: { color: tone.line, opacity: 0.7 } },
  };
}

/** A tooltip whose content is an element; the page's own colours apply. */
export function tooltip(tone: Colours, extra: Record<string, unknown>): Record<string, unknown> {
  return {
    backgroundColor: tone.surface,
    borderColor: tone.line,
    textStyle: { color: tone.text, fontSize: 13 },
    confine: true,
    transitionDuration: 0,
    ...extra,
  };
}

export function legend(tone: Colours): Record<string, unknown> {
  return { top: 0, left: 0, textStyle: { color: tone.text, fontSize: 12 }, itemWidth: 18, itemHeight: 10 };
}

/** Bounds of an axis of shares: it ends at `whole`, and has a length even if all values are equal. */
export function shareBounds(
  whole: number,
): Record<"min" | "max", (range: { min: number; max: number }) => number | null> {
  return {
    min: ({ min, max }) => (min === max ? Math.max(0, min - 0.1 * whole) : null),
    max: ({ min, max }) => {
      if (max > 0.97 * whole) return whole;
      return min === max ? max + 0.1 * whole : null;
    },
  };
}
