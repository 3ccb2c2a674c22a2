"""The official Python client against a server, every tool and the rest of the protocol."""

import asyncio
import json
import sys
from pathlib import Path

import anyio
import anyio.lowlevel
from mcp import Client, MCPError, StdioServerParameters

HERE = Path(__file__).parent
# Seconds; only a guard against a server that hangs.
HANGS_AFTER = 1800


async def tools(client):
    listed = (await client.list_tools()).tools
    names = [tool.name for tool in listed]
    assert names == ["context", "search", "navigate", "read", "map", "pack"], names
    return {tool.name: tool for tool in listed}


async def whole(client, tool, arguments):
    """The answer, when the index is there: a slow machine makes partial ones first."""
    while True:
        result = await client.call_tool(tool, arguments)
        if "; ask again" not in result.content[0].text.split("\n")[0]:
            return result


async def one(client, described, case):
    result = await whole(client, case["tool"], case["arguments"])
    text = result.content[0].text
    assert bool(result.is_error) == case.get("refused", False), text
    for part in case.get("contains", []):
        assert part in text, f"{part!r} is not in {text!r}"
    for part in case.get("lacks", []):
        assert part not in text, f"{part!r} is in {text!r}"
    if not result.is_error:
        # A client that gets data passes it on instead of the text.
        assert described[case["tool"]].output_schema is None
        assert result.structured_content is None


async def resources(client):
    listed = (await client.list_resources()).resources
    assert [str(one.uri) for one in listed] == ["infiniloom://shop/map"], listed
    templates = (await client.list_resource_templates()).resource_templates
    assert len(templates) == 2
    for uri, part in [
        ("infiniloom://shop/map", "shop.py"),
        ("infiniloom://shop/file/src/shop.py", "def price_of"),
        ("infiniloom://shop/symbol/price_of", "def price_of"),
    ]:
        read = await client.read_resource(uri)
        assert part in read.contents[0].text, uri
    try:
        await client.read_resource("infiniloom://shop/file/../outside.txt")
    except MCPError:
        return
    raise AssertionError("a file outside was read")


async def prompts(client):
    listed = (await client.list_prompts()).prompts
    assert [one.name for one in listed] == ["explore", "review", "debug"], listed
    got = await client.get_prompt("debug", {"failure": "KeyError: price"})
    assert "KeyError: price" in got.messages[0].content.text


async def cancellation(client):
    answered = []

    async def call():
        answered.append(await client.call_tool("context", {"query": "price", "max_tokens": 100000}))

    async with anyio.create_task_group() as group:
        group.start_soon(call)
        # A few turns of the event loop send the request; no clock decides.
        for _ in range(3):
            await anyio.lowlevel.checkpoint()
        group.cancel_scope.cancel()
    assert not answered, "the call was done before it could be cancelled"
    result = await client.call_tool("search", {"query": "price_of"})
    assert not result.is_error


async def unknown(client):
    try:
        await client.call_tool("delete", {})
    except MCPError as error:
        assert "there is no tool `delete`" in str(error), error
        return
    raise AssertionError("a tool that is not there was called")


async def many(client):
    # Each has an answer of its own.
    numbers = [at % 9 + 1 for at in range(100)]
    calls = [client.call_tool("read", {"path": "src/shop.py", "lines": str(number)}) for number in numbers]
    for number, result in zip(numbers, await asyncio.gather(*calls)):
        lines = result.content[0].text.split("\n")
        assert lines[1].startswith(f"{number}| ") and lines[-1] == "complete", lines
        assert sum("| " in line for line in lines) == 2, lines


async def main(server, mode):
    server = server if server.startswith("http") else StdioServerParameters(**json.loads(server))
    failed = passed = 0
    async with Client(server, mode=mode, read_timeout_seconds=HANGS_AFTER) as client:
        described = await tools(client)
        cases = json.loads((HERE / "cases.json").read_text())
        work = [(f"{case['tool']} {json.dumps(case['arguments'])}", one, (client, described, case)) for case in cases]
        work += [(run.__name__, run, (client,)) for run in (resources, prompts, cancellation, unknown, many)]
        for name, run, arguments in work:
            try:
                await run(*arguments)
                passed += 1
            except Exception as error:  # noqa: BLE001 - every failure is told
                failed += 1
                print(f"FAILED {name}: {type(error).__name__}: {error}")
        print(f"revision {client.protocol_version}")
    print(f"test result: {'FAILED' if failed else 'ok'}. {passed} passed; {failed} failed;")
    return failed


if __name__ == "__main__":
    sys.exit(1 if asyncio.run(main(sys.argv[1], sys.argv[2])) else 0)
