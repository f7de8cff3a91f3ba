import type { ECharts } from "echarts/core";

import { LEAST_SPAN, middle, span, WHOLE, windowAround, windowsOf, type AxisWindow } from "./axis_window";
import { EXTENT } from "./map_data";

/** Axis ends that show the whole square of coordinates with a margin, at the same scale in x and y. */
export function axisEnds(width: number, height: number): { x: [number, number]; y: [number, number] } {
  const margin = 0.04 * EXTENT;
  const side = EXTENT + 2 * margin;
  const [x, y] = width > height ? [side * (width / height), side] : [side, side * (height / Math.max(1, width))];
  const around = (length: number): [number, number] => [EXTENT / 2 - length / 2, EXTENT / 2 + length / 2];
  return { x: around(x), y: around(y) };
}

/** The visible part of the map. Wheel and drag are handled by ECharts itself. */
export interface MapView {
  option: () => Record<string, unknown>;
  zoom: (factor: number) => void;
  /** By shares of what is visible. */
  move: (right: number, up: number) => void;
  fit: () => void;
  centre: (x: number, y: number) => void;
  /** The zoom factor: 1 shows the whole map. */
  scale: () => number;
}

export function mapView(instance: ECharts): MapView {
  const windows = { x: WHOLE, y: WHOLE };
  instance.on("datazoom", (event) => {
    const moved = windowsOf(event);
    windows.x = moved.get("zoom-x") ?? windows.x;
    windows.y = moved.get("zoom-y") ?? windows.y;
  });
  const show = (x: AxisWindow, y: AxisWindow): void => {
    const batch = [
      { dataZoomId: "zoom-x", ...x },
      { dataZoomId: "zoom-y", ...y },
    ];
    instance.dispatchAction({ type: "dataZoom", batch });
  };
  const around = (x: number, y: number, length: number): void => show(windowAround(x, length), windowAround(y, length));
  return {
    option: () => viewOption(instance),
    zoom: (factor) => around(middle(windows.x), middle(windows.y), span(windows.x) / factor),
    move: (right, up) =>
      around(middle(windows.x) + right * span(windows.x), middle(windows.y) + up * span(windows.y), span(windows.x)),
    fit: () => around(50, 50, 100),
    centre: (x, y) => {
      const ends = axisEnds(instance.getWidth(), instance.getHeight());
      const share = (value: number, [from, to]: [number, number]): number => (100 * (value - from)) / (to - from);
      around(share(x, ends.x), share(y, ends.y), Math.min(span(windows.x), 25));
    },
    scale: () => 100 / Math.max(LEAST_SPAN, span(windows.x)),
  };
}

function viewOption(instance: ECharts): Record<string, unknown> {
  const ends = axisEnds(instance.getWidth(), instance.getHeight());
  const axis = ([min, max]: [number, number]): Record<string, unknown> => ({ type: "value", show: false, min, max });
  const zoom = { type: "inside", filterMode: "none", minSpan: LEAST_SPAN, throttle: 40 };
  return {
    grid: { left: 0, right: 0, top: 0, bottom: 0, outerBoundsMode: "none" },
    xAxis: axis(ends.x),
    yAxis: axis(ends.y),
    dataZoom: [
      { ...zoom, id: "zoom-x", xAxisIndex: 0 },
      { ...zoom, id: "zoom-y", yAxisIndex: 0 },
    ],
  };
}
