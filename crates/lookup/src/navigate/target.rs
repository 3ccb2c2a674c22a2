//! Parses the target of a query: a name, a qualified name, or a location in a file.

/// Target of a navigation query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A name with its enclosing names, the innermost last: `parse`, `Parser::parse`.
    Name(Vec<String>),
    /// A location in a file.
    Place {
        /// The path as typed.
        path: String,
        /// The line, counted from 1.
        line: usize,
        /// The character of the line, counted from 1.
        column: usize,
    },
}

impl Target {
    /// Parses a typed target. Returns `None` if it contains no name.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let mut parts = text.rsplitn(3, ':');
        let numbers = [parts.next(), parts.next()].map(|part| part?.parse::<usize>().ok());
        if let ([Some(column), Some(line)], Some(path)) = (numbers, parts.next())
            && !path.is_empty()
        {
            return Some(Self::Place {
                path: path.to_owned(),
                line,
                column,
            });
        }
        let names = names(text);
        (!names.is_empty()).then_some(Self::Name(names))
    }
}

/// Splits a qualified name at the separators of all languages.
pub(super) fn names(text: &str) -> Vec<String> {
    let text = match text.ends_with("operator()") {
        true => text,
        false => text.trim_end_matches("()"),
    };
    text.split(['.', ':', '#', '/', '\\'])
        .map(str::trim)
        .map(bare)
        .filter(|part| !part.is_empty())
        .map(joined)
        .collect()
}

/// Joins an operator into one word, because some write `operator ==`.
fn joined(part: &str) -> String {
    match part.strip_prefix("operator ").map(str::trim_start) {
        Some(sign) if !sign.starts_with(char::is_alphanumeric) => format!("operator{sign}"),
        _ => part.to_owned(),
    }
}

/// Removes type and call arguments: `Map` of `Map<K>`. Operator names stay unchanged.
fn bare(part: &str) -> &str {
    let behind = part.strip_prefix("operator");
    let is_operator = behind.is_some_and(|rest| rest.starts_with(['<', '(']));
    match part.split(['<', '(']).next() {
        Some(name) if !name.is_empty() && !is_operator => name,
        _ => part,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let shown = match Target::parse(text) {
            Some(Target::Name(names)) => names.join(" "),
            Some(Target::Place { path, line, column }) => format!("{path} {line} {column}"),
            None => "nothing".to_owned(),
        };
        assert_eq!(shown, expected, "{text}");
    }

    #[test]
    fn what_people_type() {
        check("parse", "parse");
        check("Parser::parse", "Parser parse");
        check("shop.Shop.sell()", "shop Shop sell");
        check("Foo#bar", "Foo bar");
        check("src/a.rs:3:5", "src/a.rs 3 5");
        check("C:\\x\\a.rs:3:5", "C:\\x\\a.rs 3 5");
        check("vec!", "vec!");
        check("Cleaner.cleanup!", "Cleaner cleanup!");
        check("Map<K>::get", "Map get");
        check("Foo#<=>", "Foo <=>");
        check("Point::operator()", "Point operator()");
        check("operator<", "operator<");
        check("operator !=", "operator!=");
        check("Slice::operator ==", "Slice operator==");
        check("operator bool", "operator bool");
        check("::", "nothing");
    }
}
