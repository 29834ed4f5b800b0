//! The machine integers in which a point can be stored.

/// An unsigned integer that holds a point; narrow ones save memory traffic on small degrees.
pub trait Point: Copy + Eq + Default + Send + Sync + std::fmt::Debug + 'static {
    /// The largest number of points that fit, `MAX + 1`.
    const LIMIT: u64;
    /// The point as an index.
    fn index(self) -> usize;
    /// The point with this index, which the caller keeps below [`LIMIT`](Self::LIMIT).
    fn at(index: usize) -> Self;
}

macro_rules! point {
    ($($kind:ty),*) => {$(
        impl Point for $kind {
            const LIMIT: u64 = 1 << <$kind>::BITS;
            #[inline(always)]
            fn index(self) -> usize {
                self as usize
            }
            #[inline(always)]
            fn at(index: usize) -> Self {
                index as Self
            }
        }
    )*};
}

point!(u8, u16, u32);
