#!/usr/bin/env python3
"""What `gir train --graph FILE` does with graphs without known settings: the table of docs/defaults.md.

    bench/defaults.py [--gir build/gir] [--data ../shared/data] [--only grid,ring]

Trains with default settings on each graph and prints test ROC AUC, the two heuristics on the same pairs, the share of
nodes that are reached, vectors that occur twice, and seconds of preparation and training. Ends with 1 if a run without
a warning is below a heuristic.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

GENERATED = {
    "grid 200 x 200": ["grid", "--rows", "200", "--columns", "200"],
    "ring 10,000": ["ring", "--nodes", "10000"],
    "random tree 50,000": ["random-tree", "--nodes", "50000"],
    "watts-strogatz": ["watts-strogatz", "--nodes", "5000"],
    "barabasi-albert": ["barabasi-albert", "--nodes", "5000"],
    "1,000 small components": ["random-tree", "--nodes", "10000", "--trees", "1000"],
}
FROM_FILES = ["Power", "Router", "USAir", "Yeast", "Ecoli", "NS"]


def graphs(options, folder):
    """Names and files."""
    for name in FROM_FILES:
        file = pathlib.Path(options.data) / "links" / f"{name}.mat"
        if file.exists():
            yield name, file
        else:
            print(f"{file}: missing, left out", file=sys.stderr)
    for name, words in GENERATED.items():
        file = pathlib.Path(folder) / f"{words[0]}-{words[-1]}.txt"
        subprocess.run([options.gir, "data", "generate", *words, "--seed", "1", "-o", file, "-q"], check=True)
        yield name, file


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gir", default="build/gir")
    parser.add_argument("--data", default="../shared/data")
    parser.add_argument("--only", default="", help="parts of names, separated by commas")
    options = parser.parse_args()
    wanted = [part for part in options.only.split(",") if part]
    failed = False
    print("| graph | nodes | AUC | common neighbours | distance | reached | same vector | anchors | seconds | warnings |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for name, file in graphs(options, folder):
            if wanted and not any(part.lower() in name.lower() for part in wanted):
                continue
            words = [options.gir, "train", "--graph", file, "-o", f"{folder}/run", "--overwrite", "--format", "json", "-q"]
            result = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
            heuristics = {key: value["test"] for key, value in result["baselines"].items()}
            failed |= not result["warnings"] and result["test"] < max(heuristics.values())
            warnings = "; ".join(text.split(" [")[0] for text in result["warnings"]) or "none"
            print(f"| {name} | {result['nodes']:,} | {100 * result['test']:.1f} | "
                  f"{100 * heuristics['common_neighbors']:.1f} | {100 * heuristics['distance']:.1f} | "
                  f"{100 * result['reach']['share']:.1f} % | {result['reach']['identical']:,} | {result['anchors']:,} | "
                  f"{result['prepare_seconds'] + result['seconds']:.0f} | {warnings} |", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
