//! The instances of a session, by puzzle and arguments.
//!
//! The same arguments give the same instance as long as anybody has it: values are compared by whose they are. But a claim may
//! go through thousands of boards, so instances that only the cache still has are let go, the oldest first, when all of
//! them together need too much.

use std::collections::VecDeque;
use std::sync::{Arc, Weak};

use rustc_hash::FxHashMap;

use super::Instance;
use crate::resolve::program::PuzzleId;
use crate::run::value::Key;

/// A puzzle with its arguments.
pub(in crate::run) type Asked = (PuzzleId, Vec<Key>);

/// Instances may need about so many bytes before the oldest are let go.
const KEPT_BYTES: u64 = 256 << 20;

#[derive(Default)]
pub(in crate::run) struct Instances {
    known: FxHashMap<Asked, Weak<Instance>>,
    /// those that stay although nobody else has them, the oldest first, with about how many bytes each needs
    kept: VecDeque<(Asked, Arc<Instance>, u64)>,
    bytes: u64,
}

impl Instances {
    pub fn get(&self, asked: &Asked) -> Option<Arc<Instance>> {
        self.known.get(asked)?.upgrade()
    }

    /// Keeps an instance that was built; where another thread was faster, theirs is the one that counts.
    pub fn insert(&mut self, asked: Asked, built: Arc<Instance>) -> Arc<Instance> {
        if let Some(known) = self.get(&asked) {
            return known;
        }
        self.known.insert(asked.clone(), Arc::downgrade(&built));
        let size = built.size();
        self.bytes += size;
        self.kept.push_back((asked, built.clone(), size));
        while self.bytes > KEPT_BYTES && self.kept.len() > 1 {
            let Some((asked, oldest, size)) = self.kept.pop_front() else { break };
            self.bytes -= size;
            // what it remembers may hold the instance itself
            oldest.forget();
            if Arc::strong_count(&oldest) == 1 {
                self.known.remove(&asked);
            }
        }
        built
    }
}
