"""A model that plays a script. It answers the requests of Claude Code (Anthropic Messages API) and of
Codex (OpenAI Responses API) on loopback, and keeps every request.

A script is a list of turns, and each request takes the next one. A turn is a list of parts:
{"text": …}, {"tool": NAME, "input": …, "id": …, "namespace": …}, {"item": …} (a raw block) or
{"usage": …} (token counts to report). A turn {"when": WORDS, "parts": […]} is for the first request
that contains the words. Side requests without tools, and requests after the last turn, get "ok".
"""

import gzip
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PORT = 8765


class Model:
    """The script, and the requests so far."""

    def __init__(self, turns, log):
        self.turns = [turn if isinstance(turn, dict) else {"parts": turn} for turn in turns]
        self.log = open(log, "a", buffering=1, encoding="utf-8")
        self.lock = threading.Lock()
        self.answers = 0

    def turn(self, path, body):
        """The parts of the answer, and its number."""
        text = json.dumps(body)
        inputs = body.get("input") if isinstance(body.get("input"), list) else []
        has_tools = body.get("tools") or any(item.get("type") == "additional_tools" for item in inputs)
        with self.lock:
            self.log.write(json.dumps({"path": path, "body": body}) + "\n")
            self.answers += 1
            named = [turn for turn in self.turns if json.dumps(turn.get("when", "\0"))[1:-1] in text]
            plain = [turn for turn in self.turns if "when" not in turn and has_tools]
            for turn in named + plain:
                self.turns.remove(turn)
                return turn["parts"], self.answers
        return [{"text": "ok"}], self.answers


class Handler(BaseHTTPRequestHandler):
    """One request."""

    protocol_version = "HTTP/1.1"
    model = None

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.whole({"object": "list", "data": [], "models": [], "has_more": False})

    def do_HEAD(self):
        self.whole({})

    def do_POST(self):
        data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.headers.get("Content-Encoding") == "gzip":
            data = gzip.decompress(data)
        body = json.loads(data or b"{}")
        path = self.path.split("?")[0]
        if path.endswith("/count_tokens"):
            return self.whole({"input_tokens": len(data) // 4})
        answers = {"/messages": messages, "/responses": responses}
        answer = next((play for end, play in answers.items() if path.endswith(end)), None)
        if answer is None:
            return self.whole({}, 404)
        parts, number = self.model.turn(path, body)
        usage = {"input_tokens": len(data) // 4, "output_tokens": 1}
        for part in parts:
            usage.update(part.get("usage", {}))
        events, whole = answer(number, body.get("model", "scripted"), parts, usage)
        if not body.get("stream"):
            return self.whole(whole)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for event in events:
            line = f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()
            self.wfile.write(b"%x\r\n%s\r\n" % (len(line), line))
        self.wfile.write(b"0\r\n\r\n")

    def whole(self, value, status=200):
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)


def messages(number, name, parts, usage):
    """The events of an answer of the Messages API, and the answer as one value."""
    blocks, events = [], []
    for part in parts:
        at = len(blocks)
        if "text" in part:
            block, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": part["text"]}
            whole = {**block, "text": part["text"]}
        elif "tool" in part:
            given = part.get("input", {})
            block = {"type": "tool_use", "name": part["tool"], "input": {}, "id": part.get("id", f"toolu_{number}_{at}")}
            delta, whole = {"type": "input_json_delta", "partial_json": json.dumps(given)}, {**block, "input": given}
        elif "item" in part:
            block, delta, whole = part["item"], None, part["item"]
        else:
            continue
        blocks.append(whole)
        events.append({"type": "content_block_start", "index": at, "content_block": block})
        if delta:
            events.append({"type": "content_block_delta", "index": at, "delta": delta})
        events.append({"type": "content_block_stop", "index": at})
    stop = "tool_use" if any(block["type"] == "tool_use" for block in blocks) else "end_turn"
    message = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": name}
    start = {**message, "content": [], "stop_reason": None, "stop_sequence": None, "usage": usage}
    ends = {"stop_reason": stop, "stop_sequence": None}
    events.insert(0, {"type": "message_start", "message": start})
    events += [{"type": "message_delta", "delta": ends, "usage": usage}, {"type": "message_stop"}]
    return events, {**message, "content": blocks, **ends, "usage": usage}


def responses(number, name, parts, usage):
    """The same for the Responses API."""
    items, events = [], []
    for part in parts:
        at = len(items)
        tag = f"{number}_{at}"
        if "text" in part:
            content = {"type": "output_text", "text": part["text"], "annotations": []}
            item = {"id": f"msg_{tag}", "type": "message", "role": "assistant", "status": "completed", "content": [content]}
            place = {"item_id": item["id"], "output_index": at, "content_index": 0}
            middle = [{"type": "response.output_text.delta", "delta": part["text"], **place}]
            first = {**item, "status": "in_progress", "content": []}
        elif "tool" in part:
            given = part.get("input", {})
            item = {"call_id": part.get("id", f"call_{tag}"), "name": part["tool"], "status": "completed"}
            item.update({"namespace": part["namespace"]} if "namespace" in part else {})
            if isinstance(given, str):
                item.update(id=f"ctc_{tag}", type="custom_tool_call", input=given)
            else:
                item.update(id=f"fc_{tag}", type="function_call", arguments=json.dumps(given))
            middle, first = [], {**item, "status": "in_progress"}
        elif "item" in part:
            item, middle, first = part["item"], [], part["item"]
        else:
            continue
        items.append(item)
        events.append({"type": "response.output_item.added", "output_index": at, "item": first})
        events += middle
        events.append({"type": "response.output_item.done", "output_index": at, "item": item})
    details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    total = usage["input_tokens"] + usage["output_tokens"]
    response = {"id": f"resp_{number}", "object": "response", "created_at": 0, "model": name, "error": None}
    events.insert(0, {"type": "response.created", "response": {**response, "status": "in_progress", "output": [], "usage": None}})
    whole = {**response, "status": "completed", "output": items, "usage": {**details, "total_tokens": total, **usage}}
    events.append({"type": "response.completed", "response": whole})
    return events, whole


def start(turns, log):
    """Serves a script in the background."""
    Handler.model = Model(turns, log)
    server = ThreadingHTTPServer(("127.0.0.1", PORT), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
