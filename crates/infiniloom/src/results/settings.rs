//! One setting with its value and the origin of the value.

use loom_settings::Listed;
use loom_wire::SettingInfo;

/// Describes a setting as `infiniloom config list` shows it.
pub fn info(listed: &Listed<'_>) -> SettingInfo {
    SettingInfo {
        key: listed.setting.key.to_owned(),
        value: listed.shown.clone(),
        origin: listed.origin.to_string(),
    }
}
