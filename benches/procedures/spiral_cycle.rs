//! Spiral-cycle of the number rotation puzzle, as one writes it in Rust: boards as arrays, every move changes them.

#[derive(Clone, Copy)]
enum Move {
    X,
    XInv,
    Y,
    YInv,
}
use Move::*;

/// tile[c] is the number on square c, cell[t] the square of number t, both counted from 0.
struct Board {
    n: i32,
    tile: Vec<u16>,
    cell: Vec<u16>,
    next: Vec<u16>,
    word: Vec<Move>,
    moves: [Vec<u16>; 4],
}

impl Board {
    fn new(n: i32) -> Board {
        let w = n + 1;
        let size = (n * w) as usize;
        let mut moves = [vec![0u16; size], vec![0; size], vec![0; size], vec![0; size]];
        for i in 0..n {
            for j in 0..w {
                let c = (i * w + j) as usize;
                let (xi, xj) = if j < n { (n - 1 - j, i) } else { (i, j) };
                let (yi, yj) = if j >= 1 { (n - j, i + 1) } else { (i, j) };
                let (x, y) = ((xi * w + xj) as usize, (yi * w + yj) as usize);
                moves[0][c] = x as u16;
                moves[1][x] = c as u16;
                moves[2][c] = y as u16;
                moves[3][y] = c as u16;
            }
        }
        let solved: Vec<u16> = (0..size as u16).collect();
        Board { n, tile: solved.clone(), cell: solved.clone(), next: solved, word: Vec::new(), moves }
    }
    fn reset(&mut self) {
        for c in 0..self.tile.len() {
            self.tile[c] = c as u16;
            self.cell[c] = c as u16;
        }
        self.word.clear();
    }
    fn turn(&mut self, m: Move) {
        let goes = &self.moves[m as usize];
        for c in 0..goes.len() {
            let (t, d) = (self.tile[c], goes[c]);
            self.next[d as usize] = t;
            self.cell[t as usize] = d;
        }
        std::mem::swap(&mut self.tile, &mut self.next);
        self.word.push(m);
    }
    fn run(&mut self, w: &[Move]) {
        for &m in w {
            self.turn(m)
        }
    }
    fn at(&self, t: u16) -> (i32, i32) {
        let c = self.cell[t as usize] as i32;
        (c / (self.n + 1) + 1, c % (self.n + 1) + 1)
    }
}

fn inverse(w: &[Move]) -> Vec<Move> {
    w.iter()
        .rev()
        .map(|m| match m {
            X => XInv,
            XInv => X,
            Y => YInv,
            YInv => Y,
        })
        .collect()
}

struct Solver {
    n: i32,
    even: bool,
    u: (i32, i32),
    u1: (i32, i32),
    u2: (i32, i32),
    least: i32,
    cycle: Vec<Move>,
    cycle_back: Vec<Move>,
    corner: Vec<Move>,
    gate: Vec<Move>,
    b: Board,
}

impl Solver {
    fn new(n: i32, k: usize) -> Solver {
        let even = n % 2 == 0;
        let cycle = [Y, X].repeat(4 * k);
        let cycle_back = inverse(&cycle);
        let (mut corner, mut gate) = (vec![X, X, Y, Y, Y], vec![Y, Y]);
        for _ in 0..n / 2 - 1 {
            corner.extend([X, Y, Y, Y]);
            gate.extend(&cycle_back);
            gate.push(XInv);
            gate.extend(&cycle);
            gate.push(Y);
        }
        Solver {
            n,
            even,
            u: if even { (n / 2, n / 2 + 1) } else { ((n + 1) / 2, (n + 1) / 2) },
            u1: (1, 1),
            u2: if even { (2, 1) } else { (3, 1) },
            least: if even { 2 } else { 4 },
            corner: inverse(&corner),
            gate: inverse(&gate),
            cycle,
            cycle_back,
            b: Board::new(n),
        }
    }
    fn dd(&self, p: (i32, i32)) -> i32 {
        let (i, j) = (2 * p.0 - (self.n + 1), 2 * p.1 - (self.n + 3));
        i * i + j * j
    }
    fn lower_left(&self, p: (i32, i32)) -> bool {
        self.n + 1 <= 2 * p.0 && 2 <= p.1 && 2 * p.1 <= self.n + 3
    }
    fn upper_left(&self, p: (i32, i32)) -> bool {
        2 * p.0 <= self.n + 1 && 2 <= p.1 && 2 * p.1 <= self.n + 3
    }
    fn on_belt(&self, p: (i32, i32)) -> bool {
        p.1 == 1 || p.1 == self.n + 1 || p.0 == self.n
    }

