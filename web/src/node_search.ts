import { h } from "./dom";

/** Maximum number of ids that a search offers. */
const OFFERED = 20;

/** Ids that begin with the text, then those that contain it. */
export function matchingIds(ids: readonly string[], text: string, limit = OFFERED): string[] {
  const wanted = text.toLowerCase();
  const starting: string[] = [];
  const containing: string[] = [];
  for (const id of ids) {
    const at = id.toLowerCase().indexOf(wanted);
    if (at === 0) starting.push(id);
    else if (at > 0 && containing.length < limit) containing.push(id);
    if (starting.length >= limit) break;
  }
  return [...starting, ...containing].slice(0, limit);
}

export interface SearchSpec {
  ids: readonly string[];
  onFound: (node: number) => void;
  onUnknown: (text: string) => void;
}

/** A field that finds a node by its id; Enter selects it. */
export function nodeSearch(spec: SearchSpec): HTMLElement {
  const list = h("datalist", { id: "node-ids" });
  const field = h("input", {
    type: "search",
    list: "node-ids",
    autocomplete: "off",
    placeholder: "id, then Enter",
    "data-control": "search",
  });
  let numbers: Map<string, number> | undefined;
  const go = (): void => {
    const text = field.value.trim();
    if (text === "") return;
    numbers ??= new Map(spec.ids.map((id, node) => [id, node]));
    const node = numbers.get(text) ?? numbers.get(field.value);
    if (node === undefined) spec.onUnknown(text);
    else spec.onFound(node);
  };
  field.addEventListener("input", () => {
    const text = field.value.trim();
    list.replaceChildren(...(text === "" ? [] : matchingIds(spec.ids, text)).map((id) => h("option", { value: id })));
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") go();
  });
  return h("label", { class: "field" }, h("span", {}, "Find a node"), field, list);
}
