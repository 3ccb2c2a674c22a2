// The official TypeScript client against a server, every tool and the rest of the protocol.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

// The packages lie in a folder of their own, outside of the checkout.
const packages = createRequire(process.argv[3] + "/package.json");
const load = (name) => import(pathToFileURL(packages.resolve(name)));
const { Client } = await load("@modelcontextprotocol/sdk/client/index.js");
const { LoggingMessageNotificationSchema, ProgressNotificationSchema } = await load("@modelcontextprotocol/sdk/types.js");
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
    if (!result.content[0].text.split("\n")[0].includes("; ask again")) return result;
  }
}

async function one({ tool, arguments: given, refused = false, contains = [], lacks = [] }) {
  const result = await whole({ name: tool, arguments: given });
  const text = result.content[0].text;
  assert.equal(Boolean(result.isError), refused, text);
  for (const part of contains) assert.ok(text.includes(part), `${part} is not in ${text}`);
  for (const part of lacks) assert.ok(!text.includes(part), `${part} is in ${text}`);
  assert.equal(result.structuredContent, undefined);
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

// Half an hour of waits: only a guard against a server that hangs.
const HANGS_AFTER = 90_000;

async function until(holds) {
  for (let wait = 0; !holds() && wait < HANGS_AFTER; wait += 1) await new Promise((go) => setTimeout(go, 20));
}

// Waits for something that is told beside answers.
async function heard(told) {
  await until(() => told.length > 0);
  return told[0];
}

async function progress() {
  const told = [];
  // The client forgets who waits for progress as soon as it has read an answer, so one that comes
  // in the same piece as its progress would not be heard by `onprogress`.
  client.setNotificationHandler(ProgressNotificationSchema, (one) => told.push(one.params));
  const call = { name: "map", arguments: {} };
  const result = await client.callTool(call, undefined, { onprogress: () => {} });
  assert.ok(!result.isError);
  await heard(told);
  const is_done = () => told.length > 0 && told.at(-1).progress === told.at(-1).total;
  await until(is_done);
  assert.ok(is_done(), `the end was not told: ${JSON.stringify(told)}`);
  assert.ok(told.length > 1, "the beginning was not told");
  told.forEach((one, at) => assert.ok(one.message && (at === 0 || one.progress > told[at - 1].progress), JSON.stringify(told)));
}

async function logging() {
  const told = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, (one) => told.push(one.params));
  await client.setLoggingLevel("debug");
  await client.callTool({ name: "search", arguments: { query: "price_of" } });
  assert.equal((await heard(told))?.data.tool, "search");
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
    const numbered = lines.filter((line) => line.includes("| "));
    assert.ok(numbered.length === 2 && lines[1].startsWith(`${(at % 9) + 1}| `) && lines.at(-1) === "complete", result.content[0].text);
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
