//! Files of tables: what a search found, kept for the next one.
//!
//! A file begins with a line that says what it is, a version, the kind of table, and the *content*: a hash of everything that the table
//! depends on. Then come blocks of bytes, each with its length and a checksum, and an end that counts the blocks and has a checksum of
//! all. A file is written under another name and renamed when it is whole, so an interrupted run leaves no half of one. Nothing is
//! believed when it is read: what is damaged, cut short, or of another content is refused with the reason.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::Space;

const MAGIC: &[u8; 16] = b"perm table v001\n";
/// The length of a block that is none: the end follows.
const END: u64 = u64::MAX;
/// No block is longer than this, so that a damaged length cannot ask for all memory.
pub(super) const LONGEST: usize = 1 << 26;

/// What a table depends on, as one number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Content(u128);

impl Content {
    /// A name for files: 32 hexadecimal digits.
    pub fn name(self) -> String {
        format!("{:032x}", self.0)
    }
}

/// Collects what a table depends on.
pub(super) struct Hasher(Xxh3);

impl Hasher {
    /// Begins with the kind of table.
    pub fn new(kind: &str) -> Hasher {
        let mut hasher = Hasher(Xxh3::new());
        hasher.bytes(kind.as_bytes());
        hasher
    }

    /// Adds bytes and how many they are, so that lists do not run together.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    /// Adds numbers and how many they are.
    pub fn numbers(&mut self, numbers: impl IntoIterator<Item = u64>) {
        let bytes: Vec<u8> = numbers.into_iter().flat_map(u64::to_le_bytes).collect();
        self.bytes(&bytes);
    }

    /// Adds the moves of a space.
    pub fn space(&mut self, space: &Space) {
        self.numbers([space.degree as u64, space.blank.map_or(u64::MAX, u64::from), space.moves.len() as u64]);
        for mover in &space.moves {
            self.numbers([mover.steps.len() as u64]);
            for step in &mover.steps {
                // a permutation of no cells does nothing, and is not the same as none
                let images = step.as_ref().map(|step| step.images().iter().map(|cell| u64::from(*cell)));
                self.numbers(std::iter::once(u64::from(images.is_some())).chain(images.into_iter().flatten()));
            }
        }
    }

    pub fn finish(self) -> Content {
        Content(self.0.digest128())
    }
}

/// Why a file was not used.
#[derive(Debug, Error)]
pub enum Refused {
    /// There is none.
    #[error("there is no such file")]
    Missing,
    /// It cannot be read or written.
    #[error("{0}")]
    Io(io::Error),
    /// It is no table, or of another version of this program.
    #[error("it is no table of this version")]
    Foreign,
    /// It belongs to another space, other costs or another start.
    #[error("it is a table of something else")]
    Other,
    /// Bytes are missing or not what was written.
    #[error("it is damaged")]
    Damaged,
}

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Refused {
        match error.kind() {
            io::ErrorKind::NotFound => Refused::Missing,
            io::ErrorKind::UnexpectedEof => Refused::Damaged,
            _ => Refused::Io(error),
        }
    }
}

/// A table on its way into a file.
pub(super) struct Writer {
    file: BufWriter<File>,
    unfinished: PathBuf,
    path: PathBuf,
    blocks: u64,
    all: Xxh3,
}

impl Writer {
    /// Begins a file; it appears under its name when it is [finished](Writer::finish). Makes the folder if there is none.
    pub fn create(path: &Path, content: Content) -> io::Result<Writer> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let unfinished = path.with_extension(format!("{}.part", std::process::id()));
        let mut file = BufWriter::with_capacity(1 << 16, File::create(&unfinished)?);
        file.write_all(MAGIC)?;
        file.write_all(&content.0.to_le_bytes())?;
        Ok(Writer { file, unfinished, path: path.to_path_buf(), blocks: 0, all: Xxh3::new() })
    }

    /// Writes bytes as one block, or several where they are many.
    pub fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut rest = bytes;
        loop {
            let (block, further) = rest.split_at(rest.len().min(LONGEST));
            let sum = xxh3_64(block);
            self.file.write_all(&(block.len() as u64).to_le_bytes())?;
            self.file.write_all(&sum.to_le_bytes())?;
            self.file.write_all(block)?;
            self.all.update(&sum.to_le_bytes());
            self.blocks += 1;
            rest = further;
            if rest.is_empty() {
                return Ok(());
            }
        }
    }

    /// Writes numbers.
    pub fn words(&mut self, words: &[u64]) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(8 * words.len().min(LONGEST / 8));
        for part in words.chunks(LONGEST / 8) {
            bytes.clear();
            part.iter().for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
            self.bytes(&bytes)?;
        }
        if words.is_empty() { self.bytes(&[]) } else { Ok(()) }
    }

    /// Ends the file and gives it its name.
    pub fn finish(mut self) -> io::Result<()> {
        self.file.write_all(&END.to_le_bytes())?;
        self.file.write_all(&self.blocks.to_le_bytes())?;
        self.file.write_all(&self.all.digest().to_le_bytes())?;
        self.file.flush()?;
        self.file.get_ref().sync_data()?;
        std::fs::rename(&self.unfinished, &self.path)
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // after the renaming there is nothing under this name
        let _ = std::fs::remove_file(&self.unfinished);
    }
}

