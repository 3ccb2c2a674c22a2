"""The map of the older infiniloom: `older_map.py ROOT BUDGET`, in an environment that has it.

Prints its key symbols as JSON."""

import json
import sys
import time

import infiniloom

start = time.perf_counter()
found = infiniloom.Infiniloom(sys.argv[1]).map(map_budget=int(sys.argv[2]))
json.dump({"seconds": time.perf_counter() - start, "text": str(found), "symbols": [one["name"] for one in found["key_symbols"][:20]]}, sys.stdout)
