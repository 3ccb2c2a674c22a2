//! Opens files and lists directories below a root without ever leaving it. No component may be a
//! symbolic link, even one that was just put there, and opening a pipe never blocks.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use loom_base::{RepoPath, Stamp};

use crate::entry::{Contents, Entry, EntryKind, Stamps};
use crate::native;
use crate::outcome::SpecialKind;
use crate::stamps;

/// A directory below which files are opened.
#[derive(Debug)]
pub(crate) struct Beneath {
    path: PathBuf,
    #[cfg(unix)]
    folder: File,
}

#[cfg(unix)]
impl Beneath {
    pub(crate) fn open(root: &Path) -> io::Result<Self> {
        Ok(Self {
            path: root.to_owned(),
            folder: File::open(root)?,
        })
    }

    /// Returns true if the path still names the directory that was opened.
    pub(crate) fn is_in_place(&self) -> bool {
        use std::os::unix::fs::MetadataExt;
        let same = |one: &std::fs::Metadata, other: &std::fs::Metadata| {
            (one.dev(), one.ino()) == (other.dev(), other.ino())
        };
        // A link to the directory does not count, because file watchers do not follow links.
        match (self.folder.metadata(), self.path.symlink_metadata()) {
            (Ok(opened), Ok(there)) => same(&opened, &there),
            _ => false,
        }
    }

    pub(crate) fn file(&self, path: &RepoPath) -> io::Result<File> {
        use rustix::fs::OFlags;
        self.open_as(path, OFlags::RDONLY | OFlags::NONBLOCK)
    }

    /// Lists the entries of the directory `path`, in any order.
    pub(crate) fn list(&self, path: &RepoPath, stamps: Stamps) -> io::Result<Vec<Entry>> {
        let mut folder = rustix::fs::Dir::new(self.folder(path)?)?;
        let mut entries = Vec::new();
        while let Some(entry) = folder.next() {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if matches!(name, b"." | b"..") {
                continue;
            }
            let kind = match entry.file_type() {
                rustix::fs::FileType::Unknown => kind_in(folder.fd()?, entry.file_name()),
                kind => Ok(kind),
            };
            // Skips entries that vanished after they were listed.
            if let Ok(kind) = kind {
                let wants_stamp = stamps == Stamps::Take && kind.is_file();
                let stamp = match wants_stamp {
                    true => stamp_in(folder.fd()?, entry.file_name()),
                    false => None,
                };
                entries.push(Entry {
                    name: name.to_vec(),
                    kind: kind_of(kind),
                    contents: Contents {
                        stamp,
                        ..Contents::default()
                    },
                });
            }
        }
        Ok(entries)
    }

    /// Returns the kind of `path`, without following a link.
    pub(crate) fn kind(&self, path: &RepoPath) -> io::Result<EntryKind> {
        let Some(above) = path.parent() else {
            return Ok(EntryKind::Folder);
        };
        let kind = kind_in(self.folder(&above)?, path.file_name())?;
        Ok(kind_of(kind))
    }

    /// Returns the stamps of the plain files called `names` in the directory `path`.
    pub(crate) fn stamps<'n>(
        &self,
        path: &RepoPath,
        names: impl Iterator<Item = &'n [u8]>,
    ) -> Vec<Option<Stamp>> {
        let folder = self.folder(path).ok();
        let stamp = |name| stamp_in(folder.as_ref()?, name);
        names.map(stamp).collect()
    }

    /// Returns the target of the link `path`.
    pub(crate) fn link(&self, path: &RepoPath) -> io::Result<Vec<u8>> {
        let above = self.folder(&path.parent().unwrap_or_else(RepoPath::root))?;
        let target = rustix::fs::readlinkat(above, path.file_name(), Vec::new())?;
        Ok(target.into_bytes())
    }

    fn folder(&self, path: &RepoPath) -> io::Result<File> {
        use rustix::fs::OFlags;
        self.open_as(path, OFlags::RDONLY | OFlags::DIRECTORY)
    }

    fn open_as(&self, path: &RepoPath, flags: rustix::fs::OFlags) -> io::Result<File> {
        use rustix::fs::{Mode, OFlags};
        let flags = flags | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        let relative = match path.is_root() {
            true => PathBuf::from("."),
            false => native::relative(path),
        };
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::ResolveFlags;
            let stay = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
            match rustix::fs::openat2(&self.folder, &relative, flags, Mode::empty(), stay) {
                Ok(file) => return Ok(file.into()),
                // Kernels before 5.6 and some sandboxes lack the system call.
                Err(rustix::io::Errno::NOSYS | rustix::io::Errno::PERM) => {}
                Err(error) => return Err(error.into()),
            }
        }
        self.no_link_on_the_way(path)?;
        Ok(rustix::fs::openat(&self.folder, relative, flags, Mode::empty())?.into())
    }
}

#[cfg(not(unix))]
impl Beneath {
    pub(crate) fn open(root: &Path) -> io::Result<Self> {
        Ok(Self {
            path: root.to_owned(),
        })
    }

    /// Returns true if the directory that was opened still exists.
    pub(crate) fn is_in_place(&self) -> bool {
        self.path.is_dir()
    }

    pub(crate) fn file(&self, path: &RepoPath) -> io::Result<File> {
        self.no_link_on_the_way(path)?;
        File::open(native::below(&self.path, path))
    }

