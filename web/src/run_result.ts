import { h, section } from "./dom";
import { count, metricName, percent, sentence } from "./format";
import type { NumberOrNull, Run } from "./payload";

type Result = NonNullable<Run["result"]>;

/** The main test metric, and a table of all metrics. */
export function resultSection(run: Run): HTMLElement {
  const result = run.result;
  if (result === undefined) {
    return section(
      "result",
      "Result",
      h(
        "p",
        { class: "warning", role: "note" },
        "This run has no result: it has not finished, or was stopped before its evaluation.",
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
          `Training was interrupted after ${count(result.epochs)} epochs; the metrics are those of the best epoch so far.`,
        )
      : null,
    h("div", { class: "result-row" }, headline(run, result), metricTable(run, result)),
  );
}

function headline(run: Run, result: Result): HTMLElement {
  const name = metricName(run.metric);
  return h(
    "div",
    { class: "headline" },
    h("p", { class: "headline-name" }, `Test ${name}`),
    h("p", { class: "headline-value", "data-value": "test" }, percent(result.test[run.metric])),
    intervalLine(result.interval),
    h(
      "p",
      {},
      `Validation ${name} `,
      h("span", { "data-value": "valid" }, percent(result.valid[run.metric])),
      ", best epoch ",
      h("span", { "data-value": "best-epoch" }, count(result.best_epoch)),
      ` of ${count(result.epochs)}.`,
    ),
  );
}

function intervalLine(interval: Result["interval"]): HTMLElement | null {
  if (interval === undefined) return null;
  const range = `${percent(interval.low)} to ${percent(interval.high)}`;
  return h(
    "p",
    { "data-value": "interval" },
    `${range}: 95 % confidence interval over ${count(interval.judged)} test ${interval.what}`,
  );
}

function metricTable(run: Run, result: Result): HTMLElement {
  const keys = [...new Set([run.metric, ...Object.keys(result.test), ...Object.keys(result.valid)])];
  const cell = (part: "test" | "valid", key: string, metrics: Record<string, NumberOrNull>): HTMLElement =>
    h(
      "td",
      {
        "data-test-metric": part === "test" ? key : undefined,
        "data-valid-metric": part === "valid" ? key : undefined,
      },
      percent(metrics[key], 2),
    );
  const experts = run.fusion?.experts.map(({ name }) => name);
  const body = h("tbody");
  for (const key of keys) {
    const name = sentence(metricName(key, experts));
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
      h("th", { scope: "col" }, "Metric"),
      h("th", { scope: "col" }, "Test"),
      h("th", { scope: "col" }, "Validation"),
    ),
  );
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "All metrics" },
    h("table", { class: "numbers" }, head, body),
  );
}
