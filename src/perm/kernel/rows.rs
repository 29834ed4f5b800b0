//! Up to 256 points as bytes in rows of 64: a product is a shuffle of bytes.

use crate::perm::Perm;
use crate::perm::power::{Residues, power_along_cycles};

/// The images of a permutation of `0..64 * R`, at a 64-byte boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Rows<const R: usize>(pub [[u8; 64]; R]);

impl<const R: usize> Rows<R> {
    /// Every point stays.
    pub const IDENTITY: Rows<R> = {
        let mut rows = [[0; 64]; R];
        let mut i = 0;
        while i < 64 * R {
            rows[i / 64][i % 64] = i as u8;
            i += 1;
        }
        Rows(rows)
    };

    /// The images in order.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        self.0.as_flattened()
    }

    /// The images in order. They must remain a permutation for results to make sense; nothing
    /// worse than a wrong result comes of it if they do not.
    #[inline]
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        self.0.as_flattened_mut()
    }

    /// The images of a permutation; the points it does not have stay.
    pub fn from_perm(perm: &Perm) -> Rows<R> {
        let mut rows = Rows::IDENTITY;
        for (byte, &image) in rows.bytes_mut().iter_mut().zip(perm.images()) {
            *byte = image as u8;
        }
        rows
    }

    /// Writes the inverse of a permutation that fixes the points from `degree` on.
    #[inline]
    pub fn write_inverse(&self, degree: usize, inverse: &mut Rows<R>) {
        *inverse = Rows::IDENTITY;
        for (i, &x) in self.bytes().iter().take(degree).enumerate() {
            if let Some(byte) = inverse.bytes_mut().get_mut(usize::from(x)) {
                *byte = i as u8;
            }
        }
    }

    /// `table[self[i]]` for the first `degree` points; the others must be fixed by both.
    #[inline]
    pub fn portable_product(&self, table: &Rows<R>, degree: usize) -> Rows<R> {
        let mut out = *self;
        let table = table.bytes();
        for byte in out.bytes_mut().iter_mut().take(degree) {
            if let Some(&x) = table.get(usize::from(*byte)) {
                *byte = x;
            }
        }
        out
    }

    /// The power along the cycles of a permutation that fixes the points from `degree` on.
    pub fn power(&self, degree: usize, residues: &mut Residues<'_>) -> Rows<R> {
        let mut power = Rows::IDENTITY;
        let (images, out) = (self.bytes(), power.bytes_mut());
        let degree = degree.min(images.len());
        power_along_cycles(&images[..degree], residues, &mut out[..degree]);
        power
    }
}

/// A permutation, and its inverse if `dual`.
#[derive(Clone, Copy, Debug)]
pub struct Value<const R: usize> {
    /// The permutation.
    pub forward: Rows<R>,
    /// Its inverse, or anything.
    pub backward: Rows<R>,
    /// Whether `backward` is the inverse.
    pub dual: bool,
}

impl<const R: usize> Value<R> {
    /// The identity.
    pub const IDENTITY: Value<R> = Value { forward: Rows::IDENTITY, backward: Rows::IDENTITY, dual: true };

    /// Makes sure that the inverse is there; the points from `degree` on are fixed.
    pub fn make_dual(&mut self, degree: usize) {
        if !self.dual {
            self.forward.write_inverse(degree, &mut self.backward);
            self.dual = true;
        }
    }
}
