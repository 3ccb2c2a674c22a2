//! Removes credentials from URLs for people.

/// Removes the part before the last `@` of the host from every URL in a text: a password may
/// contain an `@`, and git splits at the first one.
pub(crate) fn words_without_credentials(text: &str) -> String {
    let mut parts = text.split("://");
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_end = |c: char| c == '/' || c.is_whitespace() || matches!(c, '\'' | '"');
        let end = part.find(is_end).unwrap_or(part.len());
        let start = part[..end].rfind('@').map_or(0, |at| at + 1);
        shown.push_str("://");
        shown.push_str(&part[start..]);
    }
    shown
}

/// Returns `user` or `user:password` before the host.
pub(crate) fn credentials(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    let host = rest.split('/').next().unwrap_or(rest);
    host.rsplit_once('@').map(|(user, _)| user)
}

/// Removes the user from an http URL, because it may be a token, and the password from any other
/// URL.
pub(crate) fn without_credentials(url: &str) -> String {
    let Some(user) = credentials(url) else {
        return url.to_owned();
    };
    let kept = match user.split_once(':') {
        _ if url.starts_with("http") || url.starts_with("git+http") => String::new(),
        Some((name, _)) => format!("{name}@"),
        None => format!("{user}@"),
    };
    url.replacen(&format!("{user}@"), &kept, 1)
}
