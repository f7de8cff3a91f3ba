import type { Cell, Difference, Grid, GridRun, Payload } from "../src/payload";
import { bell, randomFrom } from "./random";

const MODELS = [
  "gcn",
  "sage",
  "gat",
  "gin",
  "pgnn",
  "deeperGCN",
  "gir-a",
  "gir-b",
  "gir-c",
  "gir-a+gcn",
  "gir-b+gat",
  "a model with quite a long name",
];
const DATASETS: [string, string, string][] = [
  ["cora", "nc", "accuracy"],
  ["citeseer", "nc", "accuracy"],
  ["pubmed", "nc", "accuracy"],
  ["pb", "lp", "roc_auc"],
  ["celegans", "lp", "roc_auc"],
  ["grid-20", "npc", "roc_auc"],
];
const RUNS = 20;

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function deviation(values: readonly number[]): number {
  const middle = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1));
}

function sampleRuns(): GridRun[] {
  const random = randomFrom(11);
  return DATASETS.flatMap(([dataset, task], place) =>
    MODELS.flatMap((model, row) =>
      Array.from({ length: RUNS }, (_, i) => {
        const test = 62 + 4 * place + 1.4 * row + (1 + place / 3) * bell(random);
        const command = `gir train --dataset ${dataset} --task ${task} --model ${model} --seed ${i} --split ${i % 5}`;
        return {
          dataset,
          task,
          model,
          seed: i,
          split: i % 5,
          test,
          valid: test + 0.6,
          best_epoch: 100 + i,
          seconds: 3 + i,
          settings: row === 0 ? "none" : "shared",
          command,
        };
      }),
    ),
  );
}

function cellOf(runs: GridRun[], position: number): Cell {
  const [{ dataset, task, model }] = runs as [GridRun];
  const values = runs.map((run) => run.test ?? 0);
  const own = { mean: mean(values), sd: deviation(values) };
  const standing = (["above", "within", "below"] as const)[position % 3] ?? "within";
  const shift = { above: -2, within: 0.1, below: 2.4 }[standing];
  const cell: Cell = { dataset, task, model, ...own, runs: runs.length };
  if (position % 4 !== 0) cell.paper = { mean: own.mean + shift, sd: 0.8, standing };
  if (model.includes("+")) cell.ec = { mean: 31.2, sd: 1.1, paper: { mean: 30.4, sd: 0.9 } };
  return cell;
}

function differenceOf(first: GridRun[], second: GridRun[]): Difference {
  const values = first.map((run, i) => (run.test ?? 0) - (second[i]?.test ?? 0));
  const [{ dataset, task, model }] = first as [GridRun];
  const [middle, sd] = [mean(values), deviation(values)];
  const t = middle / (sd / Math.sqrt(values.length));
  return {
    dataset,
    task,
    first: model,
    second: second[0]?.model ?? "",
    runs: values.length,
    mean: middle,
    sd,
    t,
    p: Math.exp(-Math.abs(t)),
    p_holm: Math.min(1, 66 * Math.exp(-Math.abs(t))),
    tests: 66,
  };
}

/** 12 models on 6 data sets with 20 runs each; one cell is missing. */
export function sampleGrid(): Grid {
  const runs = sampleRuns().filter((run) => !(run.model === "gin" && run.dataset === "pubmed"));
  const groups = new Map<string, GridRun[]>();
  for (const run of runs) {
    const key = `${run.model} ${run.dataset}`;
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  const lists = [...groups.values()];
  const differences = lists.flatMap((first, i) =>
    lists
      .slice(i + 1)
      .filter((second) => second[0]?.dataset === first[0]?.dataset)
      .map((second) => differenceOf(first, second)),
  );
  return {
    folder: "runs/grid",
    command: "gir grid --config grid.json -o runs/grid",
    set: "test",
    columns: DATASETS.map(([dataset, task, metric]) => ({ dataset, task, metric })),
    models: MODELS,
    cells: lists.map(cellOf),
    runs,
    comparisons: ["cora nc: gat has the highest mean, significantly higher than gcn (+1.3 points, p = 0.01)"],
    differences,
    settings: {
      shared: [
        ["layers", "4"],
        ["hidden", "64"],
        ["learning_rate", "0.003"],
      ],
    },
  };
}

export function sampleGridReport(): Payload {
  return {
    format: 1,
    version: "0.2.0",
    title: "Grid of 12 models on 6 data sets",
    notes: ["One cell has no runs: gin on pubmed."],
    grid: sampleGrid(),
  };
}
