export type Theme = "light" | "dark";

/** Colours of the charts; style.css has the same ones for the rest of the page. */
export interface Colours {
  text: string;
  muted: string;
  line: string;
  background: string;
  surface: string;
  accent: string;
  second: string;
  /** Okabe and Ito's eight, fit for colour-blind readers; the neutral one is last. */
  categories: readonly string[];
  /** Nodes without a value. */
  none: string;
  /** Nodes that the frontier has not reached. */
  faded: string;
  edge: string;
  edgeEmphasis: string;
}

const OKABE_ITO = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00"];

const LIGHT: Colours = {
  text: "#1b1d21",
  muted: "#555b64",
  line: "#d4d7dc",
  background: "#ffffff",
  surface: "#f6f6f4",
  accent: "#0b5fa5",
  second: "#b34700",
  categories: [...OKABE_ITO, "#c4b400", "#5c6068"],
  none: "#b9bdc4",
  faded: "#d9dce1",
  edge: "rgba(70, 78, 92, 0.28)",
  edgeEmphasis: "#c2185b",
};

const DARK: Colours = {
  text: "#e7e9ec",
  muted: "#a8afba",
  line: "#3a404a",
  background: "#14161a",
  surface: "#1c1f25",
  accent: "#7ab8f0",
  second: "#f2a35e",
  categories: ["#3d9bdc", ...OKABE_ITO.slice(1), "#f0e442", "#b0b4bb"],
  none: "#5d636d",
  faded: "#343941",
  edge: "rgba(176, 186, 202, 0.26)",
  edgeEmphasis: "#ff7fb0",
};

export function coloursOf(theme: Theme): Colours {
  return theme === "dark" ? DARK : LIGHT;
}

const VIRIDIS: readonly [number, number, number][] = [
  [68, 1, 84],
  [71, 45, 123],
  [59, 82, 139],
  [44, 114, 142],
  [33, 145, 140],
  [40, 174, 128],
  [94, 201, 98],
  [173, 220, 48],
  [253, 231, 37],
];

/** Viridis at `share` of its range, without the end that is too close to the background of the page. */
export function rampColour(share: number, theme: Theme): string {
  const [from, to] = theme === "dark" ? [0.18, 1] : [0, 0.88];
  const place = (from + Math.min(1, Math.max(0, share)) * (to - from)) * (VIRIDIS.length - 1);
  const below = VIRIDIS[Math.floor(place)] ?? [0, 0, 0];
  const above = VIRIDIS[Math.ceil(place)] ?? below;
  const part = place - Math.floor(place);
  const mixed = below.map((value, channel) => Math.round(value + part * ((above[channel] ?? value) - value)));
  return `rgb(${mixed.join(", ")})`;
}

/** Symbols that go with the category colours in small graphs; diamonds are reserved for anchors. */
export const CATEGORY_SYMBOLS: readonly string[] = [
  "circle",
  "rect",
  "triangle",
  "path://M0,0L10,0L5,9Z",
  "path://M3.5,0H6.5V3.5H10V6.5H6.5V10H3.5V6.5H0V3.5H3.5Z",
  "path://M5,0L10,3.8L8.1,10H1.9L0,3.8Z",
  "path://M2,0L5,3L8,0L10,2L7,5L10,8L8,10L5,7L2,10L0,8L3,5L0,2Z",
  "path://M0,2.5H10V7.5H0Z",
];
