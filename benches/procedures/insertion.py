#!/usr/bin/env python3
"""The insertion algorithm of "At Least Two Worlds" on m x n boards, plain Python.
usage: bench_insertion.py [m n boards first_seed]      (default 7 7 10 1)
prints: total number of moves, solved boards, and an FNV-like hash of all moves (U0 D1 L2 R3)"""
import sys, time


def scrambled(m, n, seed):
    N = m * n
    xs = list(range(1, N + 1))
    x = seed
    for k in range(N - 1, 1, -1):
        x = (1103515245 * x + 12345) % 2147483648
        j = (x // 65536) % k
        xs[k - 1], xs[j] = xs[j], xs[k - 1]
    return xs


def circuit_of(m, n):
    def even_rows(m, n):
        path = []
        for k in range(1, m):
            i = m - k
            path += [(i, j) for j in (range(n, 1, -1) if k % 2 else range(2, n + 1))]
        return path + [(i, 1) for i in range(1, m + 1)] + [(m, j) for j in range(2, n)]

    if m % 2 == 0:
        return even_rows(m, n)
    if n % 2 == 0:
        return [(i, j) for (j, i) in even_rows(n, m)]
    path = []
    for k in range(1, m - 1):
        i = m - k
        path += [(i, n), (i, n - 1)] if k % 2 else [(i, n - 1), (i, n)]
    path.append((1, n - 1))
    for k in range(1, n - 1):
        j = n - 1 - k
        path += [(i, j) for i in (range(1, m) if k % 2 else range(m - 1, 0, -1))]
    return path + [(m, j) for j in range(1, n)]


class Insertion:
    def __init__(self, m, n):
        self.m, self.n = m, n
        self.N = N = m * n
        num = lambda c: (c[0] - 1) * n + c[1] - 1          # cells 0..N-1
        self.home = N - 1
        self.ring = [num(c) for c in circuit_of(m, n)]
        self.L = len(self.ring)
        self.spot = [0] * N                                 # position on the circuit, 1..L; 0: not on it
        for k, c in enumerate(self.ring):
            self.spot[c] = k + 1
        self.anchor = self.L - 1 if (m % 2 == 0 and m > 2 and n == 2) else self.L
        self.normal = m % 2 == 0 or n % 2 == 1
        self.moves = 0
        self.hash = 0

    def load(self, tiles):
        self.tile = list(tiles)
        self.at = [0] * (self.N + 1)
        for c, t in enumerate(self.tile):
            self.at[t] = c
        self.blank = self.at[self.N]

    # one step of the blank
    def go(self, d, letter):
        tile, b = self.tile, self.blank
        t = tile[d]
        tile[b] = t
        self.at[t] = b
        tile[d] = self.N
        self.at[self.N] = d
        self.blank = d
        self.moves += 1
        self.hash = (self.hash * 5 + letter + 1) % 1000000007

    def up(self): self.go(self.blank - self.n, 0)
    def down(self): self.go(self.blank + self.n, 1)
    def left(self): self.go(self.blank - 1, 2)
    def right(self): self.go(self.blank + 1, 3)

    def step_to(self, d):
        n, b = self.n, self.blank
        if d // n < b // n: self.up()
        elif d // n > b // n: self.down()
        elif d % n < b % n: self.left()
        else: self.right()

    def rotate(self):
        for c in self.ring: self.step_to(c)
        self.step_to(self.home)

    def rotate_back(self):
        for k in range(self.L - 1, -1, -1): self.step_to(self.ring[k])
        self.step_to(self.home)

    def shift(self, k):
        if k >= 0:
            for _ in range(k): self.rotate()
        else:
            for _ in range(-k): self.rotate_back()

    def square(self):                 # X, Y, Z -> Y, Z, X
        if self.normal: self.up(); self.left(); self.down(); self.right()
        else: self.left(); self.up(); self.right(); self.down()

    def square_back(self):            # X, Y, Z -> Z, X, Y
        if self.normal: self.left(); self.up(); self.right(); self.down()
        else: self.up(); self.left(); self.down(); self.right()

    def turns(self, p):
        k = (p - self.anchor) % self.L
        return k if 2 * k <= self.L else k - self.L

    def triple(self, p):
        k = self.turns(p); self.shift(k); self.square(); self.shift(-k)

    def triple_back(self, p):
        k = self.turns(p); self.shift(k); self.square_back(); self.shift(-k)

    def place(self, t): return self.spot[self.at[t]]

    def fill_corner(self):
        n, m = self.n, self.m
        if self.at[n] == n - 1: return
        while self.at[n] != n - 2: self.rotate()
        for _ in range(m - 1): self.up()
        self.left()
        for k in range(self.spot[n - 2], self.L): self.step_to(self.ring[k])
        self.step_to(self.home)

    def insert(self, t, d):
        while True:
            p = self.place(t)
            if p == d: return
            if p >= d + 2: self.triple_back(p - 2)
            else: self.triple(d)

    def solve(self):
        m, n = self.m, self.n
        while self.blank // n < m - 1: self.down()
        while self.blank % n < n - 1: self.right()
        if m % 2 == 1 and n % 2 == 1: self.fill_corner()
        want = [0] + [c + 1 for c in self.ring]
        while self.place(want[1]) != 1: self.rotate()
        for d in range(2, self.L - 2): self.insert(want[d], d)
        while self.place(want[self.L - 2]) != self.L - 2: self.triple(self.L - 2)
        wrong = [c for c in range(self.N) if self.tile[c] != c + 1]
        assert wrong in ([], sorted(self.ring[-2:]))
        return not wrong


def main():
    a = [int(x) for x in sys.argv[1:]]
    m, n, boards, first = (a + [7, 7, 10, 1][len(a):])[:4]
    s = Insertion(m, n)
    t0 = time.perf_counter()
    solved = 0
    for seed in range(first, first + boards):
        s.load(scrambled(m, n, seed))
        solved += s.solve()
    dt = time.perf_counter() - t0
    print(f"{m}x{n}, {boards} boards: {s.moves} moves, {solved} solved, hash {s.hash}")
    print(f"{dt:.3f} s, {s.moves / dt / 1e6:.2f} million moves/s", file=sys.stderr)


if __name__ == "__main__":
    main()
