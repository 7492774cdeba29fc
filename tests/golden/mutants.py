"""How many changes of emitted kernels the self-test of their tree finds: by hand, since each is compiled.

  tests/golden/mutants.py BURIN [--each N] [--only TREE] [--seed N]

Of eleven trees of different kinds the kernels are changed one place at a time, N places drawn of all: a number, an
operator, a comparison, a name of a loop, a float. A change is found when the self-test fails, crashes or does not end;
one that does not compile is drawn again. What survives is printed with its place.
"""
import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TREES = {
    "digits": ["tests/digits/digits.onnx", "x86-64-v3"],
    "digits_plain": ["tests/digits/digits.onnx", "cpp-generic"],
    "lstm": ["tests/models/lstm_wide/model.onnx", "x86-64-v3"],
    "softmax_sym": ["tests/models/softmax_sym/model.onnx", "x86-64-v3"],
    "qdq_conv": ["tests/models/qdq_conv/model.onnx", "x86-64-v3"],
    "attention": ["tests/models/attention/model.onnx", "x86-64-v3"],
    "spotter": ["examples/keyword_spotter/kws.onnx", "cpp-generic"],
    "chat": ["examples/chat/tinylm.onnx", "cpp-generic"],
    "residual_blocks": ["tests/models/residual_blocks/model.onnx", "x86-64-v3"],
    "shifted_windows": ["tests/models/shifted_windows/model.onnx", "x86-64-v3"],
    "sums_along": ["tests/models/sums_along/model.onnx", "cpp-generic"],
}
FLAGS = {"chat": ["--state", "past_k=present_k", "--state", "past_v=present_v", "--dim", "past=0..31", "--dim", "seq=1"]}
# What is changed, and into what.
KINDS = [
    ("number", re.compile(r"(?<![\w.])(\d+)(?![\w.])"), lambda m, draw: str(int(m[1]) + draw.choice([1, -1] if int(m[1]) else [1]))),
    ("operator", re.compile(r"(?<= )([-+*])(?= )"), lambda m, draw: {"+": "-", "-": "+", "*": "+"}[m[1]]),
    ("comparison", re.compile(r"(?<= )(<|<=|>|>=|==)(?= )"), lambda m, draw: {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!="}[m[1]]),
    ("name", re.compile(r"\b(i\d+|r|c|row|lane)\b(?![^;]*;[^;]*\+\+)"), lambda m, draw: "0"),
    ("float", re.compile(r"(?<![\w.])(\d+\.\d+(?:e[-+]\d+)?f)"), lambda m, draw: "(" + m[1] + " * 1.25f + 0.125f)"),
    ("function", re.compile(r"\b(maximum|minimum)\b"), lambda m, draw: {"maximum": "minimum", "minimum": "maximum"}[m[1]]),
]


def run(command, seconds):
    """The exit code; None where it does not end."""
    try:
        return subprocess.run(command, capture_output=True, timeout=seconds, check=False).returncode
    except subprocess.TimeoutExpired:
        return None


def body_of(text):
    """Where the code begins: behind the includes."""
    return text.index("namespace ")


def places_of(path, text):
    """(kind, path, start, end, match) of everything that may be changed; directives and comments are not."""
    begin, out = body_of(text), []
    skipped = [m.span() for m in re.finditer(r"//[^\n]*|#[^\n]*|alignas\(\d+\)|FloatVector<\d+>|\bfloat \w+\[\d+\]", text)]
    for kind, pattern, _ in KINDS:
        for m in pattern.finditer(text, begin):
            if not any(a <= m.start() < b for a, b in skipped):
                out.append((kind, path, m))
    return out


class Tree:
    def __init__(self, burin, name, folder):
        self.name, self.tree, self.folder = name, os.path.join(folder, name), folder
        model, config = TREES[name]
        subprocess.run([burin, "generate", os.path.join(SOURCE, model), "--config", config, "--name", "net", "-o", self.tree, *FLAGS.get(name, [])],
                       check=True, capture_output=True)
        manifest = json.load(open(os.path.join(self.tree, "manifest.json"), encoding="utf-8"))
        build = manifest["build"]
        self.compile = ["g++", "-std=c++17", "-O1", *build["flags"], *[f for f in build["compilers"][0]["flags"] if not f.startswith("-O")],
                        "-I" + os.path.join(self.tree, "include")]
        self.sources = [os.path.join(self.tree, one) for one in build["sources"]]
        self.objects = {one: self.object_of(one) for one in self.sources}
        test = os.path.join(folder, name + "_test.o")
        subprocess.run(["gcc", "-std=c99", "-O1", "-I" + os.path.join(self.tree, "include"), "-c", os.path.join(self.tree, "test/self_test.c"), "-o", test],
                       check=True)
        self.test = test
        weights = manifest["weights"]["file"]
        self.arguments = [os.path.join(self.tree, weights)] if weights else []

    def object_of(self, source, to=None):
        to = to or os.path.join(self.folder, self.name + "_" + os.path.basename(source) + ".o")
        if run([*self.compile, "-c", source, "-o", to], 120) != 0:
            return None
        return to

    def passes(self, objects):
        program = os.path.join(self.folder, "program")
        subprocess.run(["g++", *objects, self.test, "-lpthread", "-o", program], check=True)
        return run([program, *self.arguments], 20) == 0

    def lines_run(self):
        """(path, line) of the kernels' code that the self-test runs, by gcov."""
        work = os.path.join(self.folder, self.name + "_gcov")
        os.makedirs(work, exist_ok=True)
        objects = []
        for source in self.sources:
            objects.append(os.path.join(work, os.path.basename(source) + ".o"))
            subprocess.run([*self.compile, "-O0", "--coverage", "-c", source, "-o", objects[-1]], check=True)
        subprocess.run(["g++", "--coverage", *objects, self.test, "-lpthread", "-o", os.path.join(work, "program")], check=True)
        subprocess.run([os.path.join(work, "program"), *self.arguments], check=True, stdout=subprocess.DEVNULL)
        out = set()
        for one in objects:
            told = subprocess.run(["gcov", "--json-format", "--stdout", one[:-2] + ".gcda"], cwd=work, capture_output=True, check=True).stdout
            for document in told.splitlines():
                for file in json.loads(document)["files"]:
                    out |= {(os.path.abspath(file["file"]), line["line_number"]) for line in file["lines"] if line["count"] > 0}
        return out

    def mutants(self, count, draw):
        """Runs so many; returns those that survived, and how many there were of each kind."""
        places = []
        for source in self.sources:
            if "/kernels/" in source:
                places += places_of(source, open(source, encoding="utf-8").read())
        kinds = {kind: [p for p in places if p[0] == kind] for kind, _, _ in KINDS}
        kinds = {kind: all_of for kind, all_of in kinds.items() if all_of}
        change = {kind: how for kind, _, how in KINDS}
        survivors, done, tries = [], 0, 0
        ran = self.lines_run()
        while done < count and tries < 10 * count:
            tries += 1
            kind, path, m = draw.choice(kinds[draw.choice(sorted(kinds))])
            text = open(path, encoding="utf-8").read()
            now = change[kind](m, draw)
            mutant = os.path.join(os.path.dirname(path), "mutant.cpp")
            with open(mutant, "w", encoding="utf-8") as out:
                out.write(text[:m.start()] + now + text[m.end():])
            made = self.object_of(mutant, os.path.join(self.folder, "mutant.o"))
            os.remove(mutant)
            if made is None:
                continue
            done += 1
            if self.passes([made if one == path else self.objects[one] for one in self.sources]):
                line = text.count("\n", 0, m.start()) + 1
                known = (os.path.abspath(path), line) in ran
                survivors.append((known, f"{os.path.relpath(path, self.tree)}:{line}: {kind} {m[0]} -> {now}: {text.splitlines()[line - 1].strip()}"))
        return done, survivors


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("burin")
    parser.add_argument("--each", type=int, default=25)
    parser.add_argument("--only", action="append")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    options = parser.parse_args()
    folder = options.keep or tempfile.mkdtemp()
    os.makedirs(folder, exist_ok=True)
    all_done = all_left = all_ran = 0
    for name in options.only or TREES:
        tree = Tree(os.path.abspath(options.burin), name, folder)
        if not tree.passes(list(tree.objects.values())):
            sys.exit(name + ": the self-test fails as it is")
        done, left = tree.mutants(options.each, random.Random(f"{options.seed} {name}"))
        ran = sum(known for known, _ in left)
        all_done, all_left, all_ran = all_done + done, all_left + len(left), all_ran + ran
        print(f"{name}: {len(left)} of {done} survive, {ran} of them in lines that run", flush=True)
        for known, one in left:
            print(("  run: " if known else "  not run: ") + one, flush=True)
    print(f"{all_left} of {all_done} survive, {all_ran} of them in lines that run")
    if not options.keep:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
