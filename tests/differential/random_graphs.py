#!/usr/bin/env python3
"""Random graphs: emitted, built and run, beside onnxruntime and beside burin's interpreter.

  python3 tests/differential/random_graphs.py BURIN [--count N] [--seed N] [--batch N] [--jobs N] [--config NAME ...]
                                              [--nodes N ...] [--open] [--unoptimised] [--found FOLDER] [--from FOLDER]
                                              [--seconds N] [--interpreter TESTS] [-- FLAGS OF burin verify]

Needs numpy, onnx and onnxruntime. Graph k of a seed is the same everywhere (drawn_graph.py). Each is held twice: to what
onnxruntime computes without its optimisations, and, by data without outputs, to the interpreter of the unfused graph. A half
has symbols in the place of the inputs' extents, of all or of the leading ones (--open: every graph), and is legal at a second size, where
the same tree runs too. Batches are processes of their own, `--jobs` at a time; descriptions take turns by batches, --unoptimised has their
trees compiled with -O0. --from: models of another generator (NNSmith's model.onnx), with inputs made up here.
--interpreter: burin_differential_tests; no C++ is made, hundreds in a second.

What differs is judged in double precision (judge.py): a graph that makes roundings large, onnxruntime, or burin. What is burin's stays in
--found; exit code 1 then, and where one is refused, takes too long or ends a process. Where sizes that nothing bounds are refused, or the
range that a tree has by itself is too small, they get RANGE, as the message asks for.
"""
import argparse, collections, json, os, shutil, subprocess, sys, tempfile, time

import numpy as np
import onnx
from onnx import helper

from drawn_graph import EXTENTS, FLOAT, OTHERS, Extent, Graph, Impossible, second_of
from drawn_operators import OPERATORS
from graph_cases import inputs_of, judged, write_case

sys.path.insert(1, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "ops"))
from random_models import interpret  # noqa: E402


# What a tree says of several sizes that nothing bounds, when it is made or when it runs.
UNBOUNDED = ("[unbounded-size]", "[limit]", "outside its declared range", "is outside its range")
RANGE = "1..64"
SECONDS = 60  # for one graph


def draw(seed, nodes, always_open):
    """The model of a seed, its inputs, and inputs of another size where it has symbols."""
    graph = Graph(seed)
    symbols = graph.r.choice(["all", "leading"] if always_open else ["none", "none", "all", "leading"])
    other = {d: graph.r.choice([graph.r.choice([e for e in EXTENTS[2:] if e <= 2 * d + 1]), d + 1]) for d in EXTENTS[2:]}

    def extent(axis, d):
        return Extent(d, other[d]) if d > 1 and (symbols == "all" or symbols == "leading" and axis == 0) else d

    base = [graph.r.choice(EXTENTS) for _ in range(4)]
    for _ in range(graph.r.randint(1, 3)):
        rank = graph.r.choice([0, 1, 2, 3, 3, 4, 4])
        shape = [d if graph.r.random() < 0.7 else graph.r.choice(EXTENTS) for d in base[:rank]]
        while max(int(np.prod(shape)), int(np.prod([other.get(d, d) for d in shape]))) > 2048:
            shape[shape.index(max(shape))] = 2
        graph.input([extent(axis, d) for axis, d in enumerate(shape)], FLOAT if graph.r.random() < 0.75 else graph.r.choice(OTHERS))
    if always_open and not any(isinstance(d, Extent) for value, _ in graph.inputs for d in value.shape):
        graph.input([extent(axis, d) for axis, d in enumerate([graph.r.choice(EXTENTS[2:]), *base[1:graph.r.choice([1, 2, 3])]])])
    wanted, tries = graph.r.choice(nodes), 0
    while len(graph.nodes) < wanted and tries < 20 * wanted:
        tries += 1
        kept = len(graph.nodes), len(graph.values), len(graph.initializers)
        try:
            graph.again() if graph.nodes and graph.r.random() < 0.04 else graph.r.choice(OPERATORS)(graph)
            if len(graph.nodes) > max(nodes):
                raise Impossible()
        except (Impossible, ZeroDivisionError, IndexError, ValueError):  # the others of what is empty
            del graph.nodes[kept[0]:], graph.values[kept[1]:], graph.initializers[kept[2]:]
    outputs = graph.results()
    kinds = {value.name: value.kind for value in graph.values} | {one.name: one.data_type for one in graph.initializers}
    model = helper.make_model(
        helper.make_graph(graph.nodes, "g%d" % seed,
                          [helper.make_tensor_value_info(value.name, value.kind, ["n%d" % d if isinstance(d, Extent) else d for d in value.shape])
                           for value, _ in graph.inputs],
                          [helper.make_tensor_value_info(name, kinds[name], None) for name in outputs], graph.initializers),
        opset_imports=[helper.make_opsetid("", graph.opset), helper.make_opsetid("ai.onnx.ml", 3)], ir_version=10)
    second = [graph.numbers(value.kind, [second_of(d) for d in value.shape]) for value, _ in graph.inputs]
    return model, [array for _, array in graph.inputs], second


