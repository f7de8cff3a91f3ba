import type { Confusion, NumberOrNull, Fusion, NodeMap, Packed, PairScores, Payload, Run } from "../src/payload";
import { bell, randomFrom } from "./random";

/** Numbers as a payload holds them. */
export function pack(values: Uint8Array | Uint16Array | Uint32Array | Float32Array): Packed {
  const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  const type = { 1: "u8", 2: "u16", 4: values instanceof Float32Array ? "f32" : "u32" }[values.BYTES_PER_ELEMENT];
  return { type: type as Packed["type"], data: bytes.toString("base64") };
}

export interface GraphSize {
  nodes: number;
  edges: number;
  anchors: number;
  classes: number;
}

/** An id that would run as a script if it were put into the page as markup. */
export const HOSTILE_ID = "<script>alert(1)</script>";

const LAYERS = 4;

/** A graph with one round cluster per class; 95 % of the edges are drawn within a cluster. */
export function sampleMap(size: GraphSize, seed = 1): NodeMap {
  const random = randomFrom(seed);
  const { nodes, classes } = size;
  const label = new Uint16Array(nodes);
  for (let i = 0; i < nodes; ++i) label[i] = Math.min(classes - 1, Math.floor(random() ** 1.6 * classes));
  const prediction = label.map((own) => (random() < 0.82 ? own : Math.floor(random() * classes)));
  const error = label.map((own, i) => (own === prediction[i] ? 0 : 1));
  const part = new Uint16Array(nodes).map(() => [0, 0, 0, 1, 2, 65535][Math.floor(random() * 6)] ?? 0);
  const anchors = Array.from({ length: size.anchors }, (_, i) => Math.floor((i * nodes) / size.anchors));
  const { source, target } = sampleEdges(size, label, random);
  const arrival = arrivals(nodes, anchors, source, target);
  const carries = new Uint8Array(source.length).map((_, i) => {
    const [from, to] = [arrival[source[i] ?? 0] ?? 255, arrival[target[i] ?? 0] ?? 255];
    return Math.abs(from - to) === 1 && Math.max(from, to) < 255 ? Math.max(from, to) : 255;
  });
  const distance = new Float32Array(nodes).map((_, i) => (arrival[i] === 255 ? NaN : (arrival[i] ?? 0)));
  const gate = new Float32Array(nodes).map(() => 1 / (1 + Math.exp(-1.5 * bell(random))));
  const names = Array.from({ length: classes }, (_, i) => `class ${i + 1}`);
  return {
    nodes,
    total_nodes: nodes,
    ids: Array.from({ length: nodes }, (_, i) => (i === 1 ? HOSTILE_ID : `n${i}`)),
    layouts: [
      { key: "layout", name: "forces", ...clusters(label, classes, 0.055, random) },
      { key: "components", name: "principal components", ...clusters(label, classes, 0.12, random) },
    ],
    edges: { source: pack(source), target: pack(target), total: source.length },
    anchors,
    columns: [
      { key: "label", name: "label", kind: "category", categories: names, values: pack(label) },
      { key: "prediction", name: "prediction", kind: "category", categories: names, values: pack(prediction) },
      { key: "error", name: "correct or wrong", kind: "category", categories: ["right", "wrong"], values: pack(error) },
      { key: "part", name: "part", kind: "category", categories: ["train", "valid", "test"], values: pack(part) },
      { key: "distance", name: "hops to the nearest anchor", kind: "number", values: pack(distance) },
      { key: "gate-1", name: "gate weight", kind: "number", values: pack(gate) },
    ],
    frontier: { arrival: pack(arrival), edges: pack(carries), layers: LAYERS },
  };
}

function clusters(label: Uint16Array, classes: number, spread: number, random: () => number): { x: Packed; y: Packed } {
  const turn = random();
  const place = (along: (angle: number) => number): Packed => {
    const values = new Uint16Array(label.length).map((_, i) => {
      const centre = 0.5 + 0.33 * along(2 * Math.PI * ((label[i] ?? 0) / classes + turn));
      return Math.round(65535 * Math.min(1, Math.max(0, centre + spread * bell(random))));
    });
    return pack(values);
  };
  return { x: place(Math.cos), y: place(Math.sin) };
}

function sampleEdges(
  size: GraphSize,
  label: Uint16Array,
  random: () => number,
): { source: Uint32Array; target: Uint32Array } {
  const members: number[][] = Array.from({ length: size.classes }, () => []);
  label.forEach((own, node) => members[own]?.push(node));
  const source = new Uint32Array(size.edges);
  const target = new Uint32Array(size.edges);
  for (let edge = 0; edge < size.edges; ++edge) {
    const from = Math.floor(random() * size.nodes);
    const alike = members[label[from] ?? 0] ?? [];
    source[edge] = from;
    target[edge] =
      random() < 0.95 ? (alike[Math.floor(random() * alike.length)] ?? 0) : Math.floor(random() * size.nodes);
  }
  return { source, target };
}

function arrivals(nodes: number, anchors: number[], source: Uint32Array, target: Uint32Array): Uint8Array {
  const arrival = new Uint8Array(nodes).fill(255);
  for (const anchor of anchors) arrival[anchor] = 0;
  for (let layer = 1; layer <= LAYERS; ++layer) {
    source.forEach((from, edge) => {
      const to = target[edge] ?? 0;
      if (arrival[from] === layer - 1 && arrival[to] === 255) arrival[to] = layer;
      if (arrival[to] === layer - 1 && arrival[from] === 255) arrival[from] = layer;
    });
  }
  return arrival;
}

