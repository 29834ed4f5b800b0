//! Where the lines typed before are kept.

use std::path::PathBuf;

/// The file of the history in the user's own folder; `None` where there is no such folder.
pub(super) fn file() -> Option<PathBuf> {
    let folder = |name: &str| {
        let folder = PathBuf::from(std::env::var_os(name)?);
        // a relative path would leave histories wherever the program is started
        folder.is_absolute().then_some(folder)
    };
    let state = folder("XDG_STATE_HOME").or_else(|| Some(folder("HOME")?.join(".local/state")))?;
    let own = state.join("perm");
    std::fs::create_dir_all(&own).ok()?;
    Some(own.join("history"))
}
