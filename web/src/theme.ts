import { coloursOf, type Colours, type Theme } from "./colours";
import { button } from "./dom";

type Choice = "auto" | Theme;
const CHOICES: readonly Choice[] = ["auto", "light", "dark"];

let choice: Choice = "auto";
let printing = false;
const listeners: (() => void)[] = [];

function prefersDark(): MediaQueryList {
  return matchMedia("(prefers-color-scheme: dark)");
}

/** The active theme; printed pages are always light. */
export function theme(): Theme {
  if (printing) return "light";
  if (choice === "auto") return prefersDark().matches ? "dark" : "light";
  return choice;
}

export function colours(): Colours {
  return coloursOf(theme());
}

export function isPrinting(): boolean {
  return printing;
}

/** Calls `listener` after every change of the colours, and before and after printing. */
export function onThemeChange(listener: () => void): void {
  listeners.push(listener);
}

function apply(): void {
  document.documentElement.dataset.theme = theme();
  for (const listener of listeners) listener();
}

function setPrinting(value: boolean): void {
  if (printing === value) return;
  printing = value;
  apply();
}

/** Starts to follow the theme of the system, and printing. */
export function startTheme(): void {
  prefersDark().addEventListener("change", apply);
  matchMedia("print").addEventListener("change", (event) => setPrinting(event.matches));
  addEventListener("beforeprint", () => setPrinting(true));
  addEventListener("afterprint", () => setPrinting(false));
  apply();
}

export function themeButton(): HTMLButtonElement {
  const element = button(
    `Theme: ${choice}`,
    () => {
      choice = CHOICES[(CHOICES.indexOf(choice) + 1) % CHOICES.length] ?? "auto";
      element.textContent = `Theme: ${choice}`;
      apply();
    },
    { "data-control": "theme" },
  );
  return element;
}
