//! The macro that turns one declaration per setting into a typed field and a row of the table from
//! which everything else is generated.

/// Declares all groups and settings.
///
/// A group becomes a struct, a field of `Settings` and a variant of `Group`. A setting becomes a
/// field of its group's struct, with its comment and default, and a [`Setting`](crate::Setting).
/// Settings in a named block share one field of that name, the ordered list of rules.
macro_rules! settings {
    ($(
        $(#[doc = $group_doc:literal])+
        $group:ident: $Group:ident {
            $(
                $filters:ident {
                    $(
                        $(#[doc = $rule_doc:literal])+
                        $rule:ident: $Kind:ident, flag: $rule_flag:expr, trust: $rule_trust:ident;
                    )+
                }
            )?
            $(
                $(#[doc = $doc:literal])+
                $field:ident: $type:ty = $default:expr, flag: $flag:expr, trust: $trust:ident;
            )+
        }
    )+) => {
        /// All settings, typed. The default value contains the built-in defaults.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct Settings {
            $( $(#[doc = $group_doc])+ pub $group: $Group, )+
        }

        /// Table of the settings file: settings that belong together and that a command accepts
        /// together.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Group {
            $( $(#[doc = $group_doc])+ $Group, )+
        }

        impl Group {
            /// All groups, in the order of declaration.
            pub const ALL: &'static [Self] = &[$(Self::$Group),+];

            /// Returns the name of the table.
            pub const fn name(self) -> &'static str {
                match self {
                    $( Self::$Group => stringify!($group), )+
                }
            }

            pub(crate) const fn doc(self) -> &'static str {
                match self {
                    $( Self::$Group => concat!($($group_doc, "\n"),+), )+
                }
            }
        }

        $(
            $(#[doc = $group_doc])+
            #[derive(Clone, Debug, PartialEq, Eq)]
            #[non_exhaustive]
            pub struct $Group {
                $(
                    /// Rules in their order; the last one that matches a path decides.
                    pub $filters: $crate::Filters,
                )?
                $( $(#[doc = $doc])+ pub $field: $type, )+
            }

            impl Default for $Group {
                fn default() -> Self {
                    Self {
                        $( $filters: $crate::Filters::default(), )?
                        $( $field: $default, )+
                    }
                }
            }
        )+

        pub(crate) static SETTINGS: &[$crate::Setting] = &[$(
            $($( $crate::Setting {
                key: concat!(stringify!($group), ".", stringify!($rule)),
                group: Group::$Group,
                shape: <$crate::Globs as $crate::value::Value>::SHAPE,
                flag: $rule_flag,
                trust: $crate::Trust::$rule_trust,
                doc: concat!($($rule_doc, "\n"),+),
                access: $crate::setting::Access {
                    read: |written| $crate::setting::read::<$crate::Globs>(
                        written,
                        &$crate::Globs::default(),
                        |settings, globs, origin| settings
                            .$group
                            .$filters
                            .extend($crate::FilterKind::$Kind, globs, origin),
                    ),
                    reset: |settings| settings.$group.$filters.clear($crate::FilterKind::$Kind),
                    show: |settings| $crate::value::Value::show(
                        &settings.$group.$filters.globs($crate::FilterKind::$Kind),
                    ),
                    to_toml: |settings| $crate::value::Value::to_toml(
                        &settings.$group.$filters.globs($crate::FilterKind::$Kind),
                    ),
                    schema: <$crate::Globs as $crate::value::Value>::schema,
                },
            }, )+)?
            $( $crate::Setting {
                key: concat!(stringify!($group), ".", stringify!($field)),
                group: Group::$Group,
                shape: <$type as $crate::value::Value>::SHAPE,
                flag: $flag,
                trust: $crate::Trust::$trust,
                doc: concat!($($doc, "\n"),+),
                access: $crate::setting::Access {
                    read: |written| $crate::setting::read::<$type>(
                        written,
                        &$default,
                        |settings, value, _| settings.$group.$field = value,
                    ),
                    reset: |settings| settings.$group.$field = $default,
                    show: |settings| $crate::value::Value::show(&settings.$group.$field),
                    to_toml: |settings| $crate::value::Value::to_toml(&settings.$group.$field),
                    schema: <$type as $crate::value::Value>::schema,
                },
            }, )+
        )+];
    };
}

pub(crate) use settings;
