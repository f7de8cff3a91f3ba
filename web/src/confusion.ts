import { h, section } from "./dom";
import { count, percent } from "./format";
import type { Confusion } from "./payload";

/** With more classes than this, a smaller font is needed to fit a printed page. */
const MANY = 12;

/** True against predicted classes: one row per true class, shaded by the share of the row. */
export function confusionSection(classes: Confusion): HTMLElement {
  const total = classes.matrix.flat().reduce((sum, value) => sum + value, 0);
  const right = classes.matrix.reduce((sum, row, label) => sum + (row[label] ?? 0), 0);
  const about = `${count(right)} of ${count(total)} test nodes are classified correctly (the diagonal). Rows: true class. Columns: predicted class. Darker cells are larger shares of their row.`;
  const table = h(
    "table",
    { class: classes.names.length > MANY ? "confusion many" : "confusion", "aria-describedby": "confusion-about" },
    head(classes.names),
    body(classes),
  );
  return section(
    "confusion",
    "Confusion matrix",
    h("p", { id: "confusion-about", class: "hint" }, about),
    h("div", { class: "scroll tall", tabindex: 0, role: "region", "aria-label": "Confusion matrix" }, table),
  );
}

function head(names: string[]): HTMLElement {
  const row = h("tr", {}, h("th", { scope: "col" }, "True class"));
  for (const name of names) row.append(h("th", { scope: "col", title: name }, h("span", {}, name)));
  row.append(h("th", { scope: "col" }, h("span", {}, "Recall")));
  return h("thead", {}, row);
}

function body(classes: Confusion): HTMLElement {
  const rows = h("tbody");
  classes.matrix.forEach((counts, label) => {
    const sum = counts.reduce((total, value) => total + value, 0);
    const name = classes.names[label] ?? String(label);
    const row = h("tr", {}, h("th", { scope: "row", title: name }, name));
    counts.forEach((value, prediction) =>
      row.append(
        cell(value, sum, label === prediction, `${name} predicted as ${classes.names[prediction] ?? prediction}`),
      ),
    );
    row.append(h("td", { class: "row-share" }, sum === 0 ? "–" : percent((counts[label] ?? 0) / sum)));
    rows.append(row);
  });
  return rows;
}

function cell(value: number, sum: number, diagonal: boolean, what: string): HTMLElement {
  const share = sum === 0 ? 0 : value / sum;
  const element = h(
    "td",
    { title: `${what}: ${count(value)}, ${percent(share)} of the row`, class: diagonal ? "diagonal" : undefined },
    value === 0 ? "·" : count(value),
  );
  element.style.setProperty("--share", `${(share * 60).toFixed(1)}%`);
  return element;
}
