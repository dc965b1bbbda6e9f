"""Clusters points with hdbscan and fast_hdbscan, and says how long each took, as JSON.

Arguments: a file of float64 x, y, x, y, … and a folder for the labels (int32, one file for each).
"""
import json
import sys
import time

import fast_hdbscan
import hdbscan
import numpy

points = numpy.fromfile(sys.argv[1], dtype="<f8").reshape(-1, 2)
# The first call compiles.
fast_hdbscan.HDBSCAN(min_cluster_size=5, min_samples=5).fit(points[:500])

exact = hdbscan.HDBSCAN(
    min_cluster_size=5, min_samples=5, approx_min_span_tree=False, core_dist_n_jobs=-1, gen_min_span_tree=True
)
fast = fast_hdbscan.HDBSCAN(min_cluster_size=5, min_samples=5)
answer = {}
for name, model in (("exact", exact), ("fast", fast)):
    start = time.perf_counter()
    model.fit(points)
    answer[name] = time.perf_counter() - start
    model.labels_.astype("<i4").tofile(f"{sys.argv[2]}/{name}.labels")
answer["treeWeight"] = float(exact.minimum_spanning_tree_.to_numpy()[:, 2].sum())
print(json.dumps(answer))
