#!/usr/bin/env python3
"""The opponent of `gir bench load`: pandas reads the edge list, SciPy makes the symmetric CSR matrix of it.

    gir bench load --peer '/usr/bin/python3 bench/load_peer.py'

Prints one JSON line; load_ms counts reading and building, not starting Python or importing.
"""
import json
import sys
import time

import numpy as np
import pandas as pd
import scipy.sparse as sp

start = time.perf_counter()
edges = pd.read_csv(sys.argv[1], sep=" ", header=None, engine="c", dtype=np.int32).to_numpy()
nodes = int(edges.max()) + 1
ones = np.ones(len(edges), np.int8)
half = sp.coo_matrix((ones, (edges[:, 0], edges[:, 1])), shape=(nodes, nodes)).tocsr()
graph = half + half.T
print(json.dumps({"load_ms": (time.perf_counter() - start) * 1000, "nodes": nodes, "directed_edges": graph.nnz}))
