//! The flag of a setting, described for whatever command-line parser is used.

/// How a setting is spelled on the command line. What it takes follows from the
/// [`Shape`](crate::Shape) of the setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Flag {
    /// The long name without dashes.
    pub long: &'static str,
    /// The one-letter name.
    pub short: Option<char>,
    /// What help shows for the value, in capitals; empty for switches and
    /// counters.
    pub value_name: &'static str,
    /// What a switch sets: `--no-default-ignore` sets false.
    pub sets: bool,
    /// What a switch that sets false does, where the setting's own summary says
    /// the contrary; empty elsewhere.
    pub(crate) summary: &'static str,
    /// What the flag stands for when no value follows; empty where one must.
    pub bare: &'static str,
    /// Keys of settings whose flags make no sense together with this one.
    pub conflicts: &'static [&'static str],
}

impl Flag {
    /// A flag that takes a value.
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

    /// A switch that sets true, or a counter.
    pub(crate) const fn on(long: &'static str) -> Self {
        Self::value(long, "")
    }

    /// A switch that sets false, with what that does.
    pub(crate) const fn off(long: &'static str, summary: &'static str) -> Self {
        Self {
            sets: false,
            summary,
            ..Self::value(long, "")
        }
    }

    /// A flag whose value may be missing.
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

    /// The long name of the switch that undoes this one, so that a flag can also
    /// lift what a file says: `no-tree` for `tree`, `ignore` for `no-ignore`.
    pub fn opposite(&self) -> String {
        match self.long.strip_prefix("no-") {
            Some(positive) => positive.to_owned(),
            None => format!("no-{}", self.long),
        }
    }
}

/// What was given on the command line for a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FlagValue {
    /// A switch: the value it sets, which is [`Flag::sets`] for the flag itself
    /// and the other one for its opposite.
    Switch(bool),
    /// A counter, given so many times.
    Times(u8),
    /// The value after the flag, as typed.
    Value(std::ffi::OsString),
}
