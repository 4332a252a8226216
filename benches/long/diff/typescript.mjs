// What TypeScript's own parser says the files under ROOT define: one JSON object a line, layout and comments out.
// node typescript.mjs ROOT TYPESCRIPT   (TYPESCRIPT: the folder of the npm package)
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
const [root, home] = process.argv.slice(2);
const ts = createRequire(import.meta.url)(path.resolve(home));
const K = ts.SyntaxKind;

// A node as text: kinds, names and literals. Quotes say nothing.
function dump(node, out = []) {
  if (node.kind === K.JsxText) { const text = node.text.replace(/\s+/g, " ").trim(); if (text) out.push(text); return out; }
  out.push(K[node.kind]);
  if (node.text !== undefined && typeof node.text === "string" && node.kind !== K.SourceFile) out.push(JSON.stringify(node.text));
  if (node.operator !== undefined) out.push(K[node.operator]);
  if (node.flags & (ts.NodeFlags.Let | ts.NodeFlags.Const) && node.kind === K.VariableDeclarationList) out.push(String(node.flags & 7));
  ts.forEachChild(node, (child) => { if (child.kind !== K.EmptyStatement && child.kind !== K.Decorator) dump(child, out); });
  out.push(";");
  return out;
}
const text = (nodes) => nodes.filter(Boolean).map((node) => dump(node).join(" ")).join(" ");
const bare = (node) => [...(node.modifiers ?? [])].filter((one) => one.kind !== K.Decorator);

function visit(file, source, nodes, scope) {
  for (const node of nodes) {
    let name = node.name?.text ?? (node.kind === K.Constructor ? "constructor" : undefined), made = node, kind;
    if (node.kind === K.VariableStatement) {
      for (const one of node.declarationList.declarations) {
        const value = one.initializer;
        if (value && (value.kind === K.ArrowFunction || value.kind === K.FunctionExpression) && one.name.text) {
          emit(file, source, one.name.text, scope, node, value, "callable", [...bare(node), ...bare(value), one.type], K[value.kind] + (node.declarationList.flags & 3));
        }
      }
      continue;
    }
    switch (node.kind) {
      case K.FunctionDeclaration: case K.MethodDeclaration: case K.Constructor: case K.GetAccessor: case K.SetAccessor: kind = "callable"; break;
      case K.ClassDeclaration: case K.InterfaceDeclaration: kind = "type"; break;
      case K.ModuleDeclaration: if (node.body?.statements) visit(file, source, node.body.statements, [...scope, name]); continue;
    }
    if (!kind || !name) continue;
    emit(file, source, name, scope, node, made, kind, bare(node), K[node.kind]);
    if (kind === "type") visit(file, source, node.members, [...scope, name]);
  }
}
function emit(file, source, name, scope, node, made, kind, modifiers, what) {
  const line = (at) => source.getLineAndCharacterOfPosition(at).line + 1;
  const head = kind === "type" ? [...(made.typeParameters ?? []), ...(made.heritageClauses ?? [])] : [made.asteriskToken, made.questionToken, ...(made.typeParameters ?? []), ...made.parameters, made.type];
  const body = kind === "type" ? made.members : [made.body];
  console.log(JSON.stringify({
    file, name, qual: [...scope, name].join("."), line: line((node.name ?? node).getStart(source)), kind,
    sig: [what, text(modifiers), text(head)].join(" | "), body: text(body), full: dump(node).join(" ") + text(modifiers) + (node.modifiers ?? []).filter((one) => one.kind === K.Decorator).map((one) => text([one.expression])).join(" "),
    start: line(node.getStart(source)), end: line(node.getEnd()),
  }));
}
function walk(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const at = path.join(folder, entry.name);
    if (entry.isDirectory()) walk(at);
    else if (/\.([cm]?[jt]s|[jt]sx)$/.test(entry.name) && !/\.min\.js$/.test(entry.name) && fs.statSync(at).size < 1 << 20) {
      const source = ts.createSourceFile(entry.name, fs.readFileSync(at, "utf8"), ts.ScriptTarget.Latest, false);
      if (!source.parseDiagnostics.length) visit(path.relative(root, at), source, source.statements, []);
    }
  }
}
walk(root);
