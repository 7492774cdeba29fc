#!/usr/bin/env python3
"""Holds burin against onnxruntime on random models of one node.

For every operator: opset, types, shapes, attributes and optional inputs are drawn from what the schema allows
(random_cases/), onnxruntime or the ONNX reference evaluator gives the outputs, `burin verify --all` compares.
Needs onnx, onnxruntime and numpy. Exit code 1 when anything is wrong.

  python3 tests/ops/random_models.py BURIN --cases 40 --seed 7
  python3 tests/ops/random_models.py BURIN --cases 400 --interpreter build/dev/tests/burin_differential_tests
  python3 tests/ops/random_models.py BURIN --only Resize,Conv --cases 200 --keep FOLDER
"""
import argparse
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zlib

import numpy as np
import onnx
from onnx import helper

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from random_cases import MAKERS, MICROSOFT  # noqa: E402
from random_cases.case import Case, build, tensor_of  # noqa: E402
from random_cases.oracle import Unknown, expected  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def versions_of(op, domain, table):
    since, until = table.get((domain, op), (1, 24))
    if domain:
        return [1]
    first = min((s.since_version for s in onnx.defs.get_all_schemas_with_history() if s.name == op and not s.domain),
                default=since)
    low = max(since, first, 7)
    return list(range(low, max(low, min(until, 24)) + 1)) if until >= 7 else list(range(since, until + 1))


def write_case(folder, rng, op, domain, version):
    """Makes one case; returns who gave the outputs."""
    case = Case(rng, op, domain, version)
    MAKERS[domain, op](case)
    old = version <= 8 and domain == "" and rng.random() < .3
    model, fed, names = build(case, rng.random() < .5, 3 if old else 10)
    outputs, who = expected(model, fed)
    data = os.path.join(folder, "test_data_set_0")
    os.makedirs(data)
    for k, (name, (array, elem)) in enumerate(fed.items()):
        save(os.path.join(data, f"input_{k}.pb"), tensor_of(array, elem, name))
    for k, (info, (array, elem)) in enumerate(zip(model.graph.output, outputs)):
        save(os.path.join(data, f"output_{k}.pb"), tensor_of(array, elem, info.name))
        info.CopyFrom(helper.make_tensor_value_info(info.name, elem, [None] * array.ndim))
    save(os.path.join(folder, "model.onnx"), model)
    return who


def save(path, message):
    with open(path, "wb") as out:
        out.write(message.SerializeToString(deterministic=True))


