/** Part of an axis in percent of its whole length. */
export interface AxisWindow {
  start: number;
  end: number;
}

export const WHOLE: AxisWindow = { start: 0, end: 100 };

/** Smallest window, in percent. */
export const LEAST_SPAN = 0.2;

export function span(window: AxisWindow): number {
  return window.end - window.start;
}

export function middle(window: AxisWindow): number {
  return (window.start + window.end) / 2;
}

/** The window of a wanted span around a centre, moved inward where it would pass the end of the axis. */
export function windowAround(centre: number, wanted: number): AxisWindow {
  const length = Math.min(100, Math.max(LEAST_SPAN, wanted));
  const start = Math.min(100 - length, Math.max(0, centre - length / 2));
  return { start, end: start + length };
}

interface ZoomEvent {
  dataZoomId?: string;
  start?: number;
  end?: number;
}

/** The windows in an ECharts `datazoom` event, by the ids of their zooms. */
export function windowsOf(event: unknown): Map<string, AxisWindow> {
  const { batch } = event as ZoomEvent & { batch?: ZoomEvent[] };
  const found = new Map<string, AxisWindow>();
  for (const { dataZoomId, start, end } of batch ?? [event as ZoomEvent]) {
    if (dataZoomId !== undefined && start !== undefined && end !== undefined) found.set(dataZoomId, { start, end });
  }
  return found;
}

/** How far an arrow key moves, as a share of what is visible, and how much + and - zoom. */
const KEY_STEP = 0.12;
const KEY_ZOOM = 1.5;

export interface KeyActions {
  zoom: (factor: number) => void;
  /** By shares of what is visible. */
  move: (right: number, up: number) => void;
  fit: () => void;
}

/** Arrow keys move, + and - zoom, 0 shows everything, while the element has focus. */
export function listenToKeys(element: HTMLElement, { zoom, move, fit }: KeyActions): void {
  const actions: Record<string, () => void> = {
    ArrowLeft: () => move(-KEY_STEP, 0),
    ArrowRight: () => move(KEY_STEP, 0),
    ArrowUp: () => move(0, KEY_STEP),
    ArrowDown: () => move(0, -KEY_STEP),
    "+": () => zoom(KEY_ZOOM),
    "=": () => zoom(KEY_ZOOM),
    "-": () => zoom(1 / KEY_ZOOM),
    "0": fit,
  };
  element.addEventListener("keydown", (event) => {
    const action = actions[event.key];
    if (action === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  });
}
