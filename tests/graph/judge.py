#!/usr/bin/env python3
"""Judges the calls of a tree by what a compiler says of them: judge.py PROGRAM LANG ROOT TRUTH [--outer] [--tests] [--prefix P] [--show N]

TRUTH is JSONL, gzipped or not, of {"caller", "callee"} as `path::name`, paths from ROOT (or ROOT/P). The unit is the pair;
constructors count as their class, overloads as one; with --outer a nested function counts as the outermost around it. Calls from
test code are judged with --tests only: most truths are taken of a build without. Dead branches are in no build.

Prints precision and recall of what counts by default, and for each grade the share of pairs that are right. Exits with 1 where
a grade is worse than its label promises."""
import argparse
import collections
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

PROMISED = {"exact": 0.99, "typed": 0.97, "inferred": 0.88, "possible": 0.55}
# Fewer pairs than this prove nothing.
ENOUGH = 25
CONSTRUCTOR = re.compile(r"\.(__init__|__new__|constructor|<init>)$")
ENDINGS = {
    "python": (".py", ".pyi"), "java": (".java",), "go": (".go",), "rust": (".rs",), "c": (".c", ".h"),
    "cpp": (".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".c"),
    "javascript": (".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx", ".mts", ".cts"),
}
# What the truths of TypeScript, JavaScript and Rust leave out.
NOT_JUDGED = re.compile(r"(^|/)(tests?|__tests__|__mocks__|bench(marks?|es)?|fuzz|examples?|node_modules|dist|build|coverage)/|\.(test|spec|bench)\.|\.d\.[cm]?ts$|\.min\.js$")

arguments = argparse.ArgumentParser()
for name in ("program", "language", "root", "truth"):
    arguments.add_argument(name)
arguments.add_argument("--outer", action="store_true")
arguments.add_argument("--tests", action="store_true")
arguments.add_argument("--prefix", default="")
arguments.add_argument("--show", type=int, default=0)
asked = arguments.parse_args()
asked.program = os.path.abspath(asked.program)
here = os.path.dirname(os.path.abspath(__file__))


def folded(name):
    path, name = name.split("::", 1)
    name = CONSTRUCTOR.sub("", re.sub(r"\(.*?\)", "", name))
    return path + "::" + (name.split(".")[0] if asked.outer else name)


def pair(edge):
    return folded(edge["caller"]), folded(edge["callee"])


def truth():
    opened = gzip.open if asked.truth.endswith(".gz") else open
    return {pair(json.loads(line)) for line in opened(asked.truth, "rt")}


def edges():
    shutil.rmtree(os.path.join(asked.root, ".ast_outline_cache"), ignore_errors=True)
    found = subprocess.run([asked.program, "index", asked.root, "--edges"], capture_output=True, check=True).stdout
    adapt = [sys.executable, here + "/adapt.py", asked.language]
    if asked.language == "javascript":
        outlines = subprocess.run([asked.program, "outline", ".", "--json"], cwd=asked.root, capture_output=True).stdout
        file = tempfile.NamedTemporaryFile(suffix=".jsonl")
        file.write(outlines.replace(b'"path":"./', b'"path":"'))
        file.flush()
        adapt.append(file.name)
    adapted = subprocess.run(adapt, input=found, capture_output=True, check=True).stdout
    for line in adapted.decode().splitlines():
        edge = json.loads(line)
        for end in ("caller", "callee"):
            edge[end] = edge[end].removeprefix(asked.prefix)
        if edge["dead"] or edge["test"] and not asked.tests:
            left_out.add(folded(edge["caller"]))
            continue
        if not edge["caller"].split("::")[0].endswith(ENDINGS[asked.language]):
            continue
        path = edge["caller"].split("::")[0], edge["callee"].split("::")[0]
        if asked.language not in ("javascript", "rust") or not any(map(NOT_JUDGED.search, path)):
            yield edge


left_out = set()
grades = collections.defaultdict(set)
for edge in edges():
    grades[edge["how"]].add(pair(edge))
# What calls from test code or a dead branch alone is not asked for on either side.
left_out -= {caller for pairs in grades.values() for caller, _ in pairs}
right = {(caller, callee) for caller, callee in truth() if caller not in left_out}
counted = set().union(*(pairs for how, pairs in grades.items() if how != "guess"))
both = counted & right
precision, recall = len(both) / max(1, len(counted)), len(both) / max(1, len(right))
print(f"{os.path.basename(os.path.abspath(asked.root))}: {len(right)} pairs, precision {precision:.3f}, recall {recall:.3f}", end="")
failed = False
for how in ("exact", "typed", "inferred", "possible", "guess"):
    pairs = grades[how]
    if pairs:
        share = len(pairs & right) / len(pairs)
        broken = len(pairs) >= ENOUGH and share < PROMISED.get(how, 0)
        failed |= broken
        print(f"; {how} {share:.3f} of {len(pairs)}{' BROKEN' if broken else ''}", end="")
print()
for caller, callee in sorted(counted - right)[: asked.show]:
    print("  false ", caller, "->", callee)
for caller, callee in sorted(right - counted)[: asked.show]:
    print("  missed", caller, "->", callee)
sys.exit(failed)
