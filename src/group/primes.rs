//! Small primes.

/// Is the number a prime? Costs its square root.
pub(super) fn is_prime(n: usize) -> bool {
    n >= 2 && (2..).take_while(|k| k * k <= n).all(|k| !n.is_multiple_of(k))
}

/// The primes that divide a number, which is not 0, each once and in increasing order. Costs at most the square root of the number.
pub(super) fn prime_factors(mut n: usize) -> Vec<usize> {
    let mut primes = Vec::new();
    let mut prime = 2;
    while prime * prime <= n {
        if n.is_multiple_of(prime) {
            primes.push(prime);
            while n.is_multiple_of(prime) {
                n /= prime;
            }
        }
        prime += 1;
    }
    if n > 1 {
        primes.push(n);
    }
    primes
}
