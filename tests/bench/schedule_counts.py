"""What of a tree's schedule ran: its lines are counted (gcov) in a test build, so that blocks which were not
taken are seen not to run."""
import json
import os
import re
import shutil
import subprocess

CALL = re.compile(r"^\s*kernels::\w+\(")


class Branch:
    """An If of the schedule: lines of both sides, as ranges."""

    def __init__(self, line, middle, end, in_loop):
        self.line, self.middle, self.end, self.in_loop = line, middle, end, in_loop

    def sides(self):
        return range(self.line + 1, self.middle), range(self.middle + 1, self.end)


class Schedule:
    def __init__(self, tree):
        self.tree = tree
        with open(os.path.join(tree.folder, tree.schedule), encoding="utf-8") as text:
            self.lines = [""] + text.read().split("\n")  # numbered from 1, as gcov does
        self.calls = [n for n, line in enumerate(self.lines) if CALL.match(line)]
        self.branches = [self._branch(n + 1) for n, line in enumerate(self.lines)
                         if line.strip().startswith("// If ") and self.lines[n + 1].strip().startswith("if (")]

    def _closing(self, start, text):
        """The first line after `start` that closes its block, as far in as `start` is."""
        indent = self.lines[start][:len(self.lines[start]) - len(self.lines[start].lstrip())]
        for n in range(start + 1, len(self.lines)):
            if self.lines[n].startswith(indent + text):
                return n
        raise ValueError(f"line {start} of {self.tree.schedule} opens a block that nothing closes")

    def _branch(self, line):
        first = self._closing(line, "}")
        end = self._closing(first, "}") if self.lines[first].strip() == "} else {" else first
        depth = len(self.lines[line]) - len(self.lines[line].lstrip())
        in_loop = any(text.lstrip().startswith("for (") and len(text) - len(text.lstrip()) < depth
                      and self._closing(n, "}") > end
                      for n, text in enumerate(self.lines[:line]) if text.endswith("{"))
        return Branch(line, first, end, in_loop)

    def counted(self, point):
        """{calls, ran, reached, taken, both, ways}: kernel calls in the schedule, those that ran at this point, branches that
        were reached, those whose first side ran, and those of which both sides ran (none may, but in loops); which way
        each branch of the schedule went, in order: 1, 2, or - where it was not reached."""
        counts = self._gcov(point)
        ran = [n for n in self.calls if counts.get(n, 0) > 0]
        reached = [b for b in self.branches if counts.get(b.line, 0) > 0]

        def runs(side):
            return any(counts.get(n, 0) > 0 for n in side)

        # A side that is empty in the schedule runs where the other one does not.
        taken = [b for b in reached if runs(b.sides()[0]) or (b.middle == b.line + 1 and not runs(b.sides()[1]))]
        both = [b for b in reached if not b.in_loop and all(map(runs, b.sides()))]
        ways = "".join("1" if b in taken else "2" if b in reached else "-" for b in self.branches)
        return {"calls": len(self.calls), "ran": len(ran), "reached": len(reached), "taken": len(taken),
                "both": len(both), "ways": ways}

    def _gcov(self, point):
        shutil.copy(os.path.join(self.tree.points[point], "counts.gcda"), self.tree.counts)
        told = subprocess.run(["gcov", "--json-format", "--stdout", self.tree.counts], check=True,
                              capture_output=True, text=True).stdout
        counts = {}
        for file in json.loads(told)["files"]:
            if os.path.basename(file["file"]) != os.path.basename(self.tree.schedule):
                continue
            for line in file["lines"]:
                counts[line["line_number"]] = counts.get(line["line_number"], 0) + line["count"]
        return counts