    fn spiral(&mut self, a: u16) {
        if self.b.at(a).1 == 1 {
            self.b.run(&[X, X])
        }
        let mut last = i32::MAX;
        loop {
            let d = self.dd(self.b.at(a));
            assert!(d < last);
            last = d;
            if d == self.least {
                while self.b.at(a) != self.u {
                    self.b.turn(Y)
                }
                return;
            }
            while !self.lower_left(self.b.at(a)) {
                self.b.turn(Y)
            }
            self.b.turn(X);
        }
    }
    fn spiral_star_hiding(&mut self, a: u16, b1: u16, b2: u16) {
        let n = self.n;
        let mut last = i32::MAX;
        let mut turned = false;
        loop {
            let d = self.dd(self.b.at(a));
            assert!(d < last);
            last = d;
            let near = d == self.least;
            loop {
                let p = self.b.at(a);
                if if near { p == self.u } else { self.upper_left(p) } {
                    break;
                }
                if self.b.at(b1).1 > 1 || self.b.at(b2).1 > 1 {
                    assert!(self.b.at(b1).1 == n + 1 && self.b.at(b2).1 == n + 1);
                    assert!(turned && !self.on_belt(p));
                    self.b.run(&self.cycle);
                    assert!(self.b.at(a) == p && self.b.at(b1).1 == 1 && self.b.at(b2).1 == 1);
                }
                self.b.turn(Y);
            }
            if near {
                break;
            }
            let p = self.b.at(a);
            if self.b.at(b1).1 <= n || self.b.at(b2).1 <= n {
                assert!(self.b.at(b1).1 == 1 && self.b.at(b2).1 == 1 && !self.on_belt(p));
                self.b.run(&self.cycle_back);
                assert!(self.b.at(a) == p && self.b.at(b1).1 == n + 1 && self.b.at(b2).1 == n + 1);
            }
            self.b.turn(XInv);
            turned = true;
        }
        if self.b.at(b1).1 == n + 1 {
            let p = self.b.at(a);
            assert!(!self.on_belt(p));
            self.b.run(&self.cycle);
            assert!(self.b.at(a) == p);
        }
    }
    fn spiral_cycle(&mut self, a1: u16, a2: u16, a3: u16) {
        self.spiral(a1);
        self.b.run(&self.corner);
        if self.b.at(a2).1 == 1 {
            self.b.run(&[X, Y, XInv])
        }
        self.spiral_star_hiding(a2, a1, a1);
        self.b.run(&self.gate);
        self.b.run(&[X, YInv, XInv]);
        assert!(self.b.at(a1) == self.u1 && self.b.at(a2) == self.u2);
        if self.b.at(a3).1 == 1 {
            if self.even {
                self.b.run(&[X, Y, Y, XInv, YInv, X, YInv, XInv])
            } else {
                self.b.run(&[X, Y, Y, X, Y, X, YInv, X, X, YInv, X, YInv, XInv])
            }
        }
        self.spiral_star_hiding(a3, a1, a2);
        assert!(self.b.at(a1) == self.u1 && self.b.at(a2) == self.u2 && self.b.at(a3) == self.u);
    }
}

/// All triples of numbers, of even parity for odd n; gives how many moves were made.
pub fn all_triples(n: usize, k: usize) -> u64 {
    let mut s = Solver::new(n as i32, k);
    let tiles: Vec<u16> =
        (0..n * (n + 1)).filter(|t| n % 2 == 0 || (t / (n + 1) + t % (n + 1)) % 2 == 0).map(|t| t as u16).collect();
    let mut moves = 0;
    for &a1 in &tiles {
        for &a2 in &tiles {
            for &a3 in &tiles {
                if a1 == a2 || a1 == a3 || a2 == a3 {
                    continue;
                }
                s.b.reset();
                s.spiral_cycle(a1, a2, a3);
                moves += s.b.word.len() as u64;
            }
        }
    }
    moves
}
