import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Payload } from "../src/payload";
import { sampleGridReport } from "./grid_sample";
import { sampleFusionRun, sampleNodeRun, samplePairRun } from "./samples";

/** JSON as gir writes it into the page. */
function escaped(payload: Payload): string {
  return JSON.stringify(payload).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** What gir's result.json and the grid's table hold, for the browser tests to compare with. */
function expected({ run, grid }: Payload): unknown {
  if (run !== undefined) {
    const { test, valid, best_epoch, epochs, interrupted } = run.result ?? {
      test: {},
      valid: {},
      best_epoch: 0,
      epochs: 0,
      interrupted: false,
    };
    return {
      metric: run.metric,
      test: test[run.metric],
      valid: valid[run.metric],
      test_metrics: test,
      valid_metrics: valid,
      best_epoch,
      epochs,
      interrupted,
    };
  }
  return grid?.cells.map(({ dataset, task, model, mean, sd, runs, paper }) => {
    const metric = grid.columns.find((column) => column.dataset === dataset)?.metric;
    return {
      dataset,
      task,
      model,
      metric,
      mean,
      sd,
      runs,
      paper_mean: paper?.mean ?? null,
      paper_sd: paper?.sd ?? null,
    };
  });
}

const folder = process.argv[2];
if (folder === undefined) throw new Error("usage: npm run sample -- DIR");
const template = await readFile("dist/report.html", "utf8");
await mkdir(folder, { recursive: true });
const reports: Record<string, Payload> = {
  karate: sampleNodeRun("karate", { nodes: 40, edges: 90, anchors: 4, classes: 4 }),
  pb: samplePairRun("pb"),
  arxiv: sampleNodeRun("arxiv", { nodes: 200000, edges: 300000, anchors: 300, classes: 40 }),
  fusion: sampleFusionRun("cora"),
  grid: sampleGridReport(),
};
for (const [name, payload] of Object.entries(reports)) {
  await writeFile(join(folder, `${name}.html`), template.split("__GIR_PAYLOAD__").join(escaped(payload)));
  const kind = payload.grid === undefined ? "result" : "table";
  await writeFile(join(folder, `${name}.${kind}.json`), JSON.stringify(expected(payload), null, 2));
}
