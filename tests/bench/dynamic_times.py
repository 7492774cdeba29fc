#!/usr/bin/env python3
"""Times of dynamic networks, by SoD2's figures: every table is one run in which all that is compared takes turns.

    dynamic_times.py levels --zoo ZOO [--models NAME ...]    # Figure 6: time as optimisations are added
    dynamic_times.py sizes --zoo ZOO [--models NAME ...]     # Figure 10: 15 sizes through one tree, beside onnxruntime
    dynamic_times.py frozen --zoo ZOO [--models NAME ...]    # Figure 12: one tree for all sizes over trees for one each
    dynamic_times.py branches --zoo ZOO [--models NAME ...]  # time where few blocks are taken and where many are

levels   trees with the switches of dynamic_counts.LEVELS, at the default sizes.
frozen   the quotient of the fastest runs, tree for the whole range over tree with these sizes fixed, at the default, the
         smallest and drawn sizes. Above the limit of 1.05 both are started again, up to twice, and the fastest of all processes
         count. Both have large pages where the system gives them (madvise): where a process gets small ones moves networks
         that wait for memory by up to 15 %. A row that stays above it is marked, and the exit code is 1.
branches inputs of several seeds: kernel calls that ran and which way every branch went (a build that counts its lines, as
         zoo_sweep.py --points); behind each network the time of the most work over that of the least.

Without --models: every network with symbols or branches (levels, frozen), yolov6n_dyn (sizes), those with an If (branches).
Fastest of --rounds times --runs, in ms. The outputs of the first run of each are compared with onnxruntime's; a difference above
the model's tolerance ends the bench. Needs Python 3.9+ with numpy, onnx, onnxruntime.
"""
import argparse
import os
import sys

from dynamic_counts import LEVELS
from materialized import Model
from schedule_counts import Schedule
from tree import Tree, generate
from zoo import ROOT, RUN_BOUND, largest_difference
from zoo_entries import described, is_dynamic, model_names

LIMIT = 1.05  # of a tree for all sizes over one with these sizes fixed
PROCESSES = 3  # at most, where it is above that


def models_of(table, zoo):
    """The networks that a table is about."""
    if table == "sizes":
        return ["yolov6n_dyn"]
    wanted = {"levels": is_dynamic, "frozen": lambda entry: bool(entry.get("dims")),
              "branches": lambda entry: "If" in entry["operators"]}[table]
    return [name for name in model_names(zoo) if wanted(described(zoo, name))]


def tree_of(model, label, flags, options, counted=False):
    out = os.path.join(options.cache, "trees", f"{model.name}_{label}")
    flags = ["--name", model.name, *flags]
    while True:
        try:
            generate(options.burin, model.path, options.config, out, flags)
            break
        except RuntimeError as refused:
            asked = str(refused).split("give a bound with --dim '")
            bound = f"{asked[1].split('=')[0]}=..{RUN_BOUND}" if len(asked) > 1 else None
            if not bound or bound in flags:
                raise
            flags += ["--dim", bound]
    tree = Tree(out)
    tree.build(options.compiler, options.jobs, counted)
    return tree


def started(tree, model, points):
    """Runs every point once and compares."""
    for (inputs, _, theirs), ours in zip(points, tree.start_points(points)):
        difference = largest_difference(ours, theirs)
        if difference > model.tolerance():
            raise RuntimeError(f"{model.name}: differs by {difference:.1e}")
    return tree


def point(model, sizes, seed=0):
    inputs = model.at(sizes, seed) if sizes else model.at({}, seed)
    return inputs, {s: sizes[s] for s in model.dims()}, model.outputs(inputs)


def default_sizes(model):
    return {symbol: values[0] for symbol, values in model.ranges.items()}


def in_turn(sides, options):
    """The fastest run of every side, in ms; a side is a function that gives seconds of so many runs."""
    best = [float("inf")] * len(sides)
    for _ in range(options.rounds):
        for number, side in enumerate(sides):
            best[number] = min(best[number], *side(options.runs))
    return [1e3 * seconds for seconds in best]


def side_of(tree, number=0):
    return lambda runs: tree.times(runs, number)


def show(cells):
    print("| " + " | ".join(f"{c:.2f}" if isinstance(c, float) else str(c) for c in cells) + " |", flush=True)


def levels(names, options):
    show(["model", *(f"{name}, ms" for name, _ in LEVELS), "first over last", "onnxruntime, ms"])
    for name in names:
        model = Model(options.zoo, options.cache, name, 1)
        at = [point(model, default_sizes(model))]
        trees = [started(tree_of(model, f"level{k}", model.dim_flags() + flags, options), model, at)
                 for k, (_, flags) in enumerate(LEVELS)]
        times = in_turn([*map(side_of, trees), lambda runs: model.times(runs, at[0][0])], options)
        show([name, *times[:-1], times[0] / times[-2], times[-1]])
        for tree in trees:
            tree.stop()


