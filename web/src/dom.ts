type Child = Node | string | null | undefined;
type Attributes = Record<string, string | number | boolean | undefined>;

/** An element with its children; strings become text, so data can never turn into markup. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) {
    if (child !== null && child !== undefined) element.append(child);
  }
  return element;
}

/** A section with its heading; `id` is what the navigation points to. */
export function section(id: string, heading: string, ...children: Child[]): HTMLElement {
  return h(
    "section",
    { id, "aria-labelledby": `${id}-heading` },
    h("h2", { id: `${id}-heading` }, heading),
    ...children,
  );
}

export function button(label: string, onClick: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const element = h("button", { type: "button", ...attributes }, label);
  element.addEventListener("click", onClick);
  return element;
}

export interface SelectSpec {
  label: string;
  control: string;
  options: { value: string; name: string }[];
  value?: string;
  onChange: (value: string) => void;
}

/** A labelled drop-down list. */
export function select(spec: SelectSpec): { element: HTMLElement; input: HTMLSelectElement } {
  const input = h("select", { "data-control": spec.control });
  for (const option of spec.options) input.append(h("option", { value: option.value }, option.name));
  if (spec.value !== undefined) input.value = spec.value;
  input.addEventListener("change", () => spec.onChange(input.value));
  return { element: h("label", { class: "field" }, h("span", {}, spec.label), input), input };
}

/** Text for screen readers only. */
export function hidden(text: string): HTMLElement {
  return h("span", { class: "visually-hidden" }, text);
}

/** Name and value pairs as a definition list. */
export function pairList(pairs: readonly (readonly [string, string])[]): HTMLElement {
  const list = h("dl", { class: "pairs" });
  for (const [name, value] of pairs) list.append(h("div", {}, h("dt", {}, name), h("dd", {}, value)));
  return list;
}

/** Content of an ECharts tooltip, first line emphasised. An element: ECharts would parse a string as markup. */
export function tooltipLines(lines: readonly string[]): HTMLElement {
  const box = h("div", { class: "tooltip-lines" });
  lines.forEach((line, position) => box.append(h(position === 0 ? "strong" : "span", {}, line)));
  return box;
}
