//! Products of single rows of bytes, for tables of many small permutations.

use super::Level;
#[cfg(target_arch = "x86_64")]
use super::{avx2, rows::Rows, vbmi};

/// `first`, then `second`: permutations of `N` points as bytes. Made for N = 64 and N = 256; an image that is not below `N`
/// makes the product meaningless, but nothing worse.
#[inline]
pub fn product<const N: usize>(first: &[u8; N], second: &[u8; N]) -> [u8; N] {
    #[cfg(target_arch = "x86_64")]
    if N == 64 || N == 256 {
        match Level::best() {
            // SAFETY: the machine has this level.
            Level::Vbmi => return unsafe { vbmi::product_of_bytes(first, second) },
            Level::Avx2 if N == 64 => {
                let mut rows = [Rows::<1>::IDENTITY; 2];
                rows[0].bytes_mut().copy_from_slice(first);
                rows[1].bytes_mut().copy_from_slice(second);
                // SAFETY: the machine has this level.
                let product = unsafe { avx2::product(&rows[0], &rows[1]) };
                let mut out = [0; N];
                out.copy_from_slice(product.bytes());
                return out;
            }
            _ => {}
        }
    }
    portable_product(first, second)
}

pub(super) fn portable_product<const N: usize>(first: &[u8; N], second: &[u8; N]) -> [u8; N] {
    first.map(|x| second[usize::from(x) % N])
}
