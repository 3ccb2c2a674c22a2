"""A context of so many tokens from ranked parts of files, and how many tokens a text has."""
import functools

HEADER = 4  # tokens around a path and its lines, above each piece


@functools.cache
def encoding():
    try:
        import tiktoken
    except ImportError:
        return None
    return tiktoken.get_encoding("o200k_base")


def tokens(text):
    known = encoding()
    return len(known.encode_ordinary(text)) if known else int(len(text) / 3.6) + 1


def in_order(ranked, budget):
    """Parts in their order up to the first that does not fit."""
    taken, left, before = [], budget, None
    for path, part in ranked:
        left -= tokens(part.text) + 1 + (HEADER + tokens(path) if path != before else 0)
        if left < 0:
            break
        taken.append((path, part))
        before = path
    return taken


def that_fit(ranked, budget, misses=20):
    """The best parts, leaving out those that no longer fit, until so many in a row do not."""
    taken, left, missed = [], budget, 0
    for path, part in ranked:
        need = tokens(part.text) + HEADER + tokens(path)
        if need > left:
            missed += 1
            if missed == misses:
                break
            continue
        left, missed = left - need, 0
        taken.append((path, part))
    return taken


def spans(parts):
    return [{"path": path, "start_line": part.start, "end_line": part.end} for path, part in parts]
