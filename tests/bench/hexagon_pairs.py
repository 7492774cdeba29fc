#!/usr/bin/env python3
"""Products of two rows at a time on Hexagon, where no emulator has the instruction.

    python3 tests/bench/hexagon_pairs.py --burin build/release/generator/burin [--models NAME ...]

One row for each layer of hexagon_packets.py, of trees for configs/hexagon-v66-pairs.json:
  packets       of the tree as its first compiler builds it (two products for each pair), on qemu
  same bytes    whether the text that its second compiler writes for a chip has these results, once
                every product of a pair is made of two that qemu-hexagon 7.2 knows
  innermost     multiply-adds a cycle of that text's loops with such products, packed by `burin pack`,
                which proves that they do what they did; the loop that does most of them first
Needs what hexagon_packets.py needs.
"""

import argparse
import json
import pathlib
import re
import sys
import tempfile

import hexagon_packets as packets

# Alone in its packet.
PAIR = re.compile(r"(?<=\{\n)\t+v(\d+):(\d+)\.(uw|w) (\+?=) vrmpy\(v(\d+)\.(ub),r(\d+):(\d+)\.ub\)(?=\n\t\})")
MULTIPLY_ADDS = 2 * 32 * 4  # of a pair


def expanded(text):
    """Unpacked text with two products for each of a pair; how many there were."""

    def two(match):
        high, low, kind, how, vector, sign, second, first = match.groups()
        halves = [f"\tv{low}.{kind} {how} vrmpy(v{vector}.{sign},r{first}.ub)",
                  f"\tv{high}.{kind} {how} vrmpy(v{vector}.{sign},r{second}.ub)"]
        if vector == low:  # the half that overwrites the vector goes last
            halves.reverse()
        return "\n\t}\n\t{\n".join(halves)

    changed, count = PAIR.subn(two, text)
    if re.search(r"vrmpy\(v\d+\.u?b,r\d+:", changed):
        sys.exit("a product of a pair shares its packet")
    return changed, count


def loops_of(explained):
    """Multiply-adds a cycle and cycles of loops with products of pairs, most products first."""
    out = []
    for block in explained.split("\n\n"):
        head = block.split("\n")[0]
        found = re.search(r", loop(?:, kernel)?: (\d+) packets, ([\d.]+) cycles, (\d+) stalls", head)
        if not found:
            continue
        pairs = len(re.findall(r"^ +(?:\d+ +)?slot \d.* vrmpy\(v\d+\.ub,r\d+:", block, re.M))
        if pairs:
            out.append((pairs, pairs * MULTIPLY_ADDS / float(found.group(2)), int(found.group(3))))
    return sorted(out, reverse=True)


class Pairs(packets.Machine):
    def __init__(self, config, burin, scratch):
        super().__init__(config, burin, scratch)
        second = json.loads(config.read_text())["compilers"][1]
        self.pairs = [*second["command"], *second["compile_flags"]]

    def flags(self, folder):
        return ["-std=c++17", "-ffp-contract=off", "-fno-exceptions", "-fno-rtti",
                "-fvisibility=hidden", "-DBURIN_PROGRAM_HAS_MEMORY_FUNCTIONS",
                f"-I{folder}/tree/include", f"-I{folder}"]

    def by_text(self, folder):
        """The result of the tree whose kernels are expanded text, and how many pairs there were."""
        objects, count = [], 0
        for source in sorted(folder.glob("tree/src/kernels/*.cpp")):
            text = folder / f"{source.stem}.s"
            packets.run(*self.pairs, "-mllvm", "-disable-packetizer", "-mno-nvj", "-mno-nvs",
                        *self.flags(folder), "-S", source, "-o", text)
            changed, found = expanded(text.read_text())
            text.write_text(changed)
            objects.append(text)
            count += found
        rest = [one for one in sorted(folder.glob("tree/src/**/*.cpp")) if one.parent.name != "kernels"]
        program = folder / "by_text"
        made = []
        for one in objects:
            made.append(one.with_suffix(".o"))
            packets.run(*self.pairs, "-c", one, "-o", made[-1])
        packets.run(*self.cxx, *self.flags(folder), folder / "main.cpp", *rest, *made, *self.link,
                    "-o", program)
        return packets.run(*self.runner, program)[4:], count

    def innermost(self, folder):
        found = []
        for source in sorted(folder.glob("tree/src/kernels/*.cpp")):
            text = folder / f"{source.stem}.packed.s"
            packets.run(*self.pairs, *self.flags(folder), "-S", source, "-o", text)
            said = packets.run(self.burin, "pack", text, "--config", self.config, "-o",
                               text.with_suffix(".out.s"), "--explain").decode()
            found += loops_of(said)
        return sorted(found, reverse=True)


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--burin", required=True, type=pathlib.Path)
    options.add_argument("--config", type=pathlib.Path,
                         default=packets.ROOT / "configs/hexagon-v66-pairs.json")
    options.add_argument("--models", nargs="*", help="as hexagon_packets.py calls its layers")
    options.add_argument("--scratch", type=pathlib.Path)
    given = options.parse_args()
    scratch = (given.scratch or pathlib.Path(tempfile.mkdtemp(prefix="burin_pairs_"))).resolve()
    machine = Pairs(given.config.resolve(), given.burin.resolve(), scratch)
    names = given.models or [f"{name}_{kind}" for name in packets.LAYERS for kind in ("qop", "qdq")]
    failed = False
    print("| model | packets | pairs in the text | same bytes | innermost loops |\n|---|---|---|---|---|")
    for name in names:
        shape, kind = name.rsplit("_", 1)
        model, _ = packets.layer(kind, *packets.LAYERS[shape])
        counted, printed, _ = machine.measure(name, model, None)
        folder = scratch / machine.config.stem / name
        by_text, count = machine.by_text(folder)
        same = by_text[:len(printed)] == printed
        failed |= not same
        loops = ", ".join(f"{rate:.0f}" + (f" ({stalls} stalls)" if stalls else "")
                          for _, rate, stalls in machine.innermost(folder))
        print(f"| {name} | {counted} | {count} | {'yes' if same else 'NO'} | {loops} |", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
