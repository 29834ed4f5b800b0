#!/usr/bin/env python3
"""FillColumns in plain CPython, as a yardstick: lists of lists, near_full by looking at the column.

usage: bench_fill.py [m [n [seed]]]     (default 200 200 1)
The start board is Fisher and Yates' shuffle driven by x -> 48271 x mod (2^31 - 1), as fn `mixed` in torus.perm.
"""
import sys
import time


def mixed(m, n, seed):
    t = list(range(1, m * n + 1))
    x = seed
    for k in range(m * n, 1, -1):
        x = 48271 * x % 2147483647
        j = x % k
        t[k - 1], t[j] = t[j], t[k - 1]
    return [t[i * n:(i + 1) * n] for i in range(m)]


def fill_columns(a, m, n):
    """Serve the columns, then rotate row 1, until all columns are near-full. Returns (row, column) rotations."""
    rows = cols = 0

    def near_full(j):
        for i in range(1, m):
            if (a[i][j] - 1) % n != j:
                return False
        return True

    while any(not near_full(j) for j in range(n)):
        for j in range(n):
            while not near_full(j) and (a[0][j] - 1) % n == j:
                last = a[m - 1][j]
                for i in range(m - 1, 0, -1):
                    a[i][j] = a[i - 1][j]
                a[0][j] = last
                cols += 1
        a[0].insert(0, a[0].pop())
        rows += 1
    return rows, cols


if __name__ == "__main__":
    m = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    n = int(sys.argv[2]) if len(sys.argv) > 2 else m
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    a = mixed(m, n, seed)
    first = a[0][:5]
    t = time.perf_counter()
    rows, cols = fill_columns(a, m, n)
    t = time.perf_counter() - t
    assert all((a[i][j] - 1) % n == j for i in range(1, m) for j in range(n))
    h = 0
    for r in a:
        for x in r:
            h = (h * 31 + x) % 1000000007
    print(f"{m} x {n}, seed {seed}, row 1 starts {first}: {rows} rotations of row 1, {cols} of columns, {rows + cols} in all; "
          f"checksum of the final board {h}; {t:.3f} s")
