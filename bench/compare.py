"""Runs gir and the peer in turns on the same graph: ratios of the medians, and of the peaks of memory."""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile


def run(command, threads):
    """The JSON lines that a command prints, by model, and the peak of its memory in GB."""
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads))
    with tempfile.NamedTemporaryFile() as report:
        timed = ["/usr/bin/time", "-o", report.name, "-f", "%M"] + command
        done = subprocess.run(timed, capture_output=True, text=True, env=environment)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
        peak = int(open(report.name).read().split()[-1]) * 1024 / 1e9
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    # gir says what its epochs took; afterwards it measures the machine.
    return {line["model"]: dict(line, peak_gb=line.get("peak_gb", peak)) for line in lines}


def compare(title, rounds, threads, peers, ours, models):
    """A row a peer and model: the two take turns, so that a slow minute of the machine hits both."""
    rows = []
    for model in models:
        times = {name: [] for name in list(peers) + ["gir"]}
        peaks = {name: 0 for name in times}
        floors = []
        for _ in range(rounds):
            for name, command in dict(peers, gir=ours).items():
                line = run(command + ["--models", model], threads)[model]
                times[name].append(line["epoch_ms"])
                peaks[name] = max(peaks[name], line["peak_gb"])
                if name == "gir":
                    floors.append(line["epoch_ms"] / line["floor_ms"])
        for name in peers:
            peer_ms, our_ms = statistics.median(times[name]), statistics.median(times["gir"])
            rows.append((title, model, name, peer_ms, our_ms, peer_ms / our_ms, peaks["gir"] / peaks[name],
                         statistics.median(floors)))
    return rows


def compare_on_gpu(asked, rounds):
    """An epoch on the GPU, in each precision: milliseconds and gigabytes of the GPU's own memory."""
    rows = []
    peer = [sys.executable, asked.peer, "--device", "cuda", "--adj", "csr"]
    ours = [asked.gir, "bench", "epoch", "--format", "json", "--device", "cuda", "--no-roofline"]
    with tempfile.TemporaryDirectory() as folder:
        graph = os.path.join(folder, "graph")
        subprocess.run(peer + ["--save", graph, "--models", "gcn", "--gcn-layers", "1", "--repeat", "1", "--warmup", "0"],
                       check=True, capture_output=True)
        for precision in ("fp32", "tf32"):
            shape = ["--npz", graph, "--precision", precision, "--repeat", "30", "--warmup", "10"]
            commands = {"gir": ours + shape, "pyg csr": peer + ["--backend", "pyg"] + shape,
                        "torch csr": peer + ["--backend", "torch"] + shape}
            for model in ("gir", "gcn"):
                lines = {name: [] for name in commands}
                for _ in range(rounds):
                    for name, command in commands.items():
                        lines[name].append(run(command + ["--models", model], os.cpu_count())[model])
                times = {name: statistics.median(line["epoch_ms"] for line in each) for name, each in lines.items()}
                memory = {name: max(line["peak_gpu_gb"] for line in each) for name, each in lines.items()}
                for name in ("pyg csr", "torch csr"):
                    rows.append((precision, model, name, times[name], times["gir"], times[name] / times["gir"],
                                 memory[name], memory["gir"]))
    print("| precision | model | peer | peer ms | gir ms | times faster | peer GB | gir GB |")
    print("| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for precision, model, name, *numbers in rows:
        print(f"| {precision} | {model} | {name} | " + " | ".join(f"{number:.2f}" for number in numbers) + " |")


def main():
    parser = argparse.ArgumentParser()
    for name in ("--gir", "--peer", "--data"):
        parser.add_argument(name, required=True)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("what", choices=["arxiv", "small", "all", "gpu"])
    asked = parser.parse_args()
    if asked.what == "gpu":
        return compare_on_gpu(asked, asked.rounds)
    # OpenBLAS may not know the processor; both sides have the same kernels, those that gir chose.
    build = json.loads(subprocess.run([asked.gir, "info", "build", "--format", "json"], check=True, capture_output=True,
                                      text=True).stdout)
    if build["blas_core"]:
        os.environ["OPENBLAS_CORETYPE"] = build["blas_core"]
    python = sys.executable
    peer = [python, asked.peer, "--backend", "torch", "--device", "cpu"]
    ours = [asked.gir, "bench", "epoch", "--format", "json"]
    rows = []
    if asked.what in ("arxiv", "all"):
        with tempfile.TemporaryDirectory() as folder:
            graph = os.path.join(folder, "graph")
            subprocess.run(peer + ["--save", graph, "--models", "gcn", "--gcn-layers", "1", "--repeat", "1", "--warmup",
                                   "0"], check=True, capture_output=True)
            threads = ["--threads", "2"]
            peers = {adj: peer + ["--npz", graph, "--adj", adj, "--repeat", "3", "--warmup", "1"] + threads
                     for adj in ("csr", "coo")}
            rows += compare("arxiv-sized, 2 threads", asked.rounds, 2, peers,
                            ours + ["--npz", graph, "--repeat", "3", "--warmup", "1"] + threads, ["gir", "gcn"])
    if asked.what in ("small", "all"):
        for name, file, hidden, anchors in (("pb", "pb/PB.txt", 32, 64), ("celegans", "celegans/Celegans.txt", 16, 16)):
            shape = ["--lp", "--edges", os.path.join(asked.data, file), "--hidden", str(hidden), "--anchors",
                     str(anchors), "--gir-layers", "3", "--threads", "1", "--repeat", "100", "--warmup", "20"]
            rows += compare(f"{name}, 1 thread", asked.rounds, 1, {"csr": peer + ["--adj", "csr"] + shape}, ours + shape,
                            ["gir"])
    print("| graph | model | peer | peer ms | gir ms | times faster | memory, of the peer's | measured / floor |")
    print("| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for title, model, name, peer_ms, our_ms, ratio, memory, floor in rows:
        print(f"| {title} | {model} | {name} | {peer_ms:.2f} | {our_ms:.2f} | {ratio:.2f} | {memory:.0%} | {floor:.2f} |")


main()
