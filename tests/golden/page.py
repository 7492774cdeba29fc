#!/usr/bin/env python3
"""REPORT.html of a tree: well-formed, without scripts, asks nothing of the network, and every link leads to a file.

    page.py TREE ...      of trees for a CPU or a device
"""
import html.parser
import json
import os
import sys

EMPTY = {"meta", "br", "rect", "path", "line"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.links, self.count, self.bars, self.problems = [], [], {}, 0, []

    def handle_startendtag(self, tag, attributes):
        self.see(tag, dict(attributes))

    def handle_starttag(self, tag, attributes):
        self.see(tag, dict(attributes))
        if tag not in EMPTY or (tag in ("rect", "path")):
            self.open.append(tag)

    def see(self, tag, attributes):
        kind = attributes.get("class", "")
        self.count[tag, kind] = self.count.get((tag, kind), 0) + 1
        self.bars += tag == "div" and "width" in attributes.get("style", "")
        if tag in ("script", "link", "img", "iframe", "object", "embed", "base", "form"):
            self.problems.append("has <%s>" % tag)
        for name, value in attributes.items():
            if name in ("src", "srcset", "action", "data", "xlink:href") or name.startswith("on"):
                self.problems.append("has %s=%s" % (name, value))
            if name == "href":
                self.links.append(value)
            if "url(" in (value or ""):
                self.problems.append("asks for %s" % value)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append("</%s> in the wrong place" % tag)


def check(tree, path, plan):
    page = Page()
    with open(path, encoding="ascii") as text:
        page.feed(text.read())
    page.close()
    problems = page.problems
    if page.open:
        problems.append("does not close %s" % page.open)
    for link in page.links:
        if not os.path.isfile(os.path.join(tree, link)):
            problems.append("links to %s, which is not there" % link)
    kernels = plan["kernels"]
    run = [one for one in kernels if one["kernel"] is not None]
    if len(page.links) != len(run):
        problems.append("has %d links for %d kernels" % (len(page.links), len(run)))
    steps = page.count.get(("rect", "step"), 0)
    if steps < len(kernels) or page.bars != steps:
        problems.append("has %d boxes and %d bars for %d kernels" % (steps, page.bars, len(kernels)))
    placed = sum(1 for one in plan["memory"]["values"].values() if "inside" not in one)
    drawn = page.count.get(("rect", "own"), 0) + page.count.get(("rect", "shared"), 0)
    if plan["at"]["arena_bytes"] > 0 and drawn < placed:
        problems.append("draws %d tensors of %d" % (drawn, placed))
    return ["%s: %s" % (path, one) for one in problems]


found = []
for folder in sys.argv[1:]:
    with open(os.path.join(folder, "plan.json"), encoding="ascii") as text:
        whole = json.load(text)
    found += check(folder, os.path.join(folder, "REPORT.html"), whole)
    for network, one in whole.get("models", {}).items():
        found += check(folder, os.path.join(folder, "REPORT-%s.html" % network), one)
print("\n".join(found) or "%d trees" % len(sys.argv[1:]))
sys.exit(1 if found or len(sys.argv) < 2 else 0)
