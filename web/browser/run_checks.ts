import assert from "node:assert/strict";
import type { Page } from "playwright-core";

import { percent } from "../src/format";
import type { NumberOrNull } from "../src/payload";
import { inkOf, pictureOf, waitForChange } from "./chromium";

/** The parts of gir's result.json that the page shows. */
export interface ResultFile {
  test: NumberOrNull;
  metric: string;
  best_epoch: number;
  test_metrics: Record<string, NumberOrNull>;
  valid_metrics?: Record<string, NumberOrNull>;
}

const MAP = '[data-chart="map"]';

async function textOf(page: Page, selector: string): Promise<string> {
  return ((await page.locator(selector).first().textContent()) ?? "").trim();
}

/** The page shows what the result file says. */
export async function checkMetrics(page: Page, result: ResultFile): Promise<void> {
  assert.equal(await textOf(page, '[data-value="test"]'), percent(result.test));
  assert.equal((await textOf(page, '[data-value="best-epoch"]')).replaceAll(",", ""), String(result.best_epoch));
  for (const [part, metrics] of [
    ["test", result.test_metrics],
    ["valid", result.valid_metrics ?? {}],
  ] as const) {
    for (const [key, value] of Object.entries(metrics)) {
      assert.equal(await textOf(page, `[data-${part}-metric="${key}"]`), percent(value, 2), `${part} ${key}`);
    }
  }
}

/** Every section exists and agrees with the result file. */
export async function checkSections(page: Page, sections: readonly string[], result: ResultFile): Promise<void> {
  for (const id of sections) assert.equal(await page.locator(`#${id}`).count(), 1, `section ${id}`);
  const { accuracy, roc_auc, ec } = result.test_metrics;
  if (sections.includes("confusion")) {
    const cells = await page
      .locator(".confusion tbody tr")
      .evaluateAll((rows) =>
        rows.map((row) =>
          [...row.querySelectorAll("td:not(.row-share)")].map((cell) =>
            Number(cell.textContent?.replace(/[^0-9]/g, "") || 0),
          ),
        ),
      );
    const classes = cells.length;
    let [total, diagonal] = [0, 0];
    cells.forEach((row, at) => {
      row.slice(0, classes).forEach((cell) => (total += cell));
      diagonal += row[at] ?? 0;
    });
    assert.ok(Math.abs(diagonal / total - (accuracy ?? -1)) < 1e-9, `${diagonal} of ${total} on the diagonal`);
  }
  if (sections.includes("pairs")) {
    const label = (await page.locator('[data-chart="roc"]').getAttribute("aria-label")) ?? "";
    assert.ok(label.includes((roc_auc ?? -1).toFixed(3)), label);
  }
  if (sections.includes("fusion")) {
    assert.equal(await textOf(page, '[data-value="fused"]'), percent(accuracy));
    assert.ok((await textOf(page, "#fusion")).includes(percent(ec)), "EC");
  }
}

/** Every chart on the page has something on it. */
export async function checkInk(page: Page): Promise<void> {
  const kinds = await page
    .locator("[data-chart]")
    .evaluateAll((all) => all.map((one) => one.getAttribute("data-chart") ?? ""));
  assert.ok(kinds.length > 0, "there are charts");
  for (const kind of new Set(kinds)) assert.ok((await inkOf(page, `[data-chart="${kind}"]`)) > 500, `${kind} is empty`);
  const unnamed = await page.locator("[data-chart]:not([aria-label]), [data-chart][aria-label='']").count();
  assert.equal(unnamed, 0, "every chart has a summary in words");
}

/** Chooses every option of a select in turn; the picture has to change each time. */
async function tryOptions(page: Page, control: string): Promise<number[]> {
  const select = page.locator(`[data-control="${control}"]`);
  const values = await select
    .locator("option")
    .evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value));
  const times: number[] = [];
  for (const value of [...values.slice(1), ...(values.length > 1 ? values.slice(0, 1) : [])]) {
    const before = await pictureOf(page, MAP);
    times.push(await timedSelect(page, control, value));
    await waitForChange(page, MAP, before);
  }
  return times;
}

/** Milliseconds that the page's own thread is busy with a choice. */
function timedSelect(page: Page, control: string, value: string): Promise<number> {
  return page.evaluate(
    ([name, chosen]) => {
      const select = document.querySelector<HTMLSelectElement>(`[data-control="${name}"]`);
      if (select === null) throw new Error(`no control ${name}`);
      const start = performance.now();
      select.value = chosen ?? "";
      select.dispatchEvent(new Event("change", { bubbles: true }));
      return new Promise<number>((resolve) =>
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start), 0)),
      );
    },
    [control, value],
  );
}

export async function checkMapChoices(page: Page): Promise<{ colour: number[]; layout: number[] }> {
  const colour = await tryOptions(page, "colour");
  const layout = await tryOptions(page, "layout");
  const entry = page.locator(".legend-entry").first();
  const before = await pictureOf(page, MAP);
  await entry.focus();
  await page.keyboard.press("Enter");
  assert.equal(await entry.getAttribute("aria-pressed"), "false");
  await waitForChange(page, MAP, before);
  await page.keyboard.press("Enter");
  assert.equal(await entry.getAttribute("aria-pressed"), "true");
  return { colour, layout };
}

