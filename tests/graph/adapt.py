#!/usr/bin/env python3
"""Names of edges as the compilers of each language have them: adapt.py LANG [OUTLINES] < edges.jsonl > adapted.jsonl

Only names change, by the rules that stand at each language; an edge is dropped only where a rule says that the truth cannot
name its end. OUTLINES, for JavaScript alone, is what `outline FOLDER --json` prints."""
import functools
import json
import re
import sys


def python(edge):
    """Names are the same."""
    return edge


def java(edge):
    """javac calls constructors `<init>`."""
    for end in ("caller", "callee"):
        if edge[end + "_kind"] == "constructor":
            edge[end] = edge[end].rsplit(".", 1)[0] + ".<init>"
    return edge


def go(edge):
    """go/types names a method by its type, without the function that the type may stand in."""
    if edge["callee_kind"] == "method":
        path, name = edge["callee"].split("::", 1)
        edge["callee"] = path + "::" + ".".join(name.split(".")[-2:])
    return edge


def java(edge):
    """javac calls constructors `<init>`."""
    for end in ("caller", "callee"):
        if edge[end + "_kind"] == "constructor":
            edge[end] = edge[end].rsplit(".", 1)[0] + ".<init>"
    return edge


@functools.cache
def nested(outlines):
    """Names of definitions by path, qualified name and line, from `outline FOLDER --json`: of functions, types and variables
    around a definition, without the objects that an assignment or a property holds, and without computed names."""
    names = {}

    def visit(path, item, around):
        parts = around + [item["name"]]
        names[path, item["qualname"], item["decl_line"]] = ".".join(parts)
        kind, inside = item["kind"], parts
        if kind == "property" or item["name"].startswith("["):
            inside = around
        if kind in ("constant", "variable") and "= {" not in item.get("signature", ""):
            inside = around
        for child in item.get("children", []):
            visit(path, child, inside)

    files = [json.loads(line) for line in open(outlines)]
    for file in files:
        for item in file.get("definitions", []):
            visit(file["path"], item, [])
    return names


def javascript(edge):
    """tsc names a definition by the functions and types it stands in and by the variable that an object is written for, not
    by what it is assigned to: `app.init = function` is `init`. Needs the outlines of the tree as a second argument."""
    names = nested(sys.argv[2])
    for side in ("caller", "callee"):
        path, name = edge[side].split("::", 1)
        known = names.get((path, name, edge[side + "_line"]), name)
        if side == "caller" and known.endswith("]"):
            known = known.rpartition(".")[0] or "<module>"
        edge[side] = path + "::" + known
    # A definition with a computed name has none for tsc, so no edge leads to it.
    return None if edge["callee"].endswith("]") or name.endswith("]") else edge


def cpp(edge):
    """libclang knows no macros, and prints the calls of functions alone; its names have no namespaces, end in front of
    a `<`, and <init> for constructors. What is a namespace shows by the kinds of the edges: `cpp.types` holds the
    parents of methods and constructors."""
    if "macro" in (edge["caller_kind"], edge["callee_kind"]):
        return None
    if edge["caller_kind"] not in ("function", "method", "constructor"):
        return None
    for end in ("caller", "callee"):
        path, name = edge[end].split("::", 1)
        parts = split(name)
        kept = []
        for at in range(len(parts)):
            prefix = "::".join(parts[: at + 1])
            if at == len(parts) - 1 or prefix in cpp.types or "(" in parts[at]:
                kept.append(parts[at].split("<")[0])
        if edge[end + "_kind"] == "constructor":
            kept[-1] = "<init>"
        edge[end] = path + "::" + ".".join(kept)
    return edge


def split(name):
    """Parts of a C++ name; a `::` between angles or brackets is no border."""
    parts, depth, start = [], 0, 0
    for at, char in enumerate(name):
        depth += (char in "<(") - (char in ">)")
        if depth == 0 and name.startswith("::", at):
            parts.append(name[start:at])
            start = at + 2
    return parts + [name[start:]]


def cpp_types(edges):
    """What has methods or constructors, is made, or is a function that others lie in."""
    types = set()
    for edge in edges:
        for end in ("caller", "callee"):
            name = edge[end].split("::", 1)[1]
            parts = split(name)
            if edge[end + "_kind"] in ("method", "constructor"):
                types.add("::".join(parts[:-1]))
            if edge[end + "_kind"] != "macro":
                types.add(name)
    return types


c = cpp


def java(edge):
    """javac calls constructors `<init>`."""
    for end in ("caller", "callee"):
        if edge[end + "_kind"] == "constructor":
            edge[end] = edge[end].rsplit(".", 1)[0] + ".<init>"
    return edge


def rust(edge):
    """rustc names members by the type they are implemented for, references and arguments left out, and drops `r#`."""
    for end in ("caller", "callee"):
        path, name = edge[end].split("::", 1)
        of = re.search(r"<(.*?) as .*?>(?=::\w|::r#|$)", name)
        if of and not re.fullmatch(r"&('\w+ )?(mut )?[A-Z]", of[1]):  # a type parameter keeps its references
            bare = re.sub(r"^(&('\w+ )?(mut )?)*(\w+::)*|<.*", "", of[1])
            name = name.replace(of[0], bare)
        elif of:
            name = name.replace(of[0], of[1])
        edge[end] = path + "::" + name.replace("r#", "").replace("::", ".")
    return edge

def main():
    language = sys.argv[1]
    edges = [json.loads(line) for line in sys.stdin]
    if language in ("c", "cpp"):
        cpp.types = cpp_types(edges)
    for edge in filter(None, map(globals()[language], edges)):
        print(json.dumps(edge))


if __name__ == "__main__":
    main()
