//! The flag of a setting, independent of the command-line parser.

/// Spelling of a setting on the command line. The [`Shape`](crate::Shape) of the setting defines
/// its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Flag {
    /// Long name without dashes.
    pub long: &'static str,
    /// One-letter name.
    pub short: Option<char>,
    /// Placeholder for the value in help texts, in capitals; empty for switches and counters.
    pub value_name: &'static str,
    /// Value that a switch sets: `--no-default-ignore` sets false.
    pub sets: bool,
    /// Help text of a switch that sets false, if the setting's own summary says the contrary;
    /// otherwise empty.
    pub(crate) summary: &'static str,
    /// Value of the flag if no value follows; empty if a value is required.
    pub bare: &'static str,
    /// Keys of settings whose flags conflict with this one.
    pub conflicts: &'static [&'static str],
}

impl Flag {
    /// Creates a flag that takes a value.
    pub(crate) const fn value(long: &'static str, value_name: &'static str) -> Self {
        Self {
            long,
            short: None,
            value_name,
            sets: true,
            summary: "",
            bare: "",
            conflicts: &[],
        }
    }

    /// Creates a switch that sets true, or a counter.
    pub(crate) const fn on(long: &'static str) -> Self {
        Self::value(long, "")
    }

    /// Creates a switch that sets false, with its help text.
    pub(crate) const fn off(long: &'static str, summary: &'static str) -> Self {
        Self {
            sets: false,
            summary,
            ..Self::value(long, "")
        }
    }

    /// Makes the value of the flag optional.
    pub(crate) const fn or_bare(self, bare: &'static str) -> Self {
        Self { bare, ..self }
    }

    pub(crate) const fn short(self, short: char) -> Self {
        Self {
            short: Some(short),
            ..self
        }
    }

    pub(crate) const fn conflicts(self, conflicts: &'static [&'static str]) -> Self {
        Self { conflicts, ..self }
    }

    /// Returns the long name of the opposite switch, so that a flag can also override a file:
    /// `no-tree` for `tree`, `ignore` for `no-ignore`.
    pub fn opposite(&self) -> String {
        match self.long.strip_prefix("no-") {
            Some(positive) => positive.to_owned(),
            None => format!("no-{}", self.long),
        }
    }
}

/// Value of a setting on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FlagValue {
    /// Value of a switch: [`Flag::sets`] for the flag itself, the other value for its opposite.
    Switch(bool),
    /// Number of times that a counter was given.
    Times(u8),
    /// Value after the flag, as typed.
    Value(std::ffi::OsString),
}
