//! FillColumns on the torus, as one writes it in Rust: rows of numbers, a column is looked at row by row.

/// The numbers from 1 on, shuffled by the generator of `mixed` in the torus paper of the standard library.
fn mixed(m: usize, n: usize, seed: u64) -> Vec<Vec<usize>> {
    let mut t: Vec<usize> = (1..=m * n).collect();
    let mut x = seed;
    for k in (2..=m * n).rev() {
        x = 48271 * x % 2147483647;
        t.swap(k - 1, x as usize % k);
    }
    t.chunks(n).map(<[usize]>::to_vec).collect()
}

fn near_full(a: &[Vec<usize>], n: usize, j: usize) -> bool {
    a[1..].iter().all(|row| (row[j] - 1) % n == j)
}

/// Fills the columns of a shuffled board; gives how many moves were made.
pub fn fill(m: usize, n: usize, seed: u64) -> u64 {
    let mut a = mixed(m, n, seed);
    let mut word = Vec::new();
    while (0..n).any(|j| !near_full(&a, n, j)) {
        for j in 0..n {
            while !near_full(&a, n, j) && (a[0][j] - 1) % n == j {
                let last = a[m - 1][j];
                for i in (1..m).rev() {
                    a[i][j] = a[i - 1][j];
                }
                a[0][j] = last;
                word.push(j as u32 + 1);
            }
        }
        a[0].rotate_right(1);
        word.push(0);
    }
    word.len() as u64
}