function sampleCurve(epochs: number, random: () => number): Run["curve"] {
  const epoch = Array.from({ length: Math.ceil(epochs / 5) }, (_, i) => 5 * i + 5);
  const loss = epoch.map<NumberOrNull>((at) => 0.4 + 1.8 * Math.exp(-at / 60) + 0.03 * bell(random));
  const valid = epoch.map<NumberOrNull>((at) => 0.83 - 0.6 * Math.exp(-at / 45) + 0.008 * bell(random));
  loss[7] = null;
  valid[7] = null;
  return { epoch, loss, valid };
}

const SETTINGS: [string, string][] = [
  ["model", "gir-a"],
  ["layers", "4"],
  ["hidden", "64"],
  ["learning_rate", "0.003"],
  ["anchors", "log2"],
  ["dropout", "0.5"],
  ["epochs", "400"],
  ["seed", "0"],
];

function sampleRun(name: string, random: () => number): Run {
  const command = `gir train --dataset ${name} --task nc --model gir-a --seed 0 --split 0 -o runs/${name}`;
  return {
    folder: `runs/${name}`,
    dataset: name,
    task: "nc",
    model: "gir-a",
    command,
    settings: SETTINGS,
    facts: [
      ["nodes", "see the map"],
      ["parameters", "18,432"],
      ["time", "12.4 s"],
      ["device", "cpu"],
    ],
    metric: "accuracy",
    result: {
      test: { accuracy: 0.8571, macro_f1: 0.8432, loss: null },
      valid: { accuracy: 0.8462, macro_f1: 0.8329, loss: null },
      best_epoch: 285,
      epochs: 400,
      interrupted: false,
      interval: { low: 0.832, high: 0.879, judged: 1234, what: "nodes" },
    },
    curve: sampleCurve(400, random),
  };
}

export function sampleConfusion(classes: number, seed = 3): Confusion {
  const random = randomFrom(seed);
  const names = Array.from({ length: classes }, (_, i) => `class ${i + 1}`);
  const matrix = names.map((_, label) =>
    names.map((_, other) => Math.floor(label === other ? 40 + 400 * random() : 12 * random() ** 3)),
  );
  return { names, matrix };
}

export function sampleNodeRun(name: string, size: GraphSize, seed = 1): Payload {
  const run = sampleRun(name, randomFrom(seed));
  return {
    format: 1,
    version: "0.2.0",
    title: `gir-a on ${name}`,
    notes: [],
    run: { ...run, map: sampleMap(size, seed), classes: sampleConfusion(size.classes) },
  };
}

function samplePairs(random: () => number): PairScores {
  const positives = Array.from({ length: 20 }, (_, bin) => Math.round(30 * Math.exp(bin / 6) * (0.8 + 0.4 * random())));
  const negatives = [...positives].reverse().map((value) => Math.round(value * (0.7 + 0.4 * random())));
  const false_positive = Array.from({ length: 60 }, (_, i) => i / 59);
  return {
    positives,
    negatives,
    roc: { false_positive, true_positive: false_positive.map((value) => value ** 0.2) },
    auc: 0.8333,
  };
}

export function samplePairRun(name: string): Payload {
  const random = randomFrom(5);
  const run = sampleRun(name, random);
  const metrics = { roc_auc: 0.8333, average_precision: 0.8121, "hits@10": 0.42, mrr: null };
  const map = { ...sampleMap({ nodes: 1222, edges: 9000, anchors: 22, classes: 2 }, 5), total_nodes: 1500 };
  const result = {
    test: metrics,
    valid: { ...metrics, roc_auc: 0.841 },
    best_epoch: 395,
    epochs: 400,
    interrupted: true,
  };
  return {
    format: 1,
    version: "0.2.0",
    title: `gir-a on ${name}`,
    notes: ["The map shows 1,222 of 1,500 nodes: those of the largest component.", "No predictions were kept."],
    run: { ...run, task: "lp", metric: "roc_auc", result, map, pairs: samplePairs(random) },
  };
}

function sampleFusion(): Fusion {
  const gate = Array.from({ length: 20 }, (_, bin) => Math.round(300 * Math.exp(-(((bin - 12) / 4) ** 2))));
  return {
    experts: [
      { name: "gir-a", accuracy: 0.812, ec: 0.31 },
      { name: "gcn", accuracy: 0.798, ec: 0.28 },
    ],
    accuracy: 0.8571,
    ec: 0.295,
    gates: [gate, [...gate].reverse()],
    outcomes: [
      { right: ["gir-a", "gcn"], nodes: 1620, fused_right: 1610 },
      { right: ["gir-a"], nodes: 210, fused_right: 171 },
      { right: ["gcn"], nodes: 180, fused_right: 128 },
      { right: [], nodes: 170, fused_right: 6 },
    ],
  };
}

export function sampleFusionRun(name: string): Payload {
  const payload = sampleNodeRun(name, { nodes: 2485, edges: 5069, anchors: 24, classes: 7 }, 7);
  if (payload.run !== undefined) payload.run = { ...payload.run, model: "gir-a+gcn", fusion: sampleFusion() };
  return payload;
}