def verified(options, root, config):
    """The verdict of every case below a folder; each by itself where they do not come back together."""
    names = sorted(os.listdir(root))
    cases, message = verdicts(options, root, config, SECONDS + 5 * len(names))
    if cases is not None:
        return cases
    out = []
    for name in names:
        cases, message = verdicts(options, os.path.join(root, name), config, SECONDS)
        out += [dict(one, path=name) for one in cases or [{"outcome": "crashed", "message": message}]]
    return out


def verdicts(options, folder, config, seconds, more=()):
    try:
        done = subprocess.run([options.burin, "verify", "--all", folder, "--config", config, "-j1", "--json"] + options.flags + list(more),
                              capture_output=True, text=True, timeout=seconds)
        said = "exit code %d: %s" % (done.returncode, done.stderr[-500:])
        return json.loads(done.stdout)["cases"] if done.returncode in (0, 1, 4, 5) else None, said
    except (subprocess.TimeoutExpired, ValueError) as error:
        return None, str(error)[-500:]


def ranges_of(folder):
    """What a caller says who reads that nothing bounds the sizes."""
    model = onnx.load(folder + "/model.onnx")
    names = {d.dim_param for one in model.graph.input for d in one.type.tensor_type.shape.dim if d.dim_param}
    return [part for name in sorted(names) for part in ("--dim", "%s=%s" % (name, RANGE))]


def one_batch(options, seeds, given, config, totals, lines):
    """Draws graphs and holds each; counts, and says what is not as it should be."""
    root = tempfile.mkdtemp(prefix="burin_graphs_")
    for seed in seeds:
        folder = "%s/g%d" % (root, seed)
        if given:
            model = onnx.load(given[seed - options.seed])
            inputs, second = inputs_of(model, seed), None
        else:
            model, inputs, second = draw(seed, options.nodes, options.open)
        sizes = write_case(folder, model, inputs, second, not options.interpreter)
        if isinstance(sizes, str):
            totals["left out: " + sizes] += 1
        else:
            totals["two sizes"] += sizes == 2
            totals["without onnxruntime, which has no kernel"] += sizes == 0
            totals["nodes"] += len(model.graph.node)
            totals.update({"operator " + node.op_type for node in model.graph.node})
    for case in interpret(options.interpreter, root) if options.interpreter else verified(options, root, config):
        folder = os.path.join(root, case["path"])
        more = []
        if case["outcome"] in ("refused", "failed") and not options.interpreter and any(text in case["message"] for text in UNBOUNDED):
            more = ranges_of(folder)
            cases, message = verdicts(options, folder, config, SECONDS, more)
            case = dict(cases[0] if cases else {"outcome": "crashed", "message": message}, path=case["path"])
            totals["with ranges " + RANGE] += case["outcome"] == "passed"
        outcome, whose, message = case["outcome"], "", case["message"]
        if outcome == "refused":
            totals["refused: " + message.split(": ")[-1][:100]] += 1
        elif "interpreter would take too long" in message:
            outcome = "left out: the interpreter would take too long"
        elif outcome == "failed" and "DIFFERS" in message and "program" not in message:
            try:
                found, text = judged(options.burin, folder, ["--config", config], more)
                whose = " and ".join(sorted(found))
                # Two results that are far from each other may both be near the exact one; not so where they have to be the same.
                same = "tolerance exact: OUTSIDE" in message and not text
                outcome = "failed" if found & {"tree", "interpreter"} or same else "explained"
                message = message if same else text or "all are within the tolerance of the exact result"
            except Exception as error:
                message = "not judged: %s; %s" % (str(error)[:300], message[:2000])
        totals[outcome] += 1
        if outcome == "explained":
            totals["explained: " + (whose or ("the specification" if "specification" in message else "the graph"))] += 1
        if outcome != "passed" and "left out" not in outcome:
            lines.append("%s %s on %s %s: %s" % (outcome, case["path"], config, whose, message))
        if outcome not in ("passed", "explained") and "left out" not in outcome or whose:
            kept = os.path.join(options.found, case["path"])
            os.makedirs(options.found, exist_ok=True)
            shutil.rmtree(kept, ignore_errors=True)
            shutil.move(folder, kept)
    shutil.rmtree(root)


