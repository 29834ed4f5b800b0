//! The insertion algorithm of "At Least Two Worlds", as one writes it in Rust.

fn scrambled(m: usize, n: usize, seed: u64) -> Vec<usize> {
    let len = m * n;
    let mut xs: Vec<usize> = (1..=len).collect();
    let mut x = seed;
    for k in (2..len).rev() {
        x = (1103515245 * x + 12345) % 2147483648;
        let j = (x / 65536) as usize % k;
        xs.swap(k - 1, j);
    }
    xs
}

fn even_rows(m: usize, n: usize) -> Vec<(usize, usize)> {
    let mut path = Vec::new();
    for k in 1..m {
        let i = m - k;
        if k % 2 == 1 {
            path.extend((2..=n).rev().map(|j| (i, j)));
        } else {
            path.extend((2..=n).map(|j| (i, j)));
        }
    }
    path.extend((1..=m).map(|i| (i, 1)));
    path.extend((2..n).map(|j| (m, j)));
    path
}

fn circuit_of(m: usize, n: usize) -> Vec<(usize, usize)> {
    if m % 2 == 0 {
        return even_rows(m, n);
    }
    if n % 2 == 0 {
        return even_rows(n, m).into_iter().map(|(j, i)| (i, j)).collect();
    }
    let mut path = Vec::new();
    for k in 1..m - 1 {
        let i = m - k;
        if k % 2 == 1 {
            path.push((i, n));
            path.push((i, n - 1));
        } else {
            path.push((i, n - 1));
            path.push((i, n));
        }
    }
    path.push((1, n - 1));
    for k in 1..n - 1 {
        let j = n - 1 - k;
        if k % 2 == 1 {
            path.extend((1..m).map(|i| (i, j)));
        } else {
            path.extend((1..m).rev().map(|i| (i, j)));
        }
    }
    path.extend((1..n).map(|j| (m, j)));
    path
}

struct Insertion {
    m: usize,
    n: usize,
    len: usize,
    home: usize,
    ring: Vec<usize>,
    spot: Vec<usize>,
    anchor: usize,
    normal: bool,
    tile: Vec<usize>,
    at: Vec<usize>,
    blank: usize,
    moves: u64,
    hash: u64,
}

