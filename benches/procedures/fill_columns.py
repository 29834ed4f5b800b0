"""FillColumns on the torus, as one writes it in Python: lists of lists, a column is looked at row by row.

usage: fill_columns.py ROWS COLUMNS SEED; prints the moves and the seconds.
The start board is shuffled by the generator of `mixed` in the torus paper of the standard library.
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


m, n, seed = map(int, sys.argv[1:4])
a = mixed(m, n, seed)
t = time.process_time()
rows, cols = fill_columns(a, m, n)
t = time.process_time() - t
assert all((a[i][j] - 1) % n == j for i in range(1, m) for j in range(n))
print(rows + cols, t)
