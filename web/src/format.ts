import type { NumberOrNull } from "./payload";

/** Shown in place of a missing value. */
export const MISSING = "–";

const counts = new Intl.NumberFormat("en-US");

/** 1234567 as 1,234,567. */
export function count(value: number): string {
  return counts.format(value);
}

/** "1 node", "2 nodes". */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** A share of 1 in percent: 0.857 as "85.7 %". */
export function percent(share: NumberOrNull | undefined, digits = 1): string {
  return share === null || share === undefined ? MISSING : `${fixed(share * 100, digits)} %`;
}

/** A value that is in percent already: 85.71 as "85.71 %". */
export function points(value: NumberOrNull, digits = 2): string {
  return value === null ? MISSING : `${fixed(value, digits)} %`;
}

/** Rounded, without "-0.0". */
export function fixed(value: NumberOrNull | undefined, digits = 1): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return MISSING;
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", "−");
}

/** With "+" if it is above zero. */
export function signed(value: NumberOrNull, digits = 2): string {
  const text = fixed(value, digits);
  return value !== null && Number(value.toFixed(digits)) > 0 ? `+${text}` : text;
}

/** "85.7 ± 0.4"; only the mean if there is no standard deviation. */
export function meanSd(mean: NumberOrNull, sd: NumberOrNull, digits = 1): string {
  if (mean === null) return MISSING;
  return sd === null ? fixed(mean, digits) : `${fixed(mean, digits)} ± ${fixed(sd, digits)}`;
}

/** A p value: small ones as "< 0.001". */
export function pValue(value: NumberOrNull): string {
  if (value === null) return MISSING;
  return value < 0.001 ? "< 0.001" : value.toFixed(3);
}

/** A number of any size in few characters, for tooltips and bins. */
export function compact(value: number): string {
  if (!Number.isFinite(value)) return MISSING;
  if (Number.isInteger(value)) return fixed(value, 0);
  const size = Math.abs(value);
  if (size !== 0 && (size < 0.001 || size >= 1e6)) return value.toExponential(2).replace("-", "−");
  return fixed(value, size < 1 ? 3 : 2);
}

export function seconds(value: NumberOrNull): string {
  if (value === null) return MISSING;
  return value < 120 ? `${fixed(value, value < 10 ? 2 : 1)} s` : `${fixed(value / 60, 1)} min`;
}

/** "roc_auc" as "ROC AUC", "hits@10" as "hits@10", "ec_2" as "EC, gir-5": the name of a metric by its key. */
export function metricName(key: string, experts: readonly string[] = []): string {
  const [, kind, number] = /^(\w+)_(\d+)$/.exec(key) ?? [];
  const expert = number === undefined ? undefined : experts[Number(number) - 1];
  if (kind !== undefined && expert !== undefined) return `${metricName(kind)}, ${expert}`;
  const known: Record<string, string> = {
    accuracy: "accuracy",
    roc_auc: "ROC AUC",
    average_precision: "average precision",
    mrr: "MRR",
    ec: "EC",
    macro_f1: "macro F1",
    macro_auc: "macro AUC",
    macro_ap: "macro AP",
    micro_f1: "micro F1",
  };
  return known[key] ?? key.replaceAll("_", " ").replace(/^ec /, "EC ");
}

export const TASK_NAMES: Record<string, string> = {
  nc: "node classification",
  lp: "link prediction",
  npc: "node pair classification",
};

/** With a capital first letter, for headings and row names. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