def make_cases(folder, op, domain, versions, count, seed, log):
    """`count` cases in a process of their own, which an evaluator may end."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        with open(log, "a") as out:
            for k in range(count):
                rng = np.random.default_rng([seed, zlib.crc32(f"{domain}/{op}".encode()), k])
                version = versions[int(rng.integers(len(versions)))]
                path = os.path.join(folder, f"{domain + '.' if domain else ''}{op}", f"{k:04d}_v{version}")
                try:
                    out.write(f"{op} {write_case(path, rng, op, domain, version)}\n")
                except Unknown as error:
                    out.write(f"{op} unknown {version} {error}\n")
                    shutil.rmtree(path, ignore_errors=True)
                except Exception as error:  # a maker drew something that has no meaning
                    out.write(f"{op} maker {version} {error!r}\n")
                    shutil.rmtree(path, ignore_errors=True)
                out.flush()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if status:
        print(f"{op}: the evaluator ended with status {status}")


def verify(burin, folder, config, jobs):
    """[case] of `burin verify --all`; when it does not come back with an answer, case by case."""
    command = [burin, "verify", "--all", folder, "--config", config, "--json", f"-j{jobs}"]
    done = subprocess.run(command, capture_output=True, text=True)
    try:
        return json.loads(done.stdout)["cases"]
    except (ValueError, KeyError):
        inside = sorted(os.listdir(folder))
        if "model.onnx" in inside:
            return [{"path": "", "outcome": "crashed", "rule": str(done.returncode), "message": done.stderr[-300:]}]
        out = []
        for name in inside:
            for case in verify(burin, os.path.join(folder, name), config, jobs):
                out.append(dict(case, path=f"{name}/{case['path']}".rstrip("/")))
        return out


def interpret(program, folder):
    """The same verdicts from burin_differential_tests: lowering, fusing and the interpreter; hundreds in a second."""
    environment = dict(os.environ, BURIN_ONNX_DATA=folder, BURIN_ONNX_CASES="/")
    done = subprocess.run([program, "--gtest_filter=OnnxData.FusedKernelsAgree"], capture_output=True, text=True,
                          env=environment)
    lines = done.stdout.splitlines()
    failed = {after.split(": ")[0] for line, after in zip(lines, lines[1:]) if line == "Failed"}
    out = []
    for line in lines:
        name, _, message = line.partition(": ")
        if not os.path.isfile(os.path.join(folder, name, "model.onnx")) or any(name == c["path"] for c in out):
            continue
        outcome = "passed" if message.startswith("passed") else "failed" if name in failed else "refused"
        out.append({"path": name, "outcome": outcome, "rule": "", "message": message})
    if done.returncode not in (0, 1):
        out.append({"path": out[-1]["path"] if out else "", "outcome": "crashed", "rule": "", "message": "after it"})
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("burin")
    parser.add_argument("--cases", type=int, default=20, help="per operator")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="operators, with commas")
    parser.add_argument("--keep", default="", help="folder for the cases; a scratch folder otherwise")
    parser.add_argument("--config", default=os.path.join(ROOT, "configs", "x86-64-v3.json"))
    parser.add_argument("-j", "--jobs", type=int, default=1)
    parser.add_argument("--interpreter", default="", metavar="TESTS",
                        help="burin_differential_tests: no C++ is made and compiled, which is much faster")
    args = parser.parse_args()
    table = {}
    for one in json.loads(subprocess.run([args.burin, "ops", "--json"], capture_output=True, text=True, check=True).stdout):
        domain = "" if one["domain"] == "ai.onnx" else one["domain"]
        table[domain, one["name"]] = (one["since"], one["until"])
    wanted = [name for name in args.only.split(",") if name]
    folder = args.keep or tempfile.mkdtemp(prefix="random_models_")
    os.makedirs(folder, exist_ok=True)
    log = os.path.join(folder, "oracle.txt")
    counts = collections.defaultdict(collections.Counter)
    for domain, op in sorted(MAKERS):
        if wanted and op not in wanted or (domain, op) not in table:
            continue
        make_cases(folder, op, domain, versions_of(op, domain, table), args.cases, args.seed, log)
        place = os.path.join(folder, f"{domain + '.' if domain else ''}{op}")
        if not os.path.isdir(place):
            continue
        found = interpret(args.interpreter, place) if args.interpreter else \
            verify(args.burin, place, args.config, args.jobs)
        for case in found:
            counts[domain, op][case["outcome"]] += 1
            if case["outcome"] != "passed":
                message = re.sub(r"\s*\n\s*", " / ", case["message"])[:300]
                print(f"{case['outcome']}: {op}/{case['path']}: {message}", flush=True)
    print("\n| operator | passed | failed | crashed | refused |\n|---|---|---|---|---|")
    total = collections.Counter()
    for (domain, op), count in sorted(counts.items()):
        total += count
        print(f"| {op} | " + " | ".join(str(count[k]) for k in ("passed", "failed", "crashed", "refused")) + " |")
    print(f"\n{sum(total.values())} cases: " + ", ".join(f"{n} {k}" for k, n in sorted(total.items())))
    missing = sorted(op for domain, op in table if (domain, op) not in MAKERS)
    if missing and not wanted:
        print("without a maker: " + " ".join(missing))
    if not args.keep:
        shutil.rmtree(folder)
    return 1 if total["failed"] or total["crashed"] else 0


if __name__ == "__main__":
    sys.exit(main())
