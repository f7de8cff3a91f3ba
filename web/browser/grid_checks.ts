import assert from "node:assert/strict";
import type { Page } from "playwright-core";

import { meanSd } from "../src/format";
import type { NumberOrNull } from "../src/payload";
import { pictureOf, waitForChange } from "./chromium";

/** A row of the grid's table as gir writes it. */
export interface TableRow {
  dataset: string;
  task: string;
  model: string;
  mean: NumberOrNull;
  sd: NumberOrNull;
  runs: number;
  paper_mean: NumberOrNull;
  paper_sd: NumberOrNull;
}

function cellOf(row: TableRow): string {
  return `[data-cell="${row.model}|${row.dataset}|${row.task}"]`;
}

export async function checkTable(page: Page, rows: TableRow[]): Promise<void> {
  assert.ok(rows.length > 0, "the table has rows");
  for (const row of rows) {
    const cell = page.locator(cellOf(row));
    assert.equal(await cell.locator(".cell-mean").textContent(), meanSd(row.mean, row.sd), cellOf(row));
    const paper = cell.locator(".cell-paper > span:last-child");
    if (row.paper_mean === null || row.paper_mean === undefined) continue;
    assert.equal(await paper.textContent(), meanSd(row.paper_mean, row.paper_sd), `paper of ${cellOf(row)}`);
  }
}

/** From a cell to its runs to one run. */
export async function checkRuns(page: Page, rows: TableRow[]): Promise<void> {
  const row = rows[rows.length - 1];
  assert.ok(row !== undefined);
  await page.locator(`${cellOf(row)} button`).focus();
  await page.keyboard.press("Enter");
  const runs = page.locator('[data-panel="runs"]');
  assert.equal(await runs.locator("tbody tr").count(), row.runs);
  await runs.locator("tbody button").first().click();
  const panel = page.locator('[data-panel="run"]');
  const text = (await panel.textContent()) ?? "";
  assert.ok(text.includes(row.model) && text.includes(row.dataset), "the panel names the run");
  assert.match(text, /test.*best epoch.*Command.*Settings/s);
}

/** A click on a run's point opens its panel. */
export async function checkDots(page: Page): Promise<void> {
  const panel = page.locator('[data-panel="run"]');
  await panel.locator(".panel-head button").click();
  const chart = page.locator('[data-chart="dots"]').first();
  await chart.scrollIntoViewIfNeeded();
  const box = await chart.boundingBox();
  assert.ok(box !== null);
  for (let y = 12; y < box.height - 40; y += 6) {
    for (let x = box.width * 0.2; x < box.width - 10; x += 6) {
      await page.mouse.move(box.x + x, box.y + y);
      if ((await chart.evaluate((element) => (element.firstElementChild as HTMLElement).style.cursor)) !== "pointer")
        continue;
      await page.mouse.click(box.x + x, box.y + y);
      if (await panel.isVisible()) return;
    }
  }
  assert.fail("no point could be clicked");
}

/** Swapping the two models inverts the sign. */
export async function checkDifferences(page: Page): Promise<void> {
  const control = (name: string) => page.locator(`[data-control="difference-${name}"]`);
  const models = await control("first")
    .locator("option")
    .evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value));
  const text = async (): Promise<string> => (await page.locator('[data-value="difference"]').textContent()) ?? "";
  const mean = async (): Promise<string> => /mean ([+−]?[\d.]+)/.exec(await text())?.[1] ?? "";
  const [first = "", second = ""] = models;
  const straight = await mean();
  await control("first").selectOption(second);
  assert.match(await text(), /two different models/);
  await control("second").selectOption(first);
  const turned = await mean();
  assert.ok(straight !== "" && turned !== "", "both differences have a mean");
  if (straight !== turned) assert.equal(turned.replace(/[+−]/, ""), straight.replace(/[+−]/, ""));
  assert.ok(Number(straight) === 0 || straight.startsWith("−") !== turned.startsWith("−"), "the sign turns round");
  const columns = await control("column").locator("option").count();
  if (columns < 2) return;
  const before = await pictureOf(page, '[data-chart="differences"]');
  await control("column").selectOption("1");
  await waitForChange(page, '[data-chart="differences"]', before);
}