/// A table on its way out of a file.
pub(super) struct Reader {
    file: BufReader<File>,
    blocks: u64,
    all: Xxh3,
}

impl Reader {
    /// Opens the file of a content.
    pub fn open(path: &Path, content: Content) -> Result<Reader, Refused> {
        let mut file = BufReader::with_capacity(1 << 16, File::open(path)?);
        let mut magic = [0; 16];
        match file.read_exact(&mut magic) {
            Ok(()) if magic == *MAGIC => {}
            Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => return Err(error.into()),
            _ => return Err(Refused::Foreign),
        }
        let mut found = [0; 16];
        file.read_exact(&mut found)?;
        if u128::from_le_bytes(found) != content.0 {
            return Err(Refused::Other);
        }
        Ok(Reader { file, blocks: 0, all: Xxh3::new() })
    }

    fn number(&mut self) -> Result<u64, Refused> {
        let mut bytes = [0; 8];
        self.file.read_exact(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    /// Adds the next block to some bytes.
    fn block(&mut self, bytes: &mut Vec<u8>) -> Result<usize, Refused> {
        let length = self.number()?;
        let sum = self.number()?;
        let length = usize::try_from(length).ok().filter(|length| *length <= LONGEST).ok_or(Refused::Damaged)?;
        let from = bytes.len();
        bytes.resize(from + length, 0);
        self.file.read_exact(&mut bytes[from..])?;
        if xxh3_64(&bytes[from..]) != sum {
            return Err(Refused::Damaged);
        }
        self.all.update(&sum.to_le_bytes());
        self.blocks += 1;
        Ok(length)
    }

    /// Reads so many bytes that were written together.
    pub fn bytes(&mut self, length: usize) -> Result<Vec<u8>, Refused> {
        let mut bytes = Vec::new();
        loop {
            let block = self.block(&mut bytes)?;
            if bytes.len() == length {
                return Ok(bytes);
            }
            if bytes.len() > length || block == 0 {
                return Err(Refused::Damaged);
            }
        }
    }

    /// Reads so many numbers that were written together.
    pub fn words(&mut self, count: usize) -> Result<Vec<u64>, Refused> {
        let length = count.checked_mul(8).ok_or(Refused::Damaged)?;
        let bytes = self.bytes(length)?;
        Ok(bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)).collect())
    }

    /// Is the file whole, and does it end here?
    pub fn finish(mut self) -> Result<(), Refused> {
        let end = (self.number()?, self.number()?, self.number()?);
        let nothing_more = self.file.read(&mut [0])? == 0;
        let whole = end == (END, self.blocks, self.all.digest()) && nothing_more;
        if whole { Ok(()) } else { Err(Refused::Damaged) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(of: &str) -> Content {
        Hasher::new(of).finish()
    }

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("perm-store-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        folder
    }

    fn write(path: &Path) {
        let mut writer = Writer::create(path, content("a")).expect("a folder");
        writer.words(&[1, 2, 3]).expect("room");
        writer.bytes(b"last").expect("room");
        writer.finish().expect("room");
    }

    fn read(path: &Path, of: &str) -> Result<(Vec<u64>, Vec<u8>), Refused> {
        let mut reader = Reader::open(path, content(of))?;
        let read = (reader.words(3)?, reader.bytes(4)?);
        reader.finish()?;
        Ok(read)
    }

    #[test]
    fn what_was_written_is_read() {
        let folder = folder("whole");
        let path = folder.join("table");
        assert!(matches!(read(&path, "a"), Err(Refused::Missing)));
        write(&path);
        assert_eq!(read(&path, "a").expect("whole"), (vec![1, 2, 3], b"last".to_vec()));
        assert!(matches!(read(&path, "b"), Err(Refused::Other)));
        assert_eq!(std::fs::read_dir(&folder).expect("a folder").count(), 1);
        let _ = std::fs::remove_dir_all(folder);
    }

    /// Every byte that is changed, and every end that is missing, is noticed.
    #[test]
    fn damage_is_noticed() {
        let folder = folder("damage");
        let path = folder.join("table");
        write(&path);
        let whole = std::fs::read(&path).expect("a file");
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            std::fs::write(&path, &damaged).expect("room");
            assert!(read(&path, "a").is_err(), "byte {at}");
            std::fs::write(&path, &whole[..at]).expect("room");
            assert!(read(&path, "a").is_err(), "{at} bytes");
        }
        std::fs::write(&path, [&whole[..], &[0]].concat()).expect("room");
        assert!(matches!(read(&path, "a"), Err(Refused::Damaged)));
        let _ = std::fs::remove_dir_all(folder);
    }

    #[test]
    fn a_file_that_is_not_finished_leaves_nothing() {
        let folder = folder("part");
        let mut writer = Writer::create(&folder.join("table"), content("a")).expect("a folder");
        writer.words(&[7; 100]).expect("room");
        drop(writer);
        assert_eq!(std::fs::read_dir(&folder).expect("a folder").count(), 0);
        let _ = std::fs::remove_dir_all(folder);
    }
}
