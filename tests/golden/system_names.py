#!/usr/bin/env python3
"""Names that the system's headers take, as names of a model and of a tree: what is emitted builds behind all these headers.

  tests/golden/system_names.py BURIN [--every N]

Every macro of the C and POSIX headers of this machine is the name of an input, of a dimension, and of an output; every
header, and every name in front of an ending that functions of a tree have, is that of a tree. A caller in C and one in C++ include
all these headers and then the tree's, the self-test is compiled as it is and with the headers in front. No field
may be called like a macro: what the preprocessor replaces alike in both places would compile. --every N: every Nth tree.
"""
import argparse, os, re, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "project"))
import header_names

FLOAT = 1
STRICT = ["-Wall", "-Wextra", "-Werror"]


def varint(value):
    out = b""
    while value >= 0x80:
        out, value = out + bytes([value & 0x7f | 0x80]), value >> 7
    return out + bytes([value])


def field(number, value):
    """One field of a message: an integer, a text or a message in it."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def tensor_of(name, dim):
    shape = field(1, field(2, dim))
    return field(1, name) + field(2, field(1, field(1, FLOAT) + field(2, shape)))


def model(graph, names):
    """Of each (input, output, dimension) an Abs."""
    body = b"".join(field(1, field(1, one) + field(2, out) + field(4, "Abs")) for one, out, _ in names)
    body += field(2, graph)
    body += b"".join(field(11, tensor_of(one, dim)) for one, _, dim in names)
    body += b"".join(field(12, tensor_of(out, dim)) for _, out, dim in names)
    return field(1, 8) + field(7, body) + field(8, field(2, 17))


class Trees:
    def __init__(self, burin, work):
        self.burin, self.work, self.built = burin, work, 0
        macros, self.stems, self.prefixes = header_names.found()
        self.macros = sorted(macros)
        headers = [name + ".h" for name in (header_names.C + " " + header_names.POSIX).split()]
        self.all = os.path.join(work, "all.h")
        with open(self.all, "w") as file:
            # Each of them if it is there and if the others do not stand in its way.
            file.write("".join("#if __has_include(<%s>)\n#include <%s>\n#endif\n" % (h, h) for h in headers))

    def compile(self, what, words):
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit("%s: %s\n%s" % (what, " ".join(words), done.stderr[:3000]))

    def check(self, what, graph, names, flags=()):
        path, tree = os.path.join(self.work, "m.onnx"), os.path.join(self.work, "tree%d" % self.built)
        with open(path, "wb") as file:
            file.write(model(graph, names))
        done = subprocess.run([self.burin, "generate", path, "--config", "cpp-generic", "-o", tree, *flags], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit("%s: %s" % (what, done.stderr))
        self.built += 1
        include = os.path.join(tree, "include")
        header, = [name for name in os.listdir(include) if not name.endswith("_content.h")]
        with open(os.path.join(include, header)) as file:
            text = file.read()
        fields = set(re.findall(r"^  [\w ]*?[ *]+(\w+)(?:\[\w*\])?;", text, re.M))
        replaced = fields & set(self.macros)
        if replaced:
            sys.exit("%s: fields that are macros: %s" % (what, " ".join(sorted(replaced))))
        caller = os.path.join(self.work, "caller.c")
        with open(caller, "w") as file:
            file.write('#include "%s"\n#include "%s"\nint main(void) { return 0; }\n' % (self.all, header))
        test, = [os.path.join(at, name) for at, _, files in os.walk(os.path.join(tree, "test")) for name in files if name.endswith(".c")]
        source = os.path.join(tree, "src", header[:-2] + ".cpp")
        c, cpp = ["gcc", "-std=c11", "-D_GNU_SOURCE", "-fsyntax-only", *STRICT], ["g++", "-std=c++17", "-fsyntax-only", *STRICT]
        self.compile(what, [*c, "-I", include, caller])
        self.compile(what, [*cpp, "-x", "c++", "-I", include, caller])
        self.compile(what, [*c, "-I", include, test])
        self.compile(what, [*c, "-I", include, "-include", self.all, test])
        self.compile(what, [*cpp, "-I", include, source])
        return header[:-2], fields


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("burin")
    parser.add_argument("--every", type=int, default=1)
    options = parser.parse_args()
    burin = os.path.abspath(options.burin)
    with tempfile.TemporaryDirectory() as work:
        trees = Trees(burin, work)
        assert len(trees.macros) > 2000 and {"errno", "BUFSIZ", "st_atime"} <= set(trees.macros), len(trees.macros)
        for at in range(0, len(trees.macros), 400):
            group = trees.macros[at:at + 400]
            what = "macros %s to %s" % (group[0], group[-1])
            _, fields = trees.check(what + " as inputs", "net", [(one, "of/%d" % k, one) for k, one in enumerate(group)], ["--name", "net"])
            lost = [one for one in group if not any(have == one or have.startswith(one + "_") for have in fields)]
            if lost:
                sys.exit("%s: no field is made of %s" % (what, " ".join(lost[:9])))
            trees.check(what + " as outputs", "net", [("of/%d" % k, one, "n") for k, one in enumerate(group)], ["--name", "net"])
        names = sorted(trees.stems | trees.prefixes | {"net", "kernels", "vectors", "rt"})
        for name in names[::options.every]:
            made, _ = trees.check("a tree called " + name, name, [("x", "y", "n")])
            if name != "net" and made == name:
                sys.exit("a tree called %s has a header of that name" % name)
        print("%d macros, %d of %d names of headers and functions: %d trees" % (
            len(trees.macros), len(names[::options.every]), len(names), trees.built))


if __name__ == "__main__":
    main()
