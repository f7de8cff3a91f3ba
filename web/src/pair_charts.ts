import { chart, legend, tooltip, valueAxis, type Option } from "./charts";
import type { Colours } from "./colours";
import { h, section, tooltipLines } from "./dom";
import { count, fixed, percent } from "./format";
import { histogramSeries, sum } from "./histogram";
import type { PairScores, Run } from "./payload";

/** Histograms of the scores of positive and negative pairs, and the ROC curve. */
export function pairsSection(pairs: PairScores, task: Run["task"]): HTMLElement {
  const names =
    task === "npc" ? ["pairs of the same class", "pairs of different classes"] : ["linked pairs", "unlinked pairs"];
  const [positive = "", negative = ""] = names;
  const histogram = chart({
    kind: "histogram",
    height: 340,
    label: `Scores of ${count(sum(pairs.positives))} ${positive} and ${count(sum(pairs.negatives))} ${negative} in ${pairs.positives.length} bins from 0 to 1.`,
    option: (tone) => scoreOption(pairs, [positive, negative], tone),
  });
  const roc = chart({
    kind: "roc",
    height: 340,
    label: `ROC curve, area under the curve ${fixed(pairs.auc, 3)}; the chance level is 0.5.`,
    option: (tone) => rocOption(pairs, tone),
  });
  return section(
    "pairs",
    "Test pairs",
    h(
      "div",
      { class: "two-columns" },
      h("figure", {}, h("figcaption", {}, "Scores"), histogram.element),
      h("figure", {}, h("figcaption", {}, `ROC curve, AUC ${fixed(pairs.auc, 3)}`), roc.element),
    ),
  );
}

function scoreOption(pairs: PairScores, names: [string, string], tone: Colours): Option {
  return {
    legend: legend(tone),
    grid: { left: 64, right: 20, top: 36, bottom: 44 },
    xAxis: valueAxis(tone, "x", { name: "score", min: 0, max: 1 }),
    yAxis: valueAxis(tone, "y", { name: "share of the pairs", min: 0, format: (value) => percent(value, 0) }),
    tooltip: tooltip(tone, { trigger: "item" }),
    series: [
      histogramSeries({ name: names[0], counts: pairs.positives, colour: tone.accent, what: "pairs" }),
      histogramSeries({ name: names[1], counts: pairs.negatives, colour: tone.second, what: "pairs" }),
    ],
  };
}

function rocOption(pairs: PairScores, tone: Colours): Option {
  const { false_positive, true_positive } = pairs.roc;
  return {
    legend: legend(tone),
    grid: { left: 64, right: 20, top: 36, bottom: 44 },
    xAxis: valueAxis(tone, "x", { name: "false positive rate", min: 0, max: 1 }),
    yAxis: valueAxis(tone, "y", { name: "true positive rate", min: 0, max: 1 }),
    tooltip: tooltip(tone, {
      trigger: "axis",
      formatter: (items: unknown) => {
        const at = (items as { dataIndex: number }[])[0]?.dataIndex ?? 0;
        return tooltipLines([
          `true positives ${percent(true_positive[at])}`,
          `false positives ${percent(false_positive[at])}`,
        ]);
      },
    }),
    series: [
      {
        name: "this run",
        type: "line",
        showSymbol: false,
        data: false_positive.map((value, at) => [value, true_positive[at] ?? null]),
        lineStyle: { color: tone.accent, width: 2 },
        itemStyle: { color: tone.accent },
      },
      {
        name: "chance level",
        type: "line",
        silent: true,
        showSymbol: false,
        tooltip: { show: false },
        data: [
          [0, 0],
          [1, 1],
        ],
        lineStyle: { color: tone.muted, width: 1.25, type: "dashed" },
        itemStyle: { color: tone.muted },
      },
    ],
  };
}
