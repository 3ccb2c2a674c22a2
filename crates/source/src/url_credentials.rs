//! Takes users and passwords out of the URLs that people see.

/// The text without what stands before the last `@` of the host in any address in
/// it: a password may hold an `@` itself, and git cuts at the first.
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

/// `user`, or `user:password`, before the host.
pub(crate) fn credentials(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    let host = rest.split('/').next().unwrap_or(rest);
    host.rsplit_once('@').map(|(user, _)| user)
}

/// Of an http address no user is shown, since a token can stand in its place; of
/// others no password.
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
