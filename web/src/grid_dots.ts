import { chart, shareBounds, tooltip, valueAxis, type Option } from "./charts";
import type { Colours } from "./colours";
import { h, section, tooltipLines } from "./dom";
import { counted, metricName, fixed, meanSd } from "./format";
import { columnName, findCell, jitter, runsOf, shownMetric, type GridColumn } from "./grid_data";
import type { Cell, Grid, GridRun } from "./payload";

const ROW_HEIGHT = 26;

/** One panel per data set: every run, our mean ± standard deviation, and the paper's. */
export function dotsSection(grid: Grid, openRun: (run: GridRun) => void): HTMLElement {
  const panels = h("div", { class: "dot-panels" });
  for (const column of grid.columns) panels.append(dotPanel(grid, column, openRun));
  return section(
    "runs",
    "Runs",
    h(
      "p",
      {},
      `${grid.set === "test" ? "Test" : "Validation"} metrics in percent: faint points are runs, filled circles with bars our mean ± standard deviation, hollow diamonds with bars the paper's. Click a point to open its run; the cells of the table above list the same runs.`,
    ),
    panels,
  );
}

function dotPanel(grid: Grid, column: GridColumn, openRun: (run: GridRun) => void): HTMLElement {
  const models = grid.models.filter((model) => findCell(grid, column, model) !== undefined);
  const runs = models.flatMap((model, row) =>
    runsOf(grid, column, model).map((run, position) => ({ run, row, position })),
  );
  const shown = runs.filter(({ run }) => shownMetric(grid, run) !== null);
  const drawn = chart({
    kind: "dots",
    height: 64 + models.length * ROW_HEIGHT,
    label: dotsLabel(grid, column, models, shown.length),
    option: (tone) => dotsOption(grid, column, models, shown, tone),
    onClick: ({ seriesId, dataIndex }) => {
      const found = shown[dataIndex];
      if (seriesId === "runs" && found !== undefined) openRun(found.run);
    },
  });
  return h("figure", {}, h("figcaption", {}, `${columnName(column)}, ${metricName(column.metric)}`), drawn.element);
}

function dotsLabel(grid: Grid, column: GridColumn, models: string[], runs: number): string {
  const parts = models.map((model) => {
    const cell = findCell(grid, column, model);
    return `${model} ${meanSd(cell?.mean ?? null, cell?.sd ?? null)}`;
  });
  return `${counted(runs, "run")} on ${columnName(column)}, mean and standard deviation in percent: ${parts.join(", ")}.`;
}

interface ShownRun {
  run: GridRun;
  row: number;
  position: number;
}

function dotsOption(grid: Grid, column: GridColumn, models: string[], shown: ShownRun[], tone: Colours): Option {
  const cells = models.map((model) => findCell(grid, column, model));
  return {
    grid: { left: 8, right: 18, top: 8, bottom: 34, containLabel: false },
    xAxis: { ...valueAxis(tone, "x", { name: "percent" }), ...shareBounds(100) },
    yAxis: modelAxis(models, tone),
    tooltip: tooltip(tone, { trigger: "item" }),
    series: [
      runSeries(grid, shown, tone),
      errorSeries(
        "paper",
        cells.map((cell) => cell?.paper),
        tone,
        true,
      ),
      errorSeries("ours", cells, tone, false),
    ],
  };
}

/** Models from the top down on a value axis, so that the runs of a model can be spread around its row. */
function modelAxis(models: string[], tone: Colours): Record<string, unknown> {
  return {
    type: "value",
    inverse: true,
    min: -0.6,
    max: models.length - 0.4,
    interval: 1,
    axisLine: { show: false },
    axisTick: { show: false },
    splitLine: { show: false },
    axisLabel: {
      color: tone.text,
      fontSize: 12,
      customValues: models.map((_, row) => row),
      formatter: (row: number) => shortened(models[row] ?? ""),
    },
  };
}

function shortened(name: string): string {
  return name.length > 18 ? `${name.slice(0, 17)}…` : name;
}

function runSeries(grid: Grid, shown: ShownRun[], tone: Colours): Record<string, unknown> {
  return {
    id: "runs",
    type: "scatter",
    symbolSize: 7,
    z: 2,
    itemStyle: { color: tone.accent, opacity: 0.45 },
    emphasis: { itemStyle: { opacity: 1 } },
    data: shown.map(({ run, row, position }) => [shownMetric(grid, run), row + 0.55 * jitter(position)]),
    tooltip: {
      formatter: ({ dataIndex }: { dataIndex: number }) => {
        const run = shown[dataIndex]?.run;
        return run === undefined
          ? ""
          : tooltipLines([
              run.model,
              `seed ${run.seed}, split ${run.split}`,
              `${grid.set} ${fixed(shownMetric(grid, run), 2)} %`,
            ]);
      },
    },
  };
}

type Summary = Pick<Cell, "mean" | "sd"> | undefined;

/** A point with a bar of one standard deviation to both sides; the paper's is hollow and a little lower. */
function errorSeries(
  id: "ours" | "paper",
  summaries: Summary[],
  tone: Colours,
  paper: boolean,
): Record<string, unknown> {
  const data = summaries.flatMap((one, row) =>
    one === undefined || one.mean === null ? [] : [[one.mean, row + (paper ? 0.3 : 0), one.sd ?? 0]],
  );
  const colour = paper ? tone.second : tone.text;
  return {
    id,
    type: "custom",
    z: paper ? 3 : 4,
    // The axis range includes the ends of the bars; otherwise they would be cut off.
    dimensions: ["mean", "row", "sd", "low", "high"],
    encode: { x: [0, 3, 4], y: 1 },
    data: data.map(([mean = 0, row = 0, sd = 0]) => [mean, row, sd, mean - sd, mean + sd]),
    itemStyle: { color: colour },
    renderItem: (_: unknown, api: ErrorApi) => errorMark(api, paper, colour, tone.background),
    tooltip: {
      formatter: ({ value }: { value: number[] }) =>
        tooltipLines([
          paper ? "paper" : "mean ± standard deviation",
          `${meanSd(value[0] ?? null, value[2] ?? null, 2)} %`,
        ]),
    },
  };
}

interface ErrorApi {
  value: (dimension: number) => number;
  coord: (point: [number, number]) => [number, number];
}

function errorMark(api: ErrorApi, hollow: boolean, colour: string, background: string): Record<string, unknown> {
  const row = api.value(1);
  const [x, y] = api.coord([api.value(0), row]);
  const [left] = api.coord([api.value(3), row]);
  const [right] = api.coord([api.value(4), row]);
  const size = hollow ? 5 : 4;
  const points = [
    [x, y - size],
    [x + size, y],
    [x, y + size],
    [x - size, y],
  ];
  const bar = {
    type: "line",
    shape: { x1: left, y1: y, x2: right, y2: y },
    style: { stroke: colour, lineWidth: 1.75 },
  };
  const mark = hollow
    ? { type: "polygon", shape: { points }, style: { fill: background, stroke: colour, lineWidth: 1.5 } }
    : { type: "circle", shape: { cx: x, cy: y, r: size }, style: { fill: colour } };
  return { type: "group", children: [bar, mark] };
}
