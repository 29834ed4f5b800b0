//! How much has been computed: questions of emptiness are what all else is made of. Beyond a limit they are no longer
//! answered, which proves nothing.

use std::cell::Cell;

/// A question that was answered before costs one unit, a new one so many and one for each of its rows.
const QUESTION: u64 = 16;

thread_local! {
    static SPENT: Cell<u64> = const { Cell::new(0) };
    static LIMIT: Cell<u64> = const { Cell::new(u64::MAX) };
}

/// Begins to count on this thread, up to a limit of questions. What was answered before is forgotten, so that the count says
/// the same whatever this thread did before.
pub fn begin(limit: u64) {
    super::solve::forget();
    SPENT.set(0);
    LIMIT.set(limit.saturating_mul(QUESTION));
}

/// How many questions were asked since then, about.
pub fn spent() -> u64 {
    SPENT.get() / QUESTION
}

/// Is the limit reached? Nothing that is found now is worth anything, apart from what was proved before.
pub fn is_over() -> bool {
    SPENT.get() >= LIMIT.get()
}

pub(super) fn count_known() {
    SPENT.set(SPENT.get().saturating_add(1));
}

pub(super) fn count_new(rows: usize) {
    SPENT.set(SPENT.get().saturating_add(QUESTION + rows as u64));
}
