import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { pathToFileURL } from "node:url";

/** What must not happen on a page: errors, warnings of level error, requests. */
export interface Watch {
  problems: string[];
}

export async function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
}

/** Opens a report from disk and waits until everything is drawn. */
export async function openReport(
  browser: Browser,
  file: string,
  options: BrowserContextOptions = {},
): Promise<{ page: Page } & Watch> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const problems: string[] = [];
  const address = pathToFileURL(file).href;
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`page: ${error.message}`));
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const local = request.url().startsWith(address) || request.url().startsWith("data:");
    if (!local) problems.push(`request: ${request.url()}`);
  });
  await page.goto(address);
  await page.evaluate(() => window.girReport.ready);
  return { page, problems };
}

/** Number of pixels of a chart's canvases that are not empty. */
export function inkOf(page: Page, chart: string): Promise<number> {
  return page.evaluate((selector) => {
    let ink = 0;
    for (const canvas of document.querySelectorAll<HTMLCanvasElement>(`${selector} canvas`)) {
      const data = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
      for (let i = 3; i < data.length; i += 4) if (data[i] !== 0) ++ink;
    }
    return ink;
  }, chart);
}

/** A short number that changes whenever a chart's picture does. */
export function pictureOf(page: Page, chart: string): Promise<number> {
  return page.evaluate((selector) => {
    let hash = 0;
    for (const canvas of document.querySelectorAll<HTMLCanvasElement>(`${selector} canvas`)) {
      const data = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
      for (let i = 0; i < data.length; i += 1) hash = (Math.imul(hash, 31) + (data[i] ?? 0)) | 0;
    }
    return hash;
  }, chart);
}

/** Waits until a chart's picture is no longer the given one, and no longer changes. */
export async function waitForChange(page: Page, chart: string, before: number): Promise<void> {
  let last = before;
  for (let attempt = 0; attempt < 80; ++attempt) {
    await page.waitForTimeout(100);
    const now = await pictureOf(page, chart);
    if (now !== before && now === last) return;
    last = now;
  }
  throw new Error(`${chart} did not change`);
}
