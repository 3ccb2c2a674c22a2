// Definitions by the TypeScript compiler: paths on standard input, one JSON line for each
// definition that is no local variable. `NODE_PATH` names the folder of `typescript`.
const ts = require("typescript");
const fs = require("fs");

const KINDS = {
  [ts.SyntaxKind.FunctionDeclaration]: "function",
  [ts.SyntaxKind.ClassDeclaration]: "class",
  [ts.SyntaxKind.InterfaceDeclaration]: "interface",
  [ts.SyntaxKind.TypeAliasDeclaration]: "type",
  [ts.SyntaxKind.EnumDeclaration]: "enum",
  [ts.SyntaxKind.EnumMember]: "enum_member",
  [ts.SyntaxKind.MethodSignature]: "method",
  [ts.SyntaxKind.PropertySignature]: "property",
  [ts.SyntaxKind.PropertyDeclaration]: "property",
};

const isFunction = (node) => node && (ts.isArrowFunction(node) || ts.isFunctionExpression(node));

// A member of a class, or of an object outside of functions.
const isMember = (node, depth) => (ts.isMethodDeclaration(node) || ts.isGetAccessor(node) || ts.isSetAccessor(node)) && (ts.isClassLike(node.parent) || depth === 0);

for (const path of fs.readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const source = ts.createSourceFile(path, fs.readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  if (source.parseDiagnostics.length) continue;
  const emit = (kind, name) => {
    if (!name || !(ts.isIdentifier(name) || ts.isStringLiteral(name) || ts.isPrivateIdentifier(name))) return;
    const line = source.getLineAndCharacterOfPosition(name.getStart(source)).line + 1;
    console.log(JSON.stringify({ path, kind, name: name.text, line }));
  };
  const visit = (node, depth) => {
    const isSignature = ts.isPropertySignature(node) || ts.isMethodSignature(node);
    // Types without a name have members without an owner.
    if (KINDS[node.kind] && !(isSignature && !ts.isInterfaceDeclaration(node.parent))) emit(KINDS[node.kind], node.name);
    else if (isMember(node, depth)) emit("method", node.name);
    else if (ts.isVariableDeclaration(node) && isFunction(node.initializer)) emit("function", node.name);
    else if (ts.isVariableStatement(node) && ts.isSourceFile(node.parent)) {
      for (const one of node.declarationList.declarations) {
        const isRequire = one.initializer && /^require\(/.test(one.initializer.getText(source));
        if (!isFunction(one.initializer) && !isRequire) emit("variable", one.name);
      }
    }
    const inner = depth + (ts.isFunctionLike(node) ? 1 : 0);
    ts.forEachChild(node, (child) => visit(child, inner));
  };
  visit(source, 0);
}