export async function checkSearch(page: Page): Promise<void> {
  const panel = page.locator('[data-panel="node"]');
  const field = page.locator('[data-control="search"]');
  const { id, name } = await page.evaluate(() => {
    const payload = JSON.parse(document.getElementById("gir-payload")?.textContent ?? "{}");
    return { id: String(payload.run.map.ids[1]), name: String(payload.run.map.columns[0]?.name ?? "") };
  });
  const before = await pictureOf(page, MAP);
  await field.fill(id);
  await field.press("Enter");
  const text = (await panel.textContent()) ?? "";
  assert.ok(text.includes(id) && text.includes(name), `the panel shows ${id}`);
  assert.equal(await panel.locator("script").count(), 0, "an id is text");
  await waitForChange(page, MAP, before);
  await field.fill("no such node");
  await field.press("Enter");
  assert.match((await panel.textContent()) ?? "", /None of the nodes shown has the id no such node/);
  await page.locator('[data-control="fit"]').click();
}

export async function checkFrontier(page: Page): Promise<void> {
  const slider = page.locator('[data-control="frontier"]');
  const text = (): Promise<string> => textOf(page, '[data-value="frontier"]');
  await slider.fill("0");
  const atStart = await text();
  assert.match(atStart, /^layer 0: [\d,]+ of [\d,]+ nodes/);
  await slider.focus();
  await page.keyboard.press("ArrowRight");
  assert.match(await text(), /^layer 1: /);
  assert.notEqual((await text()).slice(8), atStart.slice(8));
  await slider.fill("0");
  const [labels] = await Promise.all([pauseAtLayer(page, 1), page.locator('[data-control="play"]').click()]);
  assert.deepEqual(labels, ["Pause", "Play"]);
  await page.waitForTimeout(1500);
  assert.match(await text(), /^layer 1: /, "the frontier stays where it was paused");
}

/**
 * Pauses the frontier as soon as it plays this layer; the labels of the button before and after. The page does it itself,
 * because on a busy machine the remaining layers may be over before a click from outside arrives.
 */
function pauseAtLayer(page: Page, layer: number): Promise<string[]> {
  return page.evaluate(
    (beginning) =>
      new Promise<string[]>((resolve, reject) => {
        const play = document.querySelector<HTMLButtonElement>('[data-control="play"]');
        const status = document.querySelector('[data-value="frontier"]');
        if (play === null || status === null) return reject(new Error("the frontier has no controls"));
        new MutationObserver((_, observer) => {
          if (!status.textContent?.startsWith(beginning)) return;
          observer.disconnect();
          const before = play.textContent ?? "";
          play.click();
          resolve([before, play.textContent ?? ""]);
        }).observe(status, { childList: true, characterData: true, subtree: true });
        setTimeout(() => reject(new Error(`the frontier does not play ${beginning}`)), 30000);
      }),
    `layer ${layer}:`,
  );
}

/** Goes back to the graph without its frontier. */
export async function endFrontier(page: Page): Promise<void> {
  const off = page.locator('[data-control="frontier-off"]');
  await off.click();
}

export async function checkZoom(page: Page): Promise<void> {
  for (const control of ["zoom-in", "zoom-out", "zoom-in", "fit"]) {
    const before = await pictureOf(page, MAP);
    await page.locator(`[data-control="${control}"]`).click();
    await waitForChange(page, MAP, before);
  }
}

/** The wheel zooms and dragging moves, and the page stays where it is. */
export async function checkPointer(page: Page): Promise<void> {
  await page.locator(MAP).scrollIntoViewIfNeeded();
  const box = await page.locator(MAP).boundingBox();
  assert.ok(box !== null);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const scrolled = await page.evaluate(() => scrollY);
  const atRest = await pictureOf(page, MAP);
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, -300);
  await waitForChange(page, MAP, atRest);
  assert.equal(await page.evaluate(() => scrollY), scrolled);
  const zoomed = await pictureOf(page, MAP);
  await page.mouse.down();
  await page.mouse.move(x + 60, y + 40, { steps: 4 });
  await page.mouse.up();
  await waitForChange(page, MAP, zoomed);
  await page.locator('[data-control="fit"]').click();
}

/** The curves are zoomed by keys. */
export async function checkCurveKeys(page: Page): Promise<void> {
  const chart = '[data-chart="curves"]';
  await page.locator(chart).focus();
  for (const key of ["+", "ArrowLeft", "0"]) {
    const before = await pictureOf(page, chart);
    await page.keyboard.press(key);
    await waitForChange(page, chart, before);
  }
}

/** Tab reaches the map from the control before it; arrow keys and plus work there. */
export async function checkKeyboard(page: Page): Promise<void> {
  await page.locator('[data-control="fit"]').focus();
  let reached = false;
  for (let press = 0; press < 8 && !reached; ++press) {
    await page.keyboard.press("Tab");
    reached = await page.evaluate(() => document.activeElement?.getAttribute("data-chart") === "map");
  }
  assert.ok(reached, "Tab reaches the map");
  for (const key of ["+", "+", "ArrowRight", "ArrowUp", "0"]) {
    const before = await pictureOf(page, MAP);
    await page.keyboard.press(key);
    await waitForChange(page, MAP, before);
  }
}

/** Pointing at a node shows its facts as text. */
export async function checkHover(page: Page): Promise<void> {
  const box = await page.locator(MAP).boundingBox();
  assert.ok(box !== null);
  await page.locator(MAP).scrollIntoViewIfNeeded();
  const tooltip = page.locator(".map-tooltip");
  const now = (await page.locator(MAP).boundingBox()) ?? box;
  for (let y = 0.1; y < 0.95; y += 0.05) {
    for (let x = 0.1; x < 0.95; x += 0.04) {
      await page.mouse.move(now.x + now.width * x, now.y + now.height * y);
      if (await tooltip.isVisible()) {
        assert.match((await tooltip.textContent()) ?? "", /^node /);
        return;
      }
    }
  }
  assert.fail("no node was found under the pointer");
}
