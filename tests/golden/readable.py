#!/usr/bin/env python3
"""Sources of trees as a reviewer wants them; a line for everything that is not so.

    tests/golden/readable.py FOLDER...

Lines have at most 120 characters, names of kernels and files 48. No loop has one turn. In kernels no
brace stands alone in its line, and each loop that is not inside of another has a comment behind the one before.
"""

import collections
import pathlib
import re
import sys
import tempfile

COLUMNS, NAME = 120, 48
SUFFIXES = {".cpp", ".c", ".h", ".cl"}
LOOP = re.compile(r"\bfor \(.*?\b(\w+) = (-?\d+); \1 < (-?\d+); (?:\+\+\1|\1 \+= (\d+))\)")
KERNEL = re.compile(r"(?:^|/)(?:src/kernels/[^/]+\.cpp|opencl/[^/]+\.cl)$")
FUNCTION = re.compile(r"^(?:__kernel )?void (\w+)\(")


def faults_of(path):
    """Pairs of a line's number and what is wrong with it."""
    if len(path.stem) > NAME:
        yield 0, f"a name of {len(path.stem)} characters"
    kernel = bool(KERNEL.search(path.as_posix()))
    inside = said = False  # in a kernel's body; whether a comment tells of what comes
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if len(line) > COLUMNS:
            yield number, f"{len(line)} characters"
        loop = LOOP.search(line)
        if loop and 0 < int(loop[3]) - int(loop[2]) <= int(loop[4] or 1):
            yield number, "a loop of one turn"
        if kernel:
            function = FUNCTION.match(line)
            if function and len(function[1]) > NAME:
                yield number, f"a name of {len(function[1])} characters"
            inside = (inside or bool(function)) and line != "}"
            if inside and line.strip() == "{":
                yield number, "a brace alone"
            if inside and line.startswith("  for (") and not said:
                yield number, "a loop without a comment"
            said = inside and (said or line.startswith("  // ")) and line != "  }"


def all_faults(folders):
    seen, faults = collections.Counter(), []
    for folder in map(pathlib.Path, folders):
        for path in sorted(folder.rglob("*")):
            # Weights are numbers; the runtime's own files have the project's style.
            if path.suffix not in SUFFIXES or path.name.endswith("_weights.cpp") or "/rt/" in path.as_posix():
                continue
            seen["kernels" if KERNEL.search(path.as_posix()) else "others"] += 1
            faults += [f"{path}:{number}: {what}" for number, what in faults_of(path)]
    return seen, faults


def check_itself():
    bad = ("void conv(\n    float* x) {\n  for (int32_t i = 3; i < 4; ++i) {\n    {\n"
           "      x[i] = 0;  // " + "long " * 30 + "\n    }\n  }\n}\n")
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder) / "src" / "kernels"
        place.mkdir(parents=True)
        (place / ("conv_" + "x" * NAME + ".cpp")).write_text(bad)
        _, faults = all_faults([folder])
    assert len(faults) == 5, faults


def main():
    check_itself()
    seen, faults = all_faults(sys.argv[1:])
    print("\n".join(faults[:100]))
    if min(seen["kernels"], seen["others"]) < 100:
        sys.exit(f"files: {dict(seen)}")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
