#!/usr/bin/env python3
"""Random graphs: emitted, built and run, beside onnxruntime and beside burin's interpreter.

  python3 tests/differential/random_graphs.py BURIN [--count N] [--seed N] [--batch N] [--jobs N] [--config NAME ...]
                                              [--nodes N ...] [--open] [--found FOLDER] [--from FOLDER] [--seconds N]
                                              [--interpreter TESTS] [-- FLAGS OF burin verify]

Needs numpy, onnx and onnxruntime. Graph k of a seed is the same everywhere (drawn_graph.py). Each is held twice: to what
onnxruntime computes without its optimisations, and, by data without outputs, to the interpreter of the unfused graph. A half
has symbols in the place of the inputs' extents, of all or of the leading ones (--open: every graph); the same tree then runs at a second
size where onnxruntime does. Descriptions take turns by batches. --from: models of another generator
(NNSmith's model.onnx), with inputs made up here. --interpreter: burin_differential_tests; no C++ is made, hundreds in a second.
What differs stays in --found; exit code 1 then, and where one is refused for another reason than REFUSALS.
"""
import argparse, collections, json, os, shutil, subprocess, sys, tempfile, time
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper

from drawn_graph import EXTENTS, FLOAT, OTHERS, Graph, Impossible
from drawn_operators import OPERATORS

sys.path.insert(1, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "ops"))
from random_models import interpret  # noqa: E402


# Of several sizes that nothing bounds.
REFUSALS = ("a size or index exceeds 64 bits [limit]",)


def draw(seed, nodes, always_open):
    """The model of a seed, its inputs, and inputs of another size where it has symbols."""
    graph = Graph(seed)
    base = [graph.r.choice(EXTENTS) for _ in range(4)]
    for _ in range(graph.r.randint(1, 3)):
        rank = graph.r.choice([0, 1, 2, 3, 3, 4, 4])
        shape = [d if graph.r.random() < 0.7 else graph.r.choice(EXTENTS) for d in base[:rank]]
        while int(np.prod(shape)) > 2048:
            shape[shape.index(max(shape))] = 2
        graph.input(shape, FLOAT if graph.r.random() < 0.75 else graph.r.choice(OTHERS))
    wanted, tries = graph.r.choice(nodes), 0
    while len(graph.nodes) < wanted and tries < 20 * wanted:
        tries += 1
        kept = len(graph.nodes), len(graph.values), len(graph.initializers)
        try:
            graph.again() if graph.nodes and graph.r.random() < 0.04 else graph.r.choice(OPERATORS)(graph)
        except (Impossible, ZeroDivisionError):  # the latter of what is empty
            del graph.nodes[kept[0]:], graph.values[kept[1]:], graph.initializers[kept[2]:]
    outputs = graph.results()
    kinds = {value.name: value.kind for value in graph.values} | {one.name: one.data_type for one in graph.initializers}
    symbols = graph.r.choice(["all", "leading"] if always_open else ["none", "none", "all", "leading"])
    other = {d: graph.r.choice([d, d, graph.r.choice(EXTENTS[2:])]) for d in EXTENTS if d > 1}

    def is_open(axis, d):
        return d > 1 and (symbols == "all" or symbols == "leading" and axis == 0)

    def extents(value):
        return ["n%d" % d if is_open(axis, d) else d for axis, d in enumerate(value.shape)]

    model = helper.make_model(
        helper.make_graph(graph.nodes, "g%d" % seed,
                          [helper.make_tensor_value_info(value.name, value.kind, extents(value)) for value, _ in graph.inputs],
                          [helper.make_tensor_value_info(name, kinds[name], None) for name in outputs], graph.initializers),
        opset_imports=[helper.make_opsetid("", graph.opset)], ir_version=10)
    second = [graph.numbers(value.kind, [other[d] if is_open(axis, d) else d for axis, d in enumerate(value.shape)])
              for value, _ in graph.inputs]
    return model, [array for _, array in graph.inputs], second


def made_up(model, seed):
    """Inputs of a model of somebody else's."""
    numbers, known = np.random.default_rng(seed), {one.name for one in model.graph.initializer}
    out = []
    for one in model.graph.input:
        if one.name in known:
            continue
        kind = helper.tensor_dtype_to_np_dtype(one.type.tensor_type.elem_type)
        shape = [d.dim_value or 1 for d in one.type.tensor_type.shape.dim]
        out.append(numbers.integers(0, 2, shape).astype(kind) if kind == bool else numbers.integers(-16, 17, shape).astype(kind) if
                   np.issubdtype(kind, np.integer) else (numbers.integers(-32, 33, shape) / 8).astype(kind))
    return out


def computed(model, inputs):
    """What onnxruntime gives of each result. It takes neither two nodes of one name nor a result twice."""
    plain = onnx.ModelProto()
    plain.CopyFrom(model)
    for node in plain.graph.node:
        node.name = ""
    once = {one.name: one for one in model.graph.output}
    del plain.graph.output[:]
    plain.graph.output.extend(once.values())
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads, options.log_severity_level = 1, 4
    session = onnxruntime.InferenceSession(plain.SerializeToString(), options, providers=["CPUExecutionProvider"])
    found = dict(zip(once, session.run(None, dict(zip([one.name for one in session.get_inputs()], inputs)))))
    return [found[one.name] for one in model.graph.output]


