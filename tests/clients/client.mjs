// The official TypeScript client against a server, every tool and the rest of the protocol.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

// The packages lie in a folder of their own, outside of the checkout.
const packages = createRequire(process.argv[3] + "/package.json");
const load = (name) => import(pathToFileURL(packages.resolve(name)));
const { Client } = await load("@modelcontextprotocol/sdk/client/index.js");
const { LoggingMessageNotificationSchema } = await load("@modelcontextprotocol/sdk/types.js");
const { StdioClientTransport } = await load("@modelcontextprotocol/sdk/client/stdio.js");
const { StreamableHTTPClientTransport } = await load("@modelcontextprotocol/sdk/client/streamableHttp.js");

const server = process.argv[2];
const transport = server.startsWith("http")
  ? new StreamableHTTPClientTransport(new URL(server))
  : new StdioClientTransport({ ...JSON.parse(server), stderr: "inherit" });
const client = new Client({ name: "infiniloom-test", version: "1" });
await client.connect(transport);

// With the tools listed, the client checks every answer against its schema.
const { tools } = await client.listTools();
assert.deepEqual(tools.map((tool) => tool.name), ["context", "search", "navigate", "read", "map", "pack"]);

// The answer, when the index is there: a slow machine makes partial ones first.
async function whole(call) {
  for (;;) {
    const result = await client.callTool(call);
    if (!result.content[0].text.includes("Partial: ")) return result;
  }
}

async function one({ tool, arguments: given, refused = false, contains = [], lacks = [] }) {
  const result = await whole({ name: tool, arguments: given });
  const text = result.content[0].text;
  assert.equal(Boolean(result.isError), refused, text);
  for (const part of contains) assert.ok(text.includes(part), `${part} is not in ${text}`);
  for (const part of lacks) assert.ok(!text.includes(part), `${part} is in ${text}`);
  if (!refused) assert.ok(result.structuredContent.tokens > 0);
}

async function resources() {
  const listed = await client.listResources();
  assert.deepEqual(listed.resources.map((one) => one.uri), ["infiniloom://shop/map"]);
  assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 2);
  const read = await client.readResource({ uri: "infiniloom://shop/file/src/shop.py" });
  assert.ok(read.contents[0].text.includes("def price_of"));
  await assert.rejects(client.readResource({ uri: "infiniloom://shop/file/../outside.txt" }));
}

async function prompts() {
  const listed = await client.listPrompts();
  assert.deepEqual(listed.prompts.map((one) => one.name), ["explore", "review", "debug"]);
  const got = await client.getPrompt({ name: "explore", arguments: { topic: "prices" } });
  assert.ok(got.messages[0].content.text.includes("prices"));
}

async function cancellation() {
  const stop = new AbortController();
  const call = client.callTool({ name: "context", arguments: { query: "price" } }, undefined, { signal: stop.signal });
  stop.abort("no longer wanted");
  await assert.rejects(call);
  const next = await client.callTool({ name: "search", arguments: { query: "price_of" } });
  assert.ok(!next.isError);
}

async function progress() {
  const told = [];
  const call = { name: "map", arguments: {} };
  const result = await client.callTool(call, undefined, { onprogress: (one) => told.push(one) });
  assert.ok(!result.isError);
  assert.ok(told.length > 0, "nothing was told of the progress");
  for (const one of told) assert.ok(one.progress <= one.total, JSON.stringify(one));
}

async function logging() {
  const told = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, (one) => told.push(one.params));
  await client.setLoggingLevel("debug");
  await client.callTool({ name: "search", arguments: { query: "price_of" } });
  for (let wait = 0; told.length === 0 && wait < 100; wait += 1) await new Promise((go) => setTimeout(go, 20));
  assert.equal(told[0]?.data.tool, "search");
  await client.setLoggingLevel("error");
}

async function unknown() {
  await assert.rejects(client.callTool({ name: "delete", arguments: {} }), /there is no tool/);
}

async function many() {
  // Each has an answer of its own.
  const calls = Array.from({ length: 100 }, (_, at) => client.callTool({ name: "read", arguments: { path: "src/shop.py", lines: `${(at % 9) + 1}` } }));
  for (const [at, result] of (await Promise.all(calls)).entries()) {
    const lines = result.content[0].text.split("\n");
    assert.ok(lines.length === 2 && lines[1].startsWith(`${(at % 9) + 1}| `), result.content[0].text);
  }
}

const cases = JSON.parse(readFileSync(new URL("cases.json", import.meta.url), "utf8"));
const work = cases.map((given) => [`${given.tool} ${JSON.stringify(given.arguments)}`, () => one(given)]);
for (const run of [resources, prompts, cancellation, progress, logging, unknown, many]) work.push([run.name, run]);
let passed = 0;
let failed = 0;
for (const [name, run] of work) {
  try {
    await run();
    passed += 1;
  } catch (error) {
    failed += 1;
    console.log(`FAILED ${name}: ${error.message}`);
  }
}
await client.close();
console.log(`test result: ${failed ? "FAILED" : "ok"}. ${passed} passed; ${failed} failed;`);
process.exit(failed ? 1 : 0);
