//! Opens a file below a root without ever leaving it: no component may be a
//! symbolic link, even one that was put there a moment ago, and opening never
//! waits for the other end of a pipe.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use loom_base::RepoPath;

use crate::native;

/// A folder that files are opened below.
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

    pub(crate) fn file(&self, path: &RepoPath) -> io::Result<File> {
        use rustix::fs::{Mode, OFlags};
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
        let relative = native::relative(path);
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::ResolveFlags;
            let stay = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
            match rustix::fs::openat2(&self.folder, &relative, flags, Mode::empty(), stay) {
                Ok(file) => return Ok(file.into()),
                // Kernels before 5.6 and some sandboxes do not know the call.
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

    pub(crate) fn file(&self, path: &RepoPath) -> io::Result<File> {
        self.no_link_on_the_way(path)?;
        File::open(native::below(&self.path, path))
    }
}

impl Beneath {
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The check for platforms that cannot do it in the call that opens.
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
