import { button, h, pairList, section } from "./dom";
import type { Run } from "./payload";

/** The command that repeats the run, details of the run, and its configuration. */
export function settingsSection(run: Run): HTMLElement {
  return section(
    "settings",
    "Settings",
    h("h3", {}, "Command"),
    commandLine(run.command),
    h("h3", {}, "Details"),
    pairList([["folder", run.folder], ...run.facts]),
    h("h3", {}, "Configuration"),
    settingsList(run.settings),
  );
}

export function commandLine(command: string): HTMLElement {
  if (command === "") return h("p", {}, "The command was not recorded.");
  const status = h("span", { role: "status" });
  const copy = button("Copy", () => {
    copyText(command).then(
      () => (status.textContent = "Copied."),
      () => (status.textContent = "The browser does not allow the page to copy."),
    );
  });
  return h("div", { class: "command" }, h("code", { tabindex: 0 }, command), copy, status);
}

/** Some browsers have no clipboard API for pages opened from disk; execCommand works there. */
async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = h("textarea", { class: "visually-hidden" }, text);
    document.body.append(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    if (!copied) throw new Error("not copied");
  }
}

export function settingsList(settings: readonly (readonly [string, string])[]): HTMLElement {
  const list = pairList(settings.map(([name, value]) => [name, value === "" ? "–" : value]));
  list.classList.add("settings");
  const rows = settings.map(([name, value], position) => {
    const row = list.children[position] as HTMLElement;
    return { row, text: `${name} ${value}`.toLowerCase() };
  });
  const field = h("input", { type: "search", autocomplete: "off", "data-control": "filter" });
  const status = h("span", { role: "status", class: "hint" });
  field.addEventListener("input", () => {
    const wanted = field.value.trim().toLowerCase();
    for (const { row, text } of rows) row.hidden = !text.includes(wanted);
    status.textContent = wanted === "" ? "" : `${rows.filter(({ row }) => !row.hidden).length} of ${rows.length} shown`;
  });
  const filter = h("label", { class: "field" }, h("span", {}, "Filter"), field);
  return h("div", {}, h("div", { class: "controls no-print" }, filter, status), list);
}