def fair(outputs):
    return all(np.isfinite(one).all() for one in outputs if one.dtype.kind == "f")


def one_case(task):
    """Writes model and data of a graph; returns why it has none, or nothing."""
    folder, seed, path, nodes, always_open, emitted = task
    try:
        model, inputs, second = (onnx.load(path), None, None) if path else draw(seed, nodes, always_open)
        inputs = made_up(model, seed) if path else inputs
        if not model.graph.node or not model.graph.output:
            return "no node"
        outputs = computed(model, inputs)
    except Exception as error:
        return "onnxruntime: " + (str(error).splitlines() or [type(error).__name__])[0][:120]
    if not fair(outputs):
        return "not finite"
    # Without results: verify holds the tree to the interpreter.
    sets = [(inputs, outputs)] + [(inputs, [])] * emitted
    if second is not None and any(a.shape != b.shape for a, b in zip(inputs, second)):
        try:
            results = computed(model, second)
            if fair(results):
                sets.append((second, results))
        except Exception:  # a graph of the first size alone
            pass
    os.makedirs(folder)
    onnx.save(model, folder + "/model.onnx")
    for data, pair in enumerate(sets):
        at = "%s/test_data_set_%d" % (folder, data)
        os.mkdir(at)
        for kind, arrays in zip(("input", "output"), pair):
            for k, array in enumerate(arrays):
                with open("%s/%s_%d.pb" % (at, kind, k), "wb") as file:
                    file.write(numpy_helper.from_array(np.asarray(array)).SerializeToString())
    return None


def verified(options, root, config):
    done = subprocess.run([options.burin, "verify", "--all", root, "--config", config, "-j", str(options.jobs), "--json"] + options.flags,
                          capture_output=True, text=True)
    if done.returncode not in (0, 1, 4, 5) or not done.stdout:
        sys.exit("burin verify: exit code %d: %s" % (done.returncode, done.stderr[-2000:]))
    return json.loads(done.stdout)["cases"]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("burin")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batch", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=1e9, help="no batch begins later")
    parser.add_argument("--config", nargs="+", default=["cpp-generic", "x86-64-v3"])
    parser.add_argument("--nodes", type=int, nargs="+", default=[2, 5, 10, 20, 40], help="how many a graph may have, about")
    parser.add_argument("--open", action="store_true")
    parser.add_argument("--interpreter", default="")
    parser.add_argument("--found", default="found_graphs")
    parser.add_argument("--from", dest="given", default="")
    given, _, flags = "\0".join(sys.argv[1:]).partition("\0--\0")
    options = parser.parse_args(given.split("\0") if given else [])
    options.flags = flags.split("\0") if flags else []
    given = sorted(os.path.join(at, name) for at, _, files in os.walk(options.given) for name in files if name.endswith(".onnx"))
    if options.given:
        options.count = len(given)
    totals, left_out, operators, start = collections.Counter(), collections.Counter(), collections.Counter(), time.time()
    with ProcessPoolExecutor(options.jobs) as pool:
        for number, first in enumerate(range(0, options.count, options.batch)):
            if time.time() - start > options.seconds:
                break
            root = tempfile.mkdtemp(prefix="burin_graphs_")
            seeds = range(options.seed + first, options.seed + min(first + options.batch, options.count))
            tasks = [("%s/g%d" % (root, seed), seed, given[seed - options.seed] if given else "", options.nodes, options.open, not options.interpreter)
                     for seed in seeds]
            for reason in pool.map(one_case, tasks, chunksize=8):
                left_out[reason] += 1
            for folder, *_ in tasks:
                if os.path.exists(folder):
                    operators.update({node.op_type for node in onnx.load(folder + "/model.onnx").graph.node})
                    totals["two sizes"] += os.path.exists("%s/test_data_set_%d" % (folder, 1 if options.interpreter else 2))
            config = options.config[number % len(options.config)]
            for case in interpret(options.interpreter, root) if options.interpreter else verified(options, root, config):
                totals[case["outcome"]] += 1
                if case["outcome"] == "refused":
                    left_out[case["message"].split(": ")[-1][:100]] += 1
                    if not case["message"].endswith(REFUSALS):
                        totals["refused for another reason"] += 1
                        print("graph %s: %s" % (case["path"], case["message"]), flush=True)
                if case["outcome"] in ("failed", "crashed"):
                    kept = os.path.join(options.found, case["path"])
                    os.makedirs(options.found, exist_ok=True)
                    shutil.rmtree(kept, ignore_errors=True)
                    shutil.move(os.path.join(root, case["path"]), kept)
                    print("%s on %s: %s" % (kept, config, case["message"]), flush=True)
            shutil.rmtree(root)
            print("%d passed, %d failed, %d refused; %d at two sizes; %d s" % (
                totals["passed"], totals["failed"] + totals["crashed"], totals["refused"], totals["two sizes"], time.time() - start), flush=True)
    del left_out[None]
    for reason, count in left_out.most_common(12):
        print("left out: %d %s" % (count, reason))
    print("operators: " + ", ".join("%s %d" % one for one in operators.most_common()))
    sys.exit(1 if totals["failed"] or totals["crashed"] or totals["refused for another reason"] or not totals["passed"] else 0)


if __name__ == "__main__":
    main()
