/** Finds the node nearest to a position. Nodes are sorted into the cells of a uniform grid: a search visits few. */
export interface NodeIndex {
  /** -1 if no `wanted` node is within `reach` of (x, y), all in the units of the coordinates. */
  nearest: (x: number, y: number, reach: number, wanted?: (node: number) => boolean) => number;
}

export function indexNodes(xs: ArrayLike<number>, ys: ArrayLike<number>, extent: number): NodeIndex {
  const nodes = xs.length;
  const side = Math.max(1, Math.min(512, Math.ceil(Math.sqrt(nodes / 4))));
  const width = extent / side;
  const column = (value: number): number => Math.min(side - 1, Math.max(0, Math.floor(value / width)));
  const cellOf = (node: number): number => column(ys[node] ?? 0) * side + column(xs[node] ?? 0);
  const { starts, members } = sortByCell(nodes, side * side, cellOf);
  const nearest: NodeIndex["nearest"] = (x, y, reach, wanted = () => true) => {
    let found = -1;
    let best = reach * reach;
    for (let row = column(y - reach); row <= column(y + reach); ++row) {
      for (let at = row * side + column(x - reach); at <= row * side + column(x + reach); ++at) {
        for (let i = starts[at] ?? 0; i < (starts[at + 1] ?? 0); ++i) {
          const node = members[i] ?? 0;
          const distance = ((xs[node] ?? 0) - x) ** 2 + ((ys[node] ?? 0) - y) ** 2;
          if (distance > best || (distance === best && found >= 0) || !wanted(node)) continue;
          best = distance;
          found = node;
        }
      }
    }
    return found;
  };
  return { nearest };
}

/** Counting sort: members of cell c are members[starts[c]] .. members[starts[c + 1] - 1], in order of their number. */
function sortByCell(
  nodes: number,
  cells: number,
  cellOf: (node: number) => number,
): { starts: Uint32Array; members: Uint32Array } {
  const starts = new Uint32Array(cells + 1);
  for (let node = 0; node < nodes; ++node) {
    const after = cellOf(node) + 1;
    starts[after] = (starts[after] ?? 0) + 1;
  }
  for (let cell = 0; cell < cells; ++cell) starts[cell + 1] = (starts[cell + 1] ?? 0) + (starts[cell] ?? 0);
  const free = starts.slice(0, cells);
  const members = new Uint32Array(nodes);
  for (let node = 0; node < nodes; ++node) {
    const cell = cellOf(node);
    const place = free[cell] ?? 0;
    members[place] = node;
    free[cell] = place + 1;
  }
  return { starts, members };
}