def sizes(names, options):
    show(["model", "sizes", "burin, ms", "onnxruntime, ms", "ratio", "burin, ns per pixel or token"])
    for name in names:
        model = Model(options.zoo, options.cache, name, 1)
        points = sorted(model.points(15), key=lambda p: sum(a.size for a in p[0].values()))
        tree = started(tree_of(model, "sizes", model.dim_flags(), options), model, points)
        for number, (inputs, dims, _) in enumerate(points):
            ours, theirs = in_turn([side_of(tree, number), lambda runs: model.times(runs, inputs)], options)
            elements = max(1, *(a.size for a in inputs.values()))
            show([name, " ".join(f"{s}={n}" for s, n in dims.items()), ours, theirs, ours / theirs, 1e6 * ours / elements])
        tree.stop()


def fastest_of_both(model, at, dynamic, still, options):
    """At one point, in ms; above the limit the fastest of several processes."""
    best = [float("inf")] * 2
    for _ in range(PROCESSES):
        for tree, dims in ((dynamic, at[1]), (still, {})):
            started(tree, model, [(at[0], dims, at[2])])
        best = list(map(min, best, in_turn([side_of(dynamic), side_of(still)], options)))
        dynamic.stop()
        still.stop()
        if best[0] <= LIMIT * best[1]:
            break
    return best


def frozen(names, options):
    os.environ["LARGE_PAGES"] = "1"  # of the driver: both sides are trees
    show(["model", "sizes", "symbols, ms", "frozen, ms", "quotient"])
    above = 0
    for name in names:
        model = Model(options.zoo, options.cache, name, 1)
        dynamic = tree_of(model, "dynamic", model.dim_flags(), options)
        for number, at in enumerate(model.points(options.points)):
            fixed = [flag for symbol, size in at[1].items() for flag in ("--dim", f"{symbol}={size}")]
            still = tree_of(model, f"frozen{number}", fixed, options)
            ours, theirs = fastest_of_both(model, at, dynamic, still, options)
            is_above = ours > LIMIT * theirs
            above += is_above
            show([name, " ".join(f"{s}={n}" for s, n in at[1].items()), ours, theirs,
                  f"{ours / theirs:.3f}" + (" ABOVE" if is_above else "")])
    return above > 0


def branches(names, options):
    show(["model", "seed", "kernel calls that ran", "of", "branches taken", "ways", "burin, ms", "onnxruntime, ms"])
    for name in names:
        model = Model(options.zoo, options.cache, name, 1)
        points = [point(model, default_sizes(model), seed) for seed in range(options.points)]
        counting = started(tree_of(model, "counted", model.dim_flags(), options, counted=True), model, points)
        schedule = Schedule(counting)
        counts = [schedule.counted(number) for number in range(len(points))]
        counting.stop()
        tree = started(tree_of(model, "timed", model.dim_flags(), options), model, points)
        order = sorted(range(len(points)), key=lambda k: counts[k]["ran"])
        times = []
        for number in order:
            inputs = points[number][0]
            ours, theirs = in_turn([side_of(tree, number), lambda runs: model.times(runs, inputs)], options)
            times.append(ours)
            count = counts[number]
            show([name, number, count["ran"], count["calls"], count["taken"], count["ways"], ours, theirs])
        show([name, "most work over least", "", "", "", "", f"{times[-1] / times[0]:.2f} times", ""])
        tree.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", choices=["levels", "sizes", "frozen", "branches"])
    parser.add_argument("--zoo", required=True)
    parser.add_argument("--cache", default=os.path.join(ROOT, "build", "zoo"))
    parser.add_argument("--burin", default=os.path.join(ROOT, "build", "release", "generator", "burin"))
    parser.add_argument("--models", nargs="+", metavar="NAME")
    parser.add_argument("--config", default=os.path.join(ROOT, "configs", "x86-64-v3.json"))
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="compilers at a time")
    parser.add_argument("--points", type=int, default=5, help="sizes or seeds of frozen and branches")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--runs", type=int, default=4, help="per round")
    options = parser.parse_args()
    print(f"load of the machine before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors", file=sys.stderr)
    failed = {"levels": levels, "sizes": sizes, "frozen": frozen, "branches": branches}[options.table](
        options.models or models_of(options.table, options.zoo), options)
    print(f"load after: {os.getloadavg()[0]:.1f}", file=sys.stderr)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
