#!/usr/bin/env python3
"""spiral-cycle of the number rotation puzzle on all ordered triples of numbers, in plain Python.

usage: bench_spiral_cycle.py [n=8] [k = applications of C: 1, and 2 for n = 4, 5] [limit of triples]
For odd n: all triples of the even parity. Prints triples, moves, longest word, seconds."""
import sys
import time


class Board:
    """The board: tile[c] is the number on square c, cell[t] the square of number t; both counted from 0."""

    def __init__(self, n):
        self.n, self.w = n, n + 1
        x = lambda i, j: (n - 1 - j, i) if j < n else (i, j)
        y = lambda i, j: (n - j, i + 1) if j >= 1 else (i, j)
        squares = [(i, j) for i in range(n) for j in range(n + 1)]
        number = {p: k for k, p in enumerate(squares)}
        self.move = {}
        for name, f in (("X", x), ("Y", y)):
            there = [number[f(*p)] for p in squares]
            back = [0] * len(there)
            for c, d in enumerate(there):
                back[d] = c
            self.move[name] = (there, back)
            self.move[name.lower()] = (back, there)     # x, y: the inverses
        self.start = list(range(len(squares)))
        self.reset()

    def reset(self):
        self.tile = self.start
        self.cell = self.start
        self.word = []

    def do(self, word):
        for m in word:
            there, back = self.move[m]
            self.tile = [self.tile[c] for c in back]
            self.cell = [there[c] for c in self.cell]
            self.word.append(m)

    def at(self, t):
        c = self.cell[t]
        return c // self.w + 1, c % self.w + 1


C, C_INV = "YX" * 4, "xy" * 4


def inverse(word):
    return word[::-1].swapcase()


class SpiralCycle:
    def __init__(self, n, k):
        self.n, self.k, self.b = n, k, Board(n)
        self.even = n % 2 == 0
        self.u = (n // 2, n // 2 + 1) if self.even else ((n + 1) // 2, (n + 1) // 2)
        self.u1, self.u2 = (1, 1), (2, 1) if self.even else (3, 1)
        self.least = 2 if self.even else 4
        r = n // 2 - 1
        self.corner = inverse("XXYYY" + "XYYY" * r)
        self.gate = inverse("YY" + (C_INV * k + "x" + C * k + "Y") * r)

    def dd(self, p):
        return (2 * p[0] - self.n - 1) ** 2 + (2 * p[1] - self.n - 3) ** 2

    def on_belt(self, p):
        return p[1] == 1 or p[1] == self.n + 1 or p[0] == self.n

    def spiral(self, a):
        n, b = self.n, self.b
        if b.at(a)[1] == 1:
            b.do("XX")
        last = None
        while True:
            d = self.dd(b.at(a))
            assert last is None or d < last
            last = d
            if d == self.least:
                while b.at(a) != self.u:
                    b.do("Y")
                return
            while True:
                i, j = b.at(a)
                if n + 1 <= 2 * i and 2 <= j and 2 * j <= n + 3:
                    break
                b.do("Y")
            b.do("X")

    def spiral_star_hiding(self, a, b1, b2):
        n, b, k = self.n, self.b, self.k
        last, turned = None, False
        while True:
            p = b.at(a)
            d = self.dd(p)
            assert last is None or d < last
            last = d
            near = d == self.least
            while True:
                p = b.at(a)
                if (p == self.u) if near else (2 * p[0] <= n + 1 and 2 <= p[1] and 2 * p[1] <= n + 3):
                    break
                if b.at(b1)[1] > 1 or b.at(b2)[1] > 1:
                    assert b.at(b1)[1] == n + 1 and b.at(b2)[1] == n + 1
                    assert turned and not self.on_belt(p)
                    b.do(C * k)
                    assert b.at(a) == p and b.at(b1)[1] == 1 and b.at(b2)[1] == 1
                b.do("Y")
            if near:
                break
            if b.at(b1)[1] <= n or b.at(b2)[1] <= n:
                assert b.at(b1)[1] == 1 and b.at(b2)[1] == 1
                assert not self.on_belt(p)
                b.do(C_INV * k)
                assert b.at(a) == p and b.at(b1)[1] == n + 1 and b.at(b2)[1] == n + 1
            b.do("x")
            turned = True
        if b.at(b1)[1] == n + 1:
            p = b.at(a)
            assert not self.on_belt(p)
            b.do(C * k)
            assert b.at(a) == p

    def spiral_cycle(self, a1, a2, a3):
        b = self.b
        self.spiral(a1)
        b.do(self.corner)
        if b.at(a2)[1] == 1:
            b.do("XYx")
        self.spiral_star_hiding(a2, a1, a1)
        b.do(self.gate)
        b.do("Xyx")
        assert b.at(a1) == self.u1 and b.at(a2) == self.u2
        if b.at(a3)[1] == 1:
            b.do("XYYxyXyx" if self.even else "XYYXYXyXXyXyx")
        self.spiral_star_hiding(a3, a1, a2)
        assert b.at(a1) == self.u1 and b.at(a2) == self.u2 and b.at(a3) == self.u


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    k = int(sys.argv[2]) if len(sys.argv) > 2 else (2 if n in (4, 5) else 1)
    limit = int(sys.argv[3]) if len(sys.argv) > 3 else None
    s = SpiralCycle(n, k)
    tiles = [t for t in range(n * (n + 1)) if n % 2 == 0 or (t // (n + 1) + t % (n + 1)) % 2 == 0]
    started, triples, moves, longest = time.time(), 0, 0, 0
    for a1 in tiles:
        for a2 in tiles:
            if a2 == a1:
                continue
            for a3 in tiles:
                if a3 == a1 or a3 == a2:
                    continue
                if limit is not None and triples == limit:
                    break
                s.b.reset()
                s.spiral_cycle(a1, a2, a3)
                triples += 1
                moves += len(s.b.word)
                longest = max(longest, len(s.b.word))
    print(f"n={n} k={k} triples={triples} moves={moves} longest={longest} seconds={time.time() - started:.2f}")


if __name__ == "__main__":
    main()
