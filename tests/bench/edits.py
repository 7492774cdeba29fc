#!/usr/bin/env python3
"""What a reviewer sees of edits of a network: lines of its tree, as git counts them.

    python3 tests/bench/edits.py --burin build/release/generator/burin [--config NAME]

One table: seven edits of a keyword network (small_models.py). "own": files that only one of the two
trees has. "added", "removed": lines of files that both have, without those that the tree's own
.gitattributes fold away. "further": those of the added ones that name no node of the edit. Needs git, Python with numpy and onnx.
"""

import argparse
import fnmatch
import pathlib
import re
import subprocess
import tempfile

import onnx

import small_models

EDITS = {
    "other weights": dict(seed=8),
    "another activation": dict(activation="LeakyRelu"),
    "a layer inserted": dict(extra=2),
    "a fifth block": dict(blocks=5),
    "a block less": dict(blocks=3),
    "72 channels": dict(channels=72),
    "59 frames": dict(frames=59),
}


def folded(tree):
    """Patterns of files that .gitattributes shows without their lines."""
    lines = [line.split() for line in (tree / ".gitattributes").read_text().splitlines()]
    return [line[0] for line in lines if line and line[0][0] != "#" and
            ("-diff" in line or "binary" in line)]


def names_of(model):
    """Of nodes, their outputs and the constants, as a tree writes them."""
    graph = model.graph
    names = {n.name for n in graph.node} | {o for n in graph.node for o in n.output}
    return {re.sub(r"[^a-z0-9]+", "_", n.lower()) for n in names | {c.name for c in graph.initializer} if n}


def changes(before, now, new_names):
    hidden = folded(before)
    own, added, removed, further = set(), 0, 0, 0
    new = re.compile("|".join(sorted(map(re.escape, new_names), key=len, reverse=True)) or "$^")
    for path in {p.relative_to(tree) for tree in (before, now) for p in tree.rglob("*")
                 if p.is_file()}:
        if any(fnmatch.fnmatch(str(path), one) or fnmatch.fnmatch(path.name, one)
               for one in hidden):
            continue
        if not ((before / path).exists() and (now / path).exists()):
            own.add(path)
            continue
        done = subprocess.run(["git", "diff", "--no-index", "--unified=0", before / path, now / path],
                              capture_output=True, text=True, errors="replace")
        for line in done.stdout.splitlines():
            if line.startswith("+") and not line.startswith("+++"):
                added += 1
                further += 0 if new.search(line) else 1
            removed += line.startswith("-") and not line.startswith("---")
    return len(own), added, further, removed


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--burin", required=True, type=pathlib.Path)
    options.add_argument("--config", default="cortex-m7")
    given = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="burin_edits_") as folder:
        scratch = pathlib.Path(folder)

        def tree_of(name, **edit):
            model = small_models.keywords(True, **edit)
            onnx.save(model, scratch / "net.onnx")
            made = scratch / name.replace(" ", "_")
            subprocess.run([given.burin, "generate", scratch / "net.onnx", "--config", given.config,
                            "--weights", "blob", "--name", "net", "-o", made], check=True,
                           capture_output=True)
            return made, names_of(model)

        before, names = tree_of("before")
        print("| edit | own files | added | further | removed |\n|---|---|---|---|---|")
        for name, edit in EDITS.items():
            made, now = tree_of(name, **edit)
            own, added, further, removed = changes(before, made, now - names)
            print(f"| {name} | {own} | {added} | {further} | {removed} |", flush=True)


if __name__ == "__main__":
    main()
