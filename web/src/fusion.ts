import { chart, legend, tooltip, valueAxis, type Option } from "./charts";
import type { Colours } from "./colours";
import { h, section } from "./dom";
import { count, counted, percent } from "./format";
import { histogramSeries, sum } from "./histogram";
import type { Fusion } from "./payload";

/** Accuracy of the experts and of the fusion, agreement of the experts, and the weights of the gate. */
export function fusionSection(fusion: Fusion): HTMLElement {
  const nodes = sum(fusion.outcomes.map((outcome) => outcome.nodes));
  const gates = chart({
    kind: "gates",
    height: 320,
    label: gatesLabel(fusion),
    option: (tone) => gatesOption(fusion, tone),
  });
  return section(
    "fusion",
    "Fusion of experts",
    h(
      "div",
      { class: "two-columns" },
      h("div", {}, h("h3", {}, "Accuracy of the experts and of the fusion"), expertTable(fusion)),
      h("div", {}, h("h3", {}, `Correct experts on the ${count(nodes)} test nodes`), outcomeTable(fusion, nodes)),
    ),
    h("figure", {}, h("figcaption", {}, "Gate weights of the experts"), gates.element),
  );
}

function expertTable(fusion: Fusion): HTMLElement {
  const body = h("tbody");
  for (const expert of fusion.experts) {
    body.append(
      h(
        "tr",
        {},
        h("th", { scope: "row" }, expert.name),
        h("td", {}, percent(expert.accuracy)),
        h("td", {}, percent(expert.ec)),
      ),
    );
  }
  body.append(
    h(
      "tr",
      { class: "chosen" },
      h("th", { scope: "row" }, "fusion"),
      h("td", { "data-value": "fused" }, percent(fusion.accuracy)),
      h("td", {}, percent(fusion.ec)),
    ),
  );
  const ec = h("abbr", { title: "Expert complementarity: how far the experts correct each other's mistakes" }, "EC");
  const head = h(
    "tr",
    {},
    h("th", { scope: "col" }, "Expert"),
    h("th", { scope: "col" }, "Accuracy"),
    h("th", { scope: "col" }, ec),
  );
  return h("table", { class: "numbers" }, h("thead", {}, head), body);
}

function outcomeTable(fusion: Fusion, nodes: number): HTMLElement {
  const body = h("tbody");
  for (const outcome of [...fusion.outcomes].sort((a, b) => b.nodes - a.nodes)) {
    const who =
      outcome.right.length === 0
        ? "none"
        : outcome.right.length === fusion.experts.length
          ? "all"
          : `only ${outcome.right.join(", ")}`;
    body.append(
      h(
        "tr",
        {},
        h("th", { scope: "row" }, who),
        h("td", {}, count(outcome.nodes)),
        h("td", {}, bar(nodes === 0 ? 0 : outcome.nodes / nodes)),
        h("td", {}, outcome.nodes === 0 ? "–" : percent(outcome.fused_right / outcome.nodes)),
      ),
    );
  }
  const titles = ["Correct experts", "Nodes", "Share", "Fusion accuracy"];
  const head = h("tr", {}, ...titles.map((title) => h("th", { scope: "col" }, title)));
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "Correct experts" },
    h("table", { class: "numbers" }, h("thead", {}, head), body),
  );
}

function bar(share: number): HTMLElement {
  const fill = h("span", { class: "bar-fill" });
  fill.style.width = `${(share * 100).toFixed(1)}%`;
  return h(
    "span",
    { class: "bar-cell" },
    h("span", { class: "bar", "aria-hidden": "true" }, fill),
    h("span", {}, percent(share)),
  );
}

function gatesLabel(fusion: Fusion): string {
  const parts = fusion.experts.map(
    (expert, position) => `${expert.name} ${percent(meanWeight(fusion.gates[position] ?? []))}`,
  );
  return `Histograms of gate weights over ${counted(sum(fusion.gates[0] ?? []), "node")}; mean weight about ${parts.join(", ")}.`;
}

/** Mean of a histogram over [0, 1], with every node at the centre of its bin. */
export function meanWeight(histogram: readonly number[]): number | null {
  const total = sum(histogram);
  if (total === 0) return null;
  return sum(histogram.map((nodes, bin) => (nodes * (bin + 0.5)) / histogram.length)) / total;
}

function gatesOption(fusion: Fusion, tone: Colours): Option {
  const palette = [tone.accent, tone.second, ...tone.categories.slice(2)];
  return {
    legend: legend(tone),
    grid: { left: 64, right: 20, top: 36, bottom: 44 },
    xAxis: valueAxis(tone, "x", { name: "gate weight", min: 0, max: 1 }),
    yAxis: valueAxis(tone, "y", { name: "share of the nodes", min: 0, format: (value) => percent(value, 0) }),
    tooltip: tooltip(tone, { trigger: "item" }),
    series: fusion.experts.map((expert, position) =>
      histogramSeries({
        name: expert.name,
        counts: fusion.gates[position] ?? [],
        colour: palette[position % palette.length] ?? tone.accent,
        what: "nodes",
      }),
    ),
  };
}
