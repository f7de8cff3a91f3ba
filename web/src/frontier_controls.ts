import { button, h } from "./dom";
import { arrivedCounts, frontierText } from "./frontier";
import type { MapData } from "./map_data";

/** Milliseconds per layer while the frontier plays. */
const STEP_MS = 1100;

/** A slider over the layers, a button that plays them, and a text with the number of nodes reached. */
export function frontierControls(data: MapData, onLayer: (layer: number | undefined) => void): HTMLElement | null {
  if (data.frontier === undefined) return null;
  const { arrival, layers } = data.frontier;
  const counts = arrivedCounts(arrival, layers);
  const text = (layer: number): string =>
    frontierText(layer, counts[layer] ?? 0, data.nodes, data.nodes < data.totalNodes);
  const slider = h("input", {
    type: "range",
    min: 0,
    max: layers,
    step: 1,
    value: layers,
    "data-control": "frontier",
    "aria-valuetext": text(layers),
  });
  const status = h("output", { "data-value": "frontier", "aria-live": "polite" }, text(layers));
  let timer: ReturnType<typeof setInterval> | undefined;
  const show = (layer: number): void => {
    slider.value = String(layer);
    slider.setAttribute("aria-valuetext", text(layer));
    status.textContent = text(layer);
    all.hidden = false;
    onLayer(layer);
  };
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
    play.textContent = "Play";
  };
  const step = (): void => {
    const next = Number(slider.value) + 1;
    show(Math.min(next, layers));
    if (next >= layers) stop();
  };
  const start = (): void => {
    show(Number(slider.value) >= layers ? 0 : Number(slider.value));
    play.textContent = "Pause";
    timer = setInterval(step, STEP_MS);
  };
  const play = button("Play", () => (timer === undefined ? start() : stop()), { "data-control": "play" });
  const all = button(
    "Show all",
    () => {
      stop();
      show(layers);
      all.hidden = true;
      onLayer(undefined);
    },
    { "data-control": "frontier-off" },
  );
  all.hidden = true;
  slider.addEventListener("input", () => {
    stop();
    show(Number(slider.value));
  });
  return h(
    "div",
    { class: "controls frontier" },
    h("label", { class: "field wide" }, h("span", {}, "Frontier of messages from the anchors, by layer"), slider),
    play,
    all,
    status,
  );
}
