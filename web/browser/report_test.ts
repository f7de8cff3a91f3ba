// npm run browser-test -- DIR, or with REPORTS=DIR: reports of gir and what they have to show.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";

import { openReport, startBrowser } from "./chromium";
import { checkDifferences, checkDots, checkRuns, checkTable, type TableRow } from "./grid_checks";
import * as run from "./run_checks";

const MEGABYTE = 1e6;
const reports = process.argv[2] ?? process.env.REPORTS;
if (reports === undefined) throw new Error("usage: npm run browser-test -- DIR");
const screenshots = process.env.SCREENSHOTS ?? "screenshots";

const only = process.env.ONLY?.split(",");
let failures = 0;

/** Runs a check and prints its outcome and duration. */
async function check(name: string, body: () => Promise<void>): Promise<void> {
  const start = Date.now();
  try {
    await body();
    console.log(`ok      ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
  } catch (error) {
    ++failures;
    console.log(`FAILED  ${name}\n${error instanceof Error ? error.stack : String(error)}`);
  }
}

async function json<T>(file: string): Promise<T> {
  return JSON.parse(await readFile(join(reports ?? "", file), "utf8")) as T;
}

function shot(name: string): string {
  return join(screenshots, name);
}

async function checkTheme(page: Page): Promise<void> {
  const button = page.locator('[data-control="theme"]');
  const background = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const before = await background();
  await button.click();
  await button.click();
  assert.match((await button.textContent()) ?? "", /dark/);
  assert.notEqual(await background(), before);
  await button.click();
  assert.equal(await background(), before);
}

/** Sections that a report must have in addition to those of every run. */
const SECTIONS: Record<string, string[]> = {
  karate: ["graph", "confusion"],
  pb: ["graph", "pairs"],
  fusion: ["graph", "confusion", "fusion"],
  arxiv: ["graph", "confusion"],
};

async function checkRun(browser: Browser, name: string): Promise<void> {
  const { page, problems } = await openReport(browser, join(reports ?? "", `${name}.html`));
  const result = await json<run.ResultFile>(`${name}.result.json`);
  await check(`${name}: metrics are those of the result`, () => run.checkMetrics(page, result));
  const sections = ["curves", "settings", ...(SECTIONS[name] ?? [])];
  await check(`${name}: sections are there and agree with the result`, () => run.checkSections(page, sections, result));
  await check(`${name}: every chart is drawn and described`, () => run.checkInk(page));
  await page.screenshot({ path: shot(`${name}-light.png`), fullPage: true });
  await check(`${name}: the curves can be zoomed by keyboard`, () => run.checkCurveKeys(page));
  await check(`${name}: colours and layouts can be chosen`, async () => {
    const times = await run.checkMapChoices(page);
    const list = (values: number[]): string => values.map((value) => value.toFixed(0)).join(", ");
    console.log(`        ms to redraw: colour ${list(times.colour)}; layout ${list(times.layout)}`);
  });
  await check(`${name}: a node is found by its id`, () => run.checkSearch(page));
  await check(`${name}: the frontier plays and counts`, () => run.checkFrontier(page));
  await page.locator("#graph").screenshot({ path: shot(`${name}-frontier.png`) });
  await run.endFrontier(page);
  await check(`${name}: zoom buttons work`, () => run.checkZoom(page));
  await check(`${name}: wheel and dragging work`, () => run.checkPointer(page));
  await check(`${name}: the map can be used by keyboard`, () => run.checkKeyboard(page));
  await check(`${name}: pointing at a node shows its facts`, () => run.checkHover(page));
  await page.locator("#graph").screenshot({ path: shot(`${name}-hover.png`) });
  await check(`${name}: the theme can be chosen`, () => checkTheme(page));
  await check(`${name}: no errors and no requests`, async () => assert.deepEqual(problems, []));
  await page.context().close();
}

async function checkGrid(browser: Browser): Promise<void> {
  const { page, problems } = await openReport(browser, join(reports ?? "", "grid.html"));
  const rows = await json<TableRow[]>("grid.table.json");
  await check("grid: every cell is that of the table", () => checkTable(page, rows));
  await check("grid: every chart is drawn and described", () => run.checkInk(page));
  await page.screenshot({ path: shot("grid-light.png"), fullPage: true });
  await check("grid: a cell opens its runs and a run its settings", () => checkRuns(page, rows));
  await page.screenshot({ path: shot("grid-run.png"), fullPage: true });
  await check("grid: a point opens its run", () => checkDots(page));
  await check("grid: differences can be chosen and turned round", () => checkDifferences(page));
  await check("grid: the theme can be chosen", () => checkTheme(page));
  await check("grid: no errors and no requests", async () => assert.deepEqual(problems, []));
  await page.context().close();
}

/** Dark, narrow and printed. */
async function checkMedia(browser: Browser, name: string): Promise<void> {
  const file = join(reports ?? "", `${name}.html`);
  await check(`${name}: dark`, async () => {
    const { page, problems } = await openReport(browser, file, { colorScheme: "dark", reducedMotion: "reduce" });
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
    await page.screenshot({ path: shot(`${name}-dark.png`), fullPage: true });
    assert.deepEqual(problems, []);
    await page.context().close();
  });
  await check(`${name}: 400 pixels wide without sideways scrolling`, async () => {
    const { page } = await openReport(browser, file, { viewport: { width: 400, height: 800 } });
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 400, `the page is ${width} pixels wide`);
    await page.screenshot({ path: shot(`${name}-narrow.png`), fullPage: true });
    await page.context().close();
  });
  await check(`${name}: printed in light colours from the dark`, async () => {
    const { page } = await openReport(browser, file, { colorScheme: "dark" });
    await page.emulateMedia({ media: "print" });
    await page.waitForFunction(() => document.documentElement.dataset.theme === "light");
    assert.equal(await page.locator('[data-control="theme"]').isVisible(), false);
    await run.checkInk(page);
    await page.screenshot({ path: shot(`${name}-print.png`), fullPage: true });
    await page.emulateMedia({ media: null });
    await page.pdf({ path: shot(`${name}.pdf`), format: "A4", preferCSSPageSize: false });
    await page.context().close();
  });
}

/** Times are printed, not checked: they depend on the load of the machine. */
async function checkLarge(browser: Browser): Promise<void> {
  const file = join(reports ?? "", "arxiv.html");
  await check("arxiv: is below 25 MB", async () => {
    const size = (await stat(file)).size;
    assert.ok(size < 25 * MEGABYTE, `${size} bytes`);
    const { page } = await openReport(browser, file);
    const { firstPaintMs, mapReadyMs } = await page.evaluate(() => ({
      firstPaintMs: window.girReport.firstPaintMs,
      mapReadyMs: window.girReport.mapReadyMs ?? 0,
    }));
    console.log(
      `        ${(size / MEGABYTE).toFixed(1)} MB, first paint ${firstPaintMs.toFixed(0)} ms, map ready ${mapReadyMs.toFixed(0)} ms`,
    );
    await page.context().close();
  });
}

/** A page whose data is broken says so. */
async function checkBroken(browser: Browser): Promise<void> {
  await check("a template without data says one sentence", async () => {
    const { page, problems } = await openReport(browser, join("dist", "report.html"));
    assert.match((await page.locator("main").textContent()) ?? "", /^This report cannot be shown: .*\.$/);
    assert.deepEqual(problems, []);
    await page.context().close();
  });
}

await mkdir(screenshots, { recursive: true });
const browser = await startBrowser();
try {
  await checkBroken(browser);
  for (const name of ["karate", "pb", "fusion", "arxiv"]) {
    if (!(only?.includes(name) ?? true)) continue;
    if (!existsSync(join(reports, `${name}.html`))) throw new Error(`${name}.html is not in ${reports}`);
    await checkRun(browser, name);
    await checkMedia(browser, name);
    if (name === "arxiv") await checkLarge(browser);
  }
  if (only?.includes("grid") ?? true) {
    await checkGrid(browser);
    await checkMedia(browser, "grid");
  }
} finally {
  await browser.close();
}
console.log(failures === 0 ? "all passed" : `${failures} failed`);
process.exitCode = failures === 0 ? 0 : 1;
