import { h, section } from "./dom";
import { count, figureName, percent, sentence } from "./format";
import type { Figure, Run } from "./payload";

type Result = NonNullable<Run["result"]>;

/** The figure that the run was made for, and all the others. */
export function figureSection(run: Run): HTMLElement {
  const result = run.result;
  if (result === undefined) {
    return section(
      "result",
      "Result",
      h(
        "p",
        { class: "warning", role: "note" },
        "This run has no result: it has not ended, or was stopped before it could be judged.",
      ),
    );
  }
  return section(
    "result",
    "Result",
    result.interrupted
      ? h(
          "p",
          { class: "warning", role: "note" },
          `Training was interrupted after ${count(result.epochs)} epochs; the figures are those of the best epoch until then.`,
        )
      : null,
    h("div", { class: "figure-row" }, headline(run, result), allFigures(run, result)),
  );
}

function headline(run: Run, result: Result): HTMLElement {
  const name = figureName(run.metric);
  return h(
    "div",
    { class: "headline" },
    h("p", { class: "headline-name" }, `Test ${name}`),
    h("p", { class: "headline-figure", "data-figure": "test" }, percent(result.test[run.metric])),
    intervalLine(result.interval),
    h(
      "p",
      {},
      `Validation ${name} `,
      h("span", { "data-figure": "valid" }, percent(result.valid[run.metric])),
      ", chosen at epoch ",
      h("span", { "data-figure": "best-epoch" }, count(result.best_epoch)),
      ` of ${count(result.epochs)}.`,
    ),
  );
}

function intervalLine(interval: Result["interval"]): HTMLElement | null {
  if (interval === undefined) return null;
  const range = `${percent(interval.low)} to ${percent(interval.high)}`;
  return h(
    "p",
    { "data-figure": "interval" },
    `${range}: 95 % interval over ${count(interval.judged)} test ${interval.what}`,
  );
}

function allFigures(run: Run, result: Result): HTMLElement {
  const keys = [...new Set([run.metric, ...Object.keys(result.test), ...Object.keys(result.valid)])];
  const cell = (part: "test" | "valid", key: string, figures: Record<string, Figure>): HTMLElement =>
    h(
      "td",
      {
        "data-test-figure": part === "test" ? key : undefined,
        "data-valid-figure": part === "valid" ? key : undefined,
      },
      percent(figures[key], 2),
    );
  const experts = run.fusion?.experts.map(({ name }) => name);
  const body = h("tbody");
  for (const key of keys) {
    const name = sentence(figureName(key, experts));
    body.append(
      h(
        "tr",
        { class: key === run.metric ? "chosen" : undefined },
        h("th", { scope: "row" }, name),
        cell("test", key, result.test),
        cell("valid", key, result.valid),
      ),
    );
  }
  const head = h(
    "thead",
    {},
    h(
      "tr",
      {},
      h("th", { scope: "col" }, "Figure"),
      h("th", { scope: "col" }, "Test"),
      h("th", { scope: "col" }, "Validation"),
    ),
  );
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "All figures" },
    h("table", { class: "figures" }, head, body),
  );
}