    /// Lists the entries of the directory `path`, in any order.
    pub(crate) fn list(&self, path: &RepoPath, _stamps: Stamps) -> io::Result<Vec<Entry>> {
        self.no_link_on_the_way(path)?;
        let mut entries = Vec::new();
        for entry in std::fs::read_dir(native::below(&self.path, path))? {
            let entry = entry?;
            // Skips entries that vanished after they were listed.
            if let Ok(kind) = entry.file_type() {
                entries.push(Entry {
                    name: native::name_bytes(&entry.file_name()),
                    kind: kind_of(kind),
                    contents: Contents::default(),
                });
            }
        }
        Ok(entries)
    }

    /// Returns the kind of `path`, without following a link.
    pub(crate) fn kind(&self, path: &RepoPath) -> io::Result<EntryKind> {
        let meta = native::below(&self.path, path).symlink_metadata()?;
        Ok(kind_of(meta.file_type()))
    }

    /// Returns no stamps: this platform does not report changes of a file's status.
    pub(crate) fn stamps<'n>(
        &self,
        _path: &RepoPath,
        names: impl Iterator<Item = &'n [u8]>,
    ) -> Vec<Option<Stamp>> {
        names.map(|_| None).collect()
    }

    /// Returns the target of the link `path`.
    pub(crate) fn link(&self, path: &RepoPath) -> io::Result<Vec<u8>> {
        let target = std::fs::read_link(native::below(&self.path, path))?;
        Ok(target.to_string_lossy().into_owned().into_bytes())
    }
}

#[cfg(unix)]
fn kind_in(
    folder: impl std::os::fd::AsFd,
    name: impl rustix::path::Arg,
) -> io::Result<rustix::fs::FileType> {
    use rustix::fs::{AtFlags, FileType};
    let meta = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
    Ok(FileType::from_raw_mode(meta.st_mode))
}

#[cfg(unix)]
#[expect(
    clippy::useless_conversion,
    reason = "the types of these fields differ between systems"
)]
fn stamp_in(folder: impl std::os::fd::AsFd, name: impl rustix::path::Arg) -> Option<Stamp> {
    use rustix::fs::{AtFlags, FileType};
    let meta = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
    if FileType::from_raw_mode(meta.st_mode) != FileType::RegularFile {
        return None;
    }
    let time = |seconds, rest| stamps::nanoseconds(seconds, i64::try_from(rest).ok()?);
    Some(Stamp {
        size: u64::try_from(meta.st_size).ok()?,
        modified: time(meta.st_mtime, meta.st_mtime_nsec)?,
        changed: time(meta.st_ctime, meta.st_ctime_nsec)?,
        file: u64::try_from(meta.st_ino).ok()?,
        device: u64::try_from(meta.st_dev).ok()?,
    })
}

#[cfg(unix)]
fn kind_of(kind: rustix::fs::FileType) -> EntryKind {
    use rustix::fs::FileType;
    match kind {
        FileType::RegularFile => EntryKind::File,
        FileType::Directory => EntryKind::Folder,
        FileType::Symlink => EntryKind::Link,
        FileType::Fifo => EntryKind::Special(SpecialKind::Fifo),
        FileType::Socket => EntryKind::Special(SpecialKind::Socket),
        FileType::CharacterDevice | FileType::BlockDevice => {
            EntryKind::Special(SpecialKind::Device)
        }
        FileType::Unknown => EntryKind::Special(SpecialKind::Other),
    }
}

#[cfg(not(unix))]
fn kind_of(kind: std::fs::FileType) -> EntryKind {
    if kind.is_dir() {
        EntryKind::Folder
    } else if kind.is_symlink() {
        EntryKind::Link
    } else if kind.is_file() {
        EntryKind::File
    } else {
        EntryKind::Special(SpecialKind::Other)
    }
}

impl Beneath {
    /// Checks for links before opening, on platforms that cannot check in the same call.
    fn no_link_on_the_way(&self, path: &RepoPath) -> io::Result<()> {
        let mut so_far = self.path.clone();
        for part in native::relative(path).components() {
            so_far.push(part);
            if so_far.symlink_metadata()?.is_symlink() {
                return Err(io::Error::other("a symbolic link on the way"));
            }
        }
        Ok(())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use loom_testkit::Sandbox;

    use super::*;

    /// Simulates a directory that a link replaces after it was found.
    #[test]
    fn a_link_is_not_listed_through() {
        let sandbox = Sandbox::new();
        sandbox.write("../secret/name", "").write("real/file", "");
        std::os::unix::fs::symlink("../secret", sandbox.path("link")).unwrap();
        let beneath = Beneath::open(&sandbox.work()).unwrap();
        let list = |path: &str| beneath.list(&RepoPath::new(path).unwrap(), Stamps::Skip);
        assert_eq!(list("real").unwrap().len(), 1);
        assert!(list("link").is_err());
        assert!(beneath.kind(&RepoPath::new("link/name").unwrap()).is_err());
        let link = RepoPath::new("link").unwrap();
        assert_eq!(beneath.kind(&link).unwrap(), EntryKind::Link);
        assert_eq!(beneath.link(&link).unwrap(), b"../secret");
    }
}