def in_a_process(work, options, at, *task):
    """What `work` counted and said, in a file: onnxruntime may end a process."""
    child = os.fork()
    if child == 0:
        totals, lines = collections.Counter(), []
        try:
            work(options, *task, totals, lines)
        except Exception as error:
            totals["crashed"], lines = 1, lines + ["crashed, batch of %s: %r" % (list(task[0])[:1], error)]
        with open(at, "w") as file:
            json.dump([totals, lines], file)
        os._exit(0)
    return child


def configs_of(options, folder):
    """Descriptions whose compiler does not optimise: the last flag counts."""
    out = []
    for name in options.config if options.unoptimised else []:
        text = json.loads(subprocess.run([options.burin, "configs", name], capture_output=True, text=True, check=True).stdout)
        wrapper = folder + "/unoptimised"
        with open(wrapper, "w") as file:
            file.write('#!/bin/sh\nexec %s "$@" -O0\n' % " ".join(text["compilers"][0]["command"]))
        os.chmod(wrapper, 0o755)
        text["compilers"][0]["command"] = [wrapper]
        out.append("%s/%s.json" % (folder, name))
        with open(out[-1], "w") as file:
            json.dump(text, file)
    return out or options.config


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("burin")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batch", type=int, default=50)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=1e9, help="no batch begins later")
    parser.add_argument("--config", nargs="+", default=["cpp-generic", "x86-64-v3"])
    parser.add_argument("--nodes", type=int, nargs="+", default=[2, 5, 10, 20, 40], help="how many a graph may have, about; never more than the last")
    parser.add_argument("--open", action="store_true")
    parser.add_argument("--unoptimised", action="store_true")
    parser.add_argument("--interpreter", default="")
    parser.add_argument("--found", default="found_graphs")
    parser.add_argument("--from", dest="given", default="")
    given, _, flags = "\0".join(sys.argv[1:]).partition("\0--\0")
    options = parser.parse_args(given.split("\0") if given else [])
    options.flags = flags.split("\0") if flags else []
    given = sorted(os.path.join(at, name) for at, _, files in os.walk(options.given) for name in files if name.endswith(".onnx"))
    if options.given:
        options.count = len(given)
    totals, start, running, said = collections.Counter(), time.time(), {}, time.time()
    folder = tempfile.mkdtemp(prefix="burin_batches_")
    configs = configs_of(options, folder)
    end = options.seed + options.count
    batches = [(number, range(first, min(first + options.batch, end)))
               for number, first in enumerate(range(options.seed, end, options.batch))][::-1]
    while batches or running:
        while batches and len(running) < options.jobs and time.time() - start < options.seconds:
            number, seeds = batches.pop()
            at = "%s/%d.json" % (folder, seeds[0])
            running[in_a_process(one_batch, options, at, seeds, given, configs[number % len(configs)])] = at, number, seeds
        if not running:
            break
        child, status = os.wait()
        at, number, seeds = running.pop(child)
        if status == 0:
            with open(at) as file:
                counted, lines = json.load(file)
            os.remove(at)
        elif len(seeds) > 1:  # burin is a process of its own: onnxruntime has ended this one, of one of its graphs
            batches += [(number, range(seed, seed + 1)) for seed in seeds]
            continue
        else:
            counted, lines = {"left out: onnxruntime ended its process": 1}, []
        totals.update(counted)
        for line in lines:
            print(line, flush=True)
        if time.time() - said > 10 or not batches and not running:
            said = time.time()
            print("%d passed, %d explained, %d failed, %d refused; %d at two sizes; %d s" % (
                totals["passed"], totals["explained"], totals["failed"] + totals["crashed"],
                totals["refused"], totals["two sizes"], time.time() - start), flush=True)
    shutil.rmtree(folder)
    for name, count in totals.most_common():
        if name.startswith(("left out", "explained:", "refused:", "with")):
            print("%s: %d" % (name, count))
    print("%d nodes; %s" % (totals["nodes"], ", ".join("%s %d" % (name[9:], count) for name, count in totals.most_common()
                                                       if name.startswith("operator "))))
    sys.exit(1 if totals["failed"] or totals["crashed"] or totals["refused"] or not totals["passed"] else 0)


if __name__ == "__main__":
    main()
