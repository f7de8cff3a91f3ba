import { chart, tooltip, valueAxis, type Chart, type Option } from "./charts";
import type { Colours } from "./colours";
import { h, section, select, tooltipLines } from "./dom";
import { counted, fixed, pValue, signed } from "./format";
import { columnName, findDifference, jitter, pairedRuns, type GridColumn, type PairedRun } from "./grid_data";
import type { Difference, Grid } from "./payload";

interface Choice {
  column: GridColumn;
  first: string;
  second: string;
}

/** Compares two models over pairs of runs with the same seed and split. */
export function differencesSection(grid: Grid): HTMLElement | null {
  const [column] = grid.columns;
  const [first, second] = grid.models;
  if (column === undefined || first === undefined || second === undefined) return null;
  const choice: Choice = { column, first, second };
  const summary = h("p", { role: "status", "data-value": "difference" });
  const drawn = chart({ kind: "differences", height: 240, label: "", option: () => ({}) });
  const controls = h(
    "div",
    { class: "controls no-print" },
    select({
      label: "Data set",
      control: "difference-column",
      options: grid.columns.map((one, position) => ({ value: String(position), name: columnName(one) })),
      onChange: (position) => show({ ...choice, column: grid.columns[Number(position)] ?? choice.column }),
    }).element,
    modelSelect(grid, "First model", "difference-first", first, (model) => show({ ...choice, first: model })),
    modelSelect(grid, "Second model", "difference-second", second, (model) => show({ ...choice, second: model })),
  );
  const show = (next: Choice): void => {
    Object.assign(choice, next);
    summary.textContent = differenceText(grid, choice);
    showDots(grid, { ...choice }, drawn);
  };
  show(choice);
  return section(
    "differences",
    "Paired differences",
    h(
      "p",
      {},
      `First minus second model in percentage points of ${grid.set} metrics, over pairs of runs with the same seed and split.`,
    ),
    controls,
    summary,
    drawn.element,
  );
}

function modelSelect(
  grid: Grid,
  label: string,
  control: string,
  value: string,
  onChange: (model: string) => void,
): HTMLElement {
  return select({
    label,
    control,
    value,
    options: grid.models.map((model) => ({ value: model, name: model })),
    onChange,
  }).element;
}

/** Mean, standard deviation, t and p in one sentence. */
export function differenceText(grid: Grid, { column, first, second }: Choice): string {
  const title = `${first} minus ${second} on ${columnName(column)}`;
  if (first === second) return "Choose two different models.";
  const found = findDifference(grid, column, first, second);
  if (found === undefined || found.runs === 0) return `${title}: no runs of the same seed and split.`;
  const deviation = found.sd === null ? "" : ` ± ${fixed(found.sd, 2)}`;
  return `${title}: mean ${signed(found.mean)}${deviation} points over ${counted(found.runs, "pair")} of runs, t = ${fixed(found.t, 2)}, p ${pRelation(found.p)}${adjusted(found)}.`;
}

function adjusted(found: Difference): string {
  if (found.p_holm === null || found.tests < 2) return "";
  return `, after Holm's correction for ${found.tests} pairs of models p ${pRelation(found.p_holm)}`;
}

function pRelation(p: number | null): string {
  const text = pValue(p);
  return text.startsWith("<") ? text : `= ${text}`;
}

function showDots(grid: Grid, choice: Choice, drawn: Chart): void {
  const pairs = choice.first === choice.second ? [] : pairedRuns(grid, choice.column, choice.first, choice.second);
  const mean = findDifference(grid, choice.column, choice.first, choice.second)?.mean ?? null;
  drawn.update({ label: differenceText(grid, choice), option: (tone) => differenceOption(pairs, mean, choice, tone) });
}

function differenceOption(pairs: PairedRun[], mean: number | null, choice: Choice, tone: Colours): Option {
  const line = (value: number, text: string, colour: string, type: string): Record<string, unknown> => ({
    xAxis: value,
    lineStyle: { color: colour, type, width: 1.5 },
    label: { color: tone.text, formatter: text, position: "end" },
  });
  const close =
    mean !== null && Math.abs(mean) < 0.12 * Math.max(...pairs.map((pair) => Math.abs(pair.difference)), 1e-9);
  const lines = [line(0, close ? "" : "0", tone.muted, "dashed")];
  if (mean !== null) lines.push(line(mean, `mean ${signed(mean)}`, tone.second, "solid"));
  return {
    grid: { left: 24, right: 24, top: 30, bottom: 44 },
    xAxis: {
      ...valueAxis(tone, "x", {
        name: `points, ${choice.first} minus ${choice.second}`,
        format: (value) => signed(value, 1),
      }),
      scale: false,
    },
    yAxis: { type: "value", min: -1, max: 1, show: false },
    tooltip: tooltip(tone, {
      trigger: "item",
      formatter: ({ dataIndex }: { dataIndex: number }) => {
        const pair = pairs[dataIndex];
        return pair === undefined
          ? ""
          : tooltipLines([`${signed(pair.difference)} points`, `seed ${pair.seed}, split ${pair.split}`]);
      },
    }),
    series: [
      {
        type: "scatter",
        symbolSize: 10,
        itemStyle: { color: tone.accent, opacity: 0.65, borderColor: tone.background, borderWidth: 1 },
        data: pairs.map((pair, position) => [pair.difference, 1.2 * jitter(position)]),
        markLine: { silent: true, symbol: "none", data: lines },
      },
    ],
  };
}
