#!/usr/bin/env python3
"""The opponent of `gir bench distances`: one call of SciPy's breadth_first_order an anchor.

    gir bench distances ogbn-arxiv --undirected --peer '/usr/bin/python3 bench/distances_peer.py'

`directed=True` on the symmetric matrix is its faster form. Prints one JSON line; starting Python, importing and
building the matrix are not counted.
"""
import json
import os
import sys
import time

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import breadth_first_order

folder = sys.argv[1]
edges = np.load(os.path.join(folder, "edges.npy"))
anchors = np.load(os.path.join(folder, "anchors.npy"))
count = os.path.join(folder, "num_nodes.npy")
nodes = int(np.load(count)) if os.path.exists(count) else int(edges.max()) + 1
half = sp.coo_matrix((np.ones(len(edges), np.int8), (edges[:, 0], edges[:, 1])), shape=(nodes, nodes)).tocsr()
graph = (half + half.T).tocsr()
start = time.perf_counter()
for anchor in anchors:
    breadth_first_order(graph, int(anchor), directed=True, return_predecessors=False)
print(json.dumps({"distances_ms": (time.perf_counter() - start) * 1000}))
