#!/usr/bin/env python3
"""What CPython's own parser says the files under ROOT define: one JSON object a line, layout and comments out."""
import ast, json, os, sys

NAMED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def documented(node):
    first = node.body[0] if node.body else None
    return isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)


def signature(node):
    if isinstance(node, ast.ClassDef):
        return "class " + " ".join(map(ast.unparse, node.bases + node.keywords))
    head = "async " if isinstance(node, ast.AsyncFunctionDef) else ""
    returns = ast.unparse(node.returns) if node.returns else ""
    return f"{head}def ({ast.unparse(node.args)}) -> {returns}"


def visit(file, nodes, scope, out):
    for node in nodes:
        if isinstance(node, NAMED):
            body = node.body[1:] if documented(node) else node.body
            qual = ".".join(scope + [node.name])
            out(file=file, name=node.name, qual=qual, line=node.lineno, kind="type" if isinstance(node, ast.ClassDef) else "callable",
                sig=signature(node), body=" ".join(map(ast.dump, body)), full=ast.dump(node), start=min([node.lineno] + [d.lineno for d in node.decorator_list]), end=node.end_lineno)
            if isinstance(node, ast.ClassDef):
                visit(file, node.body, scope + [node.name], out)
        elif isinstance(node, (ast.If, ast.Try, ast.With)):
            for part in ("body", "orelse", "finalbody"):
                visit(file, getattr(node, part, []), scope, out)
            for handler in getattr(node, "handlers", []):
                visit(file, handler.body, scope, out)


def main(root):
    out = lambda **record: print(json.dumps(record))
    for folder, _, names in os.walk(root):
        for name in names:
            path = os.path.join(folder, name)
            if name.endswith(".py"):
                try:
                    tree = ast.parse(open(path, "rb").read())
                except (SyntaxError, ValueError):
                    continue
                visit(os.path.relpath(path, root), tree.body, [], out)


main(sys.argv[1])
