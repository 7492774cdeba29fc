#!/usr/bin/env python3
"""What a reviewer sees of edits of a network: lines of its tree, as git counts them.

    python3 tests/bench/edits.py --burin build/release/generator/burin [--config NAME]

One table: seven edits of a keyword network (small_models.py). "own": files that only one of the two
trees has. "added", "removed": lines of files that both have, without those that the tree's own
.gitattributes fold away. Needs git, Python with numpy and onnx.
"""

import argparse
import fnmatch
import pathlib
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


def changes(before, now):
    hidden = folded(before)
    own, added, removed = set(), 0, 0
    for path in {p.relative_to(tree) for tree in (before, now) for p in tree.rglob("*")
                 if p.is_file()}:
        if any(fnmatch.fnmatch(str(path), one) or fnmatch.fnmatch(path.name, one)
               for one in hidden):
            continue
        if not ((before / path).exists() and (now / path).exists()):
            own.add(path)
            continue
        done = subprocess.run(["git", "diff", "--no-index", "--numstat", before / path, now / path],
                              capture_output=True, text=True)
        if done.stdout:
            more, less = done.stdout.split()[:2]
            added, removed = added + int(more), removed + int(less)
    return len(own), added, removed


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--burin", required=True, type=pathlib.Path)
    options.add_argument("--config", default="cortex-m7")
    given = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="burin_edits_") as folder:
        scratch = pathlib.Path(folder)

        def tree_of(name, **edit):
            onnx.save(small_models.keywords(True, **edit), scratch / "net.onnx")
            made = scratch / name.replace(" ", "_")
            subprocess.run([given.burin, "generate", scratch / "net.onnx", "--config", given.config,
                            "--weights", "blob", "--name", "net", "-o", made], check=True,
                           capture_output=True)
            return made

        before = tree_of("before")
        print("| edit | own files | added | removed |\n|---|---|---|---|")
        for name, edit in EDITS.items():
            own, added, removed = changes(before, tree_of(name, **edit))
            print(f"| {name} | {own} | {added} | {removed} |", flush=True)


if __name__ == "__main__":
    main()