impl Insertion {
    fn new(m: usize, n: usize) -> Self {
        let len = m * n;
        let ring: Vec<usize> = circuit_of(m, n).into_iter().map(|(i, j)| (i - 1) * n + j - 1).collect();
        let mut spot = vec![0; len];
        for (k, &c) in ring.iter().enumerate() {
            spot[c] = k + 1;
        }
        let anchor = if m % 2 == 0 && m > 2 && n == 2 { ring.len() - 1 } else { ring.len() };
        Insertion {
            m,
            n,
            len,
            home: len - 1,
            ring,
            spot,
            anchor,
            normal: m % 2 == 0 || n % 2 == 1,
            tile: Vec::new(),
            at: vec![0; len + 1],
            blank: 0,
            moves: 0,
            hash: 0,
        }
    }
    fn load(&mut self, tiles: Vec<usize>) {
        self.tile = tiles;
        for (c, &t) in self.tile.iter().enumerate() {
            self.at[t] = c;
        }
        self.blank = self.at[self.len];
    }
    fn go(&mut self, d: usize, letter: u64) {
        let b = self.blank;
        let t = self.tile[d];
        self.tile[b] = t;
        self.at[t] = b;
        self.tile[d] = self.len;
        self.at[self.len] = d;
        self.blank = d;
        self.moves += 1;
        self.hash = (self.hash * 5 + letter + 1) % 1000000007;
    }
    fn up(&mut self) {
        self.go(self.blank - self.n, 0)
    }
    fn down(&mut self) {
        self.go(self.blank + self.n, 1)
    }
    fn left(&mut self) {
        self.go(self.blank - 1, 2)
    }
    fn right(&mut self) {
        self.go(self.blank + 1, 3)
    }
    fn step_to(&mut self, d: usize) {
        let (n, b) = (self.n, self.blank);
        if d / n < b / n {
            self.up()
        } else if d / n > b / n {
            self.down()
        } else if d % n < b % n {
            self.left()
        } else {
            self.right()
        }
    }
    fn rotate(&mut self) {
        for k in 0..self.ring.len() {
            self.step_to(self.ring[k])
        }
        self.step_to(self.home)
    }
    fn rotate_back(&mut self) {
        for k in (0..self.ring.len()).rev() {
            self.step_to(self.ring[k])
        }
        self.step_to(self.home)
    }
    fn shift(&mut self, k: i64) {
        if k >= 0 {
            for _ in 0..k {
                self.rotate()
            }
        } else {
            for _ in 0..-k {
                self.rotate_back()
            }
        }
    }
    fn square(&mut self) {
        if self.normal {
            self.up();
            self.left();
            self.down();
            self.right()
        } else {
            self.left();
            self.up();
            self.right();
            self.down()
        }
    }
    fn square_back(&mut self) {
        if self.normal {
            self.left();
            self.up();
            self.right();
            self.down()
        } else {
            self.up();
            self.left();
            self.down();
            self.right()
        }
    }
    fn turns(&self, p: usize) -> i64 {
        let l = self.ring.len() as i64;
        let k = (p as i64 - self.anchor as i64).rem_euclid(l);
        if 2 * k <= l { k } else { k - l }
    }
    fn triple(&mut self, p: usize) {
        let k = self.turns(p);
        self.shift(k);
        self.square();
        self.shift(-k)
    }
    fn triple_back(&mut self, p: usize) {
        let k = self.turns(p);
        self.shift(k);
        self.square_back();
        self.shift(-k)
    }
    fn place(&self, t: usize) -> usize {
        self.spot[self.at[t]]
    }
    fn fill_corner(&mut self) {
        let n = self.n;
        if self.at[n] == n - 1 {
            return;
        }
        while self.at[n] != n - 2 {
            self.rotate()
        }
        for _ in 1..self.m {
            self.up()
        }
        self.left();
        for k in self.spot[n - 2]..self.ring.len() {
            self.step_to(self.ring[k])
        }
        self.step_to(self.home)
    }
    fn insert(&mut self, t: usize, d: usize) {
        loop {
            let p = self.place(t);
            if p == d {
                return;
            }
            if p >= d + 2 { self.triple_back(p - 2) } else { self.triple(d) }
        }
    }
    fn solve(&mut self) -> bool {
        let (m, n, l) = (self.m, self.n, self.ring.len());
        while self.blank / n < m - 1 {
            self.down()
        }
        while self.blank % n < n - 1 {
            self.right()
        }
        if m % 2 == 1 && n % 2 == 1 {
            self.fill_corner()
        }
        let want = |d: usize, ring: &[usize]| ring[d - 1] + 1;
        while self.place(want(1, &self.ring)) != 1 {
            self.rotate()
        }
        for d in 2..l - 2 {
            self.insert(want(d, &self.ring), d)
        }
        while self.place(want(l - 2, &self.ring)) != l - 2 {
            self.triple(l - 2)
        }
        let wrong: Vec<usize> = (0..self.len).filter(|&c| self.tile[c] != c + 1).collect();
        assert!(wrong.is_empty() || wrong.len() == 2 && wrong.iter().all(|&c| self.spot[c] > l - 2));
        wrong.is_empty()
    }
}

/// Boards with the blank at home; gives how many moves were made.
pub fn boards(m: usize, n: usize, count: u64) -> u64 {
    let mut s = Insertion::new(m, n);
    for seed in 1..=count {
        s.load(scrambled(m, n, seed));
        std::hint::black_box(s.solve());
    }
    std::hint::black_box(s.hash);
    s.moves
}
