import type { Colours, Theme } from "./colours";
import { groupColour, type Groups } from "./colour_groups";
import { h } from "./dom";
import { count } from "./format";

export interface LegendSpec {
  groups: Groups;
  hidden: ReadonlySet<number>;
  anchors: number;
  tone: Colours;
  theme: Theme;
  onToggle: (group: number) => void;
}

const SYMBOL_MARKS = ["●", "■", "▲", "▼", "✚", "⬟", "✖", "▬"];

/** Groups with their numbers of nodes; each entry hides and shows its nodes. */
export function fillLegend(list: HTMLElement, spec: LegendSpec, symbols: boolean): void {
  list.replaceChildren();
  spec.groups.groups.forEach((group, position) => {
    const place = group.colour !== "none" && "category" in group.colour ? group.colour.category : 0;
    const mark = h(
      "span",
      { class: "legend-mark", "aria-hidden": "true" },
      symbols ? (SYMBOL_MARKS[place] ?? "●") : "●",
    );
    mark.style.color = groupColour(group, spec.tone, spec.theme);
    const entry = h(
      "button",
      {
        type: "button",
        class: "legend-entry",
        "aria-pressed": String(!spec.hidden.has(position)),
        "data-group": position,
        title: group.name,
      },
      mark,
      h("span", { class: "legend-name" }, group.name),
      h("span", { class: "legend-count" }, count(group.nodes)),
    );
    entry.addEventListener("click", () => {
      spec.onToggle(position);
      entry.setAttribute("aria-pressed", String(!spec.hidden.has(position)));
    });
    list.append(h("li", {}, entry));
  });
  if (spec.anchors > 0) {
    const mark = h("span", { class: "legend-mark", "aria-hidden": "true" }, "◆");
    list.append(
      h(
        "li",
        { class: "legend-anchors" },
        mark,
        h("span", { class: "legend-name" }, "anchors"),
        h("span", { class: "legend-count" }, count(spec.anchors)),
      ),
    );
  }
}
