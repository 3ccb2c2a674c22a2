"""Writes a tiny language model with random weights, the same for every run, in the form
that llama.cpp reads (GGUF 3). What it says means nothing; that a real server gives its
vectors is what matters."""

import random
import struct

WIDTH, INNER, HEADS = 32, 64, 2
F32, ALIGNMENT = 0, 32
UINT32, FLOAT32, STRING, ARRAY, INT32 = 4, 6, 8, 9, 5
NORMAL, UNKNOWN, CONTROL, BYTE = 1, 2, 3, 6


def text(value):
    data = value if isinstance(value, bytes) else value.encode()
    return struct.pack("<Q", len(data)) + data


def array(kind, values, pack):
    return struct.pack("<IQ", kind, len(values)) + b"".join(pack(value) for value in values)


def vocabulary():
    tokens = [b"<unk>", b"<s>", b"</s>"] + [b"<0x%02X>" % byte for byte in range(256)]
    kinds = [UNKNOWN, CONTROL, CONTROL] + [BYTE] * 256
    for word in ["\u2581".encode()] + [bytes([byte]) for byte in range(33, 127)]:
        tokens.append(word)
        kinds.append(NORMAL)
    return tokens, kinds


def facts(tokens, kinds):
    number = lambda value: (UINT32, struct.pack("<I", value))
    words = lambda value: (STRING, text(value))
    floating = lambda value: (FLOAT32, struct.pack("<f", value))
    integers = lambda values: (ARRAY, array(INT32, values, lambda one: struct.pack("<i", one)))
    return {
        "general.architecture": words("llama"),
        "general.name": words("tiny"),
        "llama.context_length": number(512),
        "llama.embedding_length": number(WIDTH),
        "llama.block_count": number(1),
        "llama.feed_forward_length": number(INNER),
        "llama.attention.head_count": number(HEADS),
        "llama.attention.head_count_kv": number(HEADS),
        "llama.attention.layer_norm_rms_epsilon": floating(1e-5),
        "llama.rope.dimension_count": number(WIDTH // HEADS),
        "llama.vocab_size": number(len(tokens)),
        "tokenizer.ggml.model": words("llama"),
        "tokenizer.ggml.pre": words("default"),
        "tokenizer.ggml.tokens": (ARRAY, array(STRING, tokens, text)),
        "tokenizer.ggml.scores": (ARRAY, array(FLOAT32, [0.0] * len(tokens), lambda one: struct.pack("<f", one))),
        "tokenizer.ggml.token_type": integers(kinds),
        "tokenizer.ggml.bos_token_id": number(1),
        "tokenizer.ggml.eos_token_id": number(2),
        "tokenizer.ggml.unknown_token_id": number(0),
    }


def tensors(size):
    chance = random.Random(7)
    drawn = lambda *shape: (shape, [chance.gauss(0, 0.2) for _ in range(shape[0] * shape[1])])
    ones = ((WIDTH,), [1.0] * WIDTH)
    found = {"token_embd.weight": drawn(size, WIDTH), "output_norm.weight": ones, "output.weight": drawn(size, WIDTH)}
    found |= {"blk.0.attn_norm.weight": ones, "blk.0.ffn_norm.weight": ones}
    for name in ["attn_q", "attn_k", "attn_v", "attn_output"]:
        found[f"blk.0.{name}.weight"] = drawn(WIDTH, WIDTH)
    found["blk.0.ffn_gate.weight"] = drawn(INNER, WIDTH)
    found["blk.0.ffn_up.weight"] = drawn(INNER, WIDTH)
    found["blk.0.ffn_down.weight"] = drawn(WIDTH, INNER)
    return found


def padded(data):
    return data + b"\0" * (-len(data) % ALIGNMENT)


def write(path):
    tokens, kinds = vocabulary()
    known, layers = facts(tokens, kinds), tensors(len(tokens))
    head = b"GGUF" + struct.pack("<IQQ", 3, len(layers), len(known))
    for key, (kind, value) in known.items():
        head += text(key) + struct.pack("<I", kind) + value
    body = b""
    for name, (shape, values) in layers.items():
        # The innermost dimension comes first.
        sizes = struct.pack(f"<{len(shape)}Q", *reversed(shape))
        head += text(name) + struct.pack("<I", len(shape)) + sizes + struct.pack("<IQ", F32, len(body))
        body += padded(struct.pack(f"<{len(values)}f", *values))
    path.write_bytes(padded(head) + body)
