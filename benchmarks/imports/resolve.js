// What the TypeScript compiler resolves a module to: questions as JSON lines on standard
// input, a path below the folder or `null` for each. Packages of the workspace are found as
// if they were linked into `node_modules`, and what a build would write to `lib` is found in
// `src`. `NODE_PATH` names the folder of `typescript`.
const ts = require("typescript");
const fs = require("fs");
const path = require("path");

const root = path.resolve(process.argv[2]);
const packages = new Map();

(function find(folder, depth) {
  const manifest = path.join(folder, "package.json");
  if (depth && fs.existsSync(manifest)) {
    try {
      const { name } = JSON.parse(fs.readFileSync(manifest, "utf8"));
      // Fixtures of tests are no packages of the workspace.
      if (name && !/__fixtures__|__tests__/.test(folder)) packages.set(name, folder);
    } catch {}
  }
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory() && !["node_modules", ".git"].includes(entry.name)) find(path.join(folder, entry.name), depth + 1);
  }
})(root, 0);

// A path in `node_modules` of the root as the path of the package.
function real(file) {
  const prefix = path.join(root, "node_modules") + "/";
  if (!file.startsWith(prefix)) return file;
  const rest = file.slice(prefix.length).split("/");
  const name = rest[0].startsWith("@") ? rest.slice(0, 2).join("/") : rest[0];
  const folder = packages.get(name);
  return folder ? path.join(folder, ...rest.slice(name.split("/").length)) : file;
}

const isFile = (file) => fs.existsSync(file) && fs.statSync(file).isFile();

// The source of what a build writes.
function source(file) {
  if (isFile(file)) return file;
  const at = file.lastIndexOf("/lib/");
  if (at < 0) return null;
  const stem = (file.slice(0, at) + "/src/" + file.slice(at + 5)).replace(/(\.d)?\.[cm]?[jt]sx?$/, "");
  return [".ts", ".tsx", ".d.ts", ".js"].map((end) => stem + end).find(isFile) || null;
}

const host = {
  fileExists: (file) => source(real(file)) !== null,
  readFile: (file) => fs.readFileSync(real(file), "utf8"),
  directoryExists: (folder) => fs.existsSync(real(folder)) || folder === path.join(root, "node_modules") || packages.size > 0 && /node_modules\/@[^/]+$/.test(folder),
  getCurrentDirectory: () => root,
};

const configs = new Map();
function optionsOf(file) {
  const config = ts.findConfigFile(path.dirname(file), (one) => fs.existsSync(one));
  if (!configs.has(config)) {
    const parsed = config && ts.parseJsonConfigFileContent(ts.readConfigFile(config, ts.sys.readFile).config, ts.sys, path.dirname(config));
    configs.set(config, { ...(parsed ? parsed.options : {}), allowJs: true, resolveJsonModule: true, moduleResolution: ts.ModuleResolutionKind.Bundler, preserveSymlinks: true });
  }
  return configs.get(config);
}

for (const line of fs.readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const question = JSON.parse(line);
  const file = path.join(root, question.path);
  const found = ts.resolveModuleName(question.module, file, optionsOf(file), host).resolvedModule;
  const target = found && source(real(found.resolvedFileName));
  const inside = target && !target.includes("/node_modules/") ? path.relative(root, target) : null;
  console.log(JSON.stringify(inside));
}
