import { count } from "./format";

/** Number of nodes that messages from the anchors have reached after layer 0 .. layers. */
export function arrivedCounts(arrival: ArrayLike<number>, layers: number): number[] {
  const counts = new Array<number>(layers + 1).fill(0);
  for (let node = 0; node < arrival.length; ++node) {
    const layer = arrival[node] ?? 255;
    if (layer <= layers) counts[layer] = (counts[layer] ?? 0) + 1;
  }
  for (let layer = 1; layer <= layers; ++layer) counts[layer] = (counts[layer] ?? 0) + (counts[layer - 1] ?? 0);
  return counts;
}

/** Positions of the edges that carry a first message in this layer. */
export function frontierEdges(layers: ArrayLike<number>, layer: number): number[] {
  const found: number[] = [];
  for (let edge = 0; edge < layers.length; ++edge) if (layers[edge] === layer) found.push(edge);
  return found;
}

/** "layer 2: 413 of 1,222 nodes are reached by messages from the anchors" */
export function frontierText(layer: number, arrived: number, nodes: number, thinned: boolean): string {
  const verb = arrived === 1 ? "is" : "are";
  return `layer ${layer}: ${count(arrived)} of ${count(nodes)} nodes${thinned ? " shown" : ""} ${verb} reached by messages from the anchors`;
}
