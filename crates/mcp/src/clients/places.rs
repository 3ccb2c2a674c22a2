//! The folders in which programs keep their configuration, on each system.

use std::path::{Path, PathBuf};

/// A kind of system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    /// Linux and what is like it.
    Linux,
    /// macOS.
    MacOs,
    /// Windows.
    Windows,
}

impl System {
    /// The one that this program was built for.
    pub const HERE: Self = if cfg!(windows) {
        Self::Windows
    } else if cfg!(target_os = "macos") {
        Self::MacOs
    } else {
        Self::Linux
    };
}

/// Where programs keep their configuration; what is not known is `None`.
#[derive(Clone, Debug)]
pub struct Places {
    pub(super) system: System,
    pub(super) home: Option<PathBuf>,
    /// `~/.config`, on macOS and Windows too for those who follow Linux there.
    pub(super) config: Option<PathBuf>,
    /// `%APPDATA%`.
    pub(super) roaming: Option<PathBuf>,
    pub(super) claude: Option<PathBuf>,
    /// `~/.claude`, or the directory that replaces it.
    pub(super) claude_home: Option<PathBuf>,
    pub(super) codex: Option<PathBuf>,
}

impl Places {
    /// As the environment says it.
    pub fn here() -> Self {
        let folder = |name: &str| {
            let path = std::env::var_os(name).map(PathBuf::from);
            path.filter(|path| path.is_absolute())
        };
        let home = user_home().filter(|home| home.is_absolute());
        let below = |name: &str| home.as_ref().map(|home| home.join(name));
        Self {
            system: System::HERE,
            config: folder("XDG_CONFIG_HOME").or_else(|| below(".config")),
            roaming: folder("APPDATA").or_else(|| below("AppData/Roaming")),
            claude: folder("CLAUDE_CONFIG_DIR").or_else(|| home.clone()),
            claude_home: folder("CLAUDE_CONFIG_DIR").or_else(|| below(".claude")),
            codex: folder("CODEX_HOME").or_else(|| below(".codex")),
            home,
        }
    }

    /// As they are for a user whose environment says nothing.
    pub fn under(home: &Path, system: System) -> Self {
        Self {
            system,
            home: Some(home.to_owned()),
            config: Some(home.join(".config")),
            roaming: Some(home.join("AppData/Roaming")),
            claude: Some(home.to_owned()),
            claude_home: Some(home.join(".claude")),
            codex: Some(home.join(".codex")),
        }
    }

    /// Where programs with windows keep theirs.
    pub(super) fn programs(&self) -> Option<PathBuf> {
        match self.system {
            System::Linux => self.config.clone(),
            System::MacOs => Some(self.home.clone()?.join("Library/Application Support")),
            System::Windows => self.roaming.clone(),
        }
    }

    pub(super) fn zed(&self) -> Option<PathBuf> {
        match self.system {
            System::Linux => Some(self.config.clone()?.join("zed")),
            System::MacOs => Some(self.home.clone()?.join(".config/zed")),
            System::Windows => Some(self.roaming.clone()?.join("Zed")),
        }
    }
}

/// The user's home.
pub(crate) fn user_home() -> Option<PathBuf> {
    let name = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
    let home = std::env::var_os(name).filter(|home| !home.is_empty());
    home.map(PathBuf::from)
}
