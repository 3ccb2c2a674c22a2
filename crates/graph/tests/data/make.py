"""Writes networkx.txt: graphs and what networkx says about them.

    python3 make.py > networkx.txt        (needs networkx and scipy)

A graph is a line `graph NAME NODES`, lines `edge FROM TO WEIGHT`, and for each measure a
line `NAME VALUE...` with a value for each node. `start` is what PageRank starts from."""
import random

import networkx as nx


def graphs():
    yield "cycle", 5, [(i, (i + 1) % 5, 1.0) for i in range(5)]
    yield "star", 6, [(i, 0, 1.0) for i in range(1, 6)] + [(0, 1, 1.0)]
    yield "dangling", 5, [(0, 1, 1.0), (0, 2, 3.0), (1, 2, 0.5), (2, 3, 2.0)]
    yield "loop", 4, [(0, 0, 2.0), (0, 1, 1.0), (1, 2, 1.0), (2, 0, 1.0), (3, 0, 1.0)]
    draw = random.Random(11)
    for name, nodes, edges in (("small", 30, 120), ("sparse", 200, 380), ("dense", 60, 1200)):
        seen = {}
        for _ in range(edges):
            # Some nodes are named more often than others, as in code.
            end = min(draw.randrange(nodes), draw.randrange(nodes))
            seen[(draw.randrange(nodes), end)] = round(draw.uniform(0.1, 4.0), 3)
        yield name, nodes, [(a, b, w) for (a, b), w in sorted(seen.items())]


def row(name, values, nodes):
    print(name, *(repr(float(values[node])) for node in range(nodes)))


def main():
    for name, nodes, edges in graphs():
        print("graph", name, nodes)
        graph = nx.DiGraph()
        graph.add_nodes_from(range(nodes))
        for start, end, weight in edges:
            graph.add_edge(start, end, weight=weight)
            print("edge", start, end, repr(weight))
        row("pagerank", nx.pagerank(graph, tol=1e-15, max_iter=5000), nodes)
        start = {node: float((node * 7) % 5) for node in range(nodes)}
        row("start", start, nodes)
        row("personalised", nx.pagerank(graph, personalization=start, alpha=0.7, tol=1e-15, max_iter=5000), nodes)
        if name not in ("cycle",):
            hubs, authorities = nx.hits(graph, tol=1e-14, max_iter=100000)
            row("hubs", hubs, nodes)
            row("authorities", authorities, nodes)
        row("betweenness", nx.betweenness_centrality(graph), nodes)


main()
