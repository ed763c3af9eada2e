//! Is this text well-formed XML, as far as our writer uses it? A checker that shares nothing with it.

/// Checks tags, attributes and text; what stands in each `<text>` element, without its tags.
pub fn check(xml: &str) -> Result<Vec<String>, String> {
    let mut open: Vec<&str> = Vec::new();
    let mut texts = Vec::new();
    let mut rest = xml;
    while let Some(start) = rest.find('<') {
        characters(&rest[..start])?;
        if open.is_empty() && !rest[..start].trim().is_empty() {
            return Err("text outside of the root".to_owned());
        }
        if let Some(last) = texts.last_mut().filter(|_| open.contains(&"text")) {
            *last = format!("{last}{}", &rest[..start]);
        }
        let end = rest[start..].find('>').ok_or("a tag without end")? + start;
        let tag = &rest[start + 1..end];
        if let Some(name) = tag.strip_prefix('/') {
            let expected = open.pop().ok_or_else(|| format!("</{name}> closes nothing"))?;
            if expected != name {
                return Err(format!("</{name}> closes <{expected}>"));
            }
        } else {
            let (name, attributes) = tag.trim_end_matches('/').split_once(' ').unwrap_or((tag, ""));
            if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphabetic()) {
                return Err(format!("<{name}> is no name"));
            }
            self::attributes(attributes)?;
            if !tag.ends_with('/') {
                open.push(name);
                texts.extend((name == "text").then(String::new));
            }
        }
        rest = &rest[end + 1..];
    }
    if !open.is_empty() || !rest.trim().is_empty() {
        return Err(format!("left open: {open:?}, left over: {rest}"));
    }
    Ok(texts)
}

/// `name="value"` separated by spaces, each name once.
fn attributes(text: &str) -> Result<(), String> {
    let mut seen = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (name, after) = rest.split_once("=\"").ok_or_else(|| format!("no attribute: {rest}"))?;
        let (value, after) = after.split_once('"').ok_or_else(|| format!("no end of: {rest}"))?;
        if seen.contains(&name) || !name.chars().all(|c| c.is_ascii_alphabetic() || c == '-') {
            return Err(format!("attribute {name}"));
        }
        characters(value)?;
        seen.push(name);
        if !(after.is_empty() || after.starts_with(' ')) {
            return Err(format!("no space before {after}"));
        }
        rest = after.trim();
    }
    Ok(())
}

/// No characters that XML forbids, and every `&` begins a reference.
fn characters(text: &str) -> Result<(), String> {
    let forbidden = |c: char| matches!(c, '<' | '\u{fffe}' | '\u{ffff}') || (c.is_control() && c != '\n');
    if let Some(c) = text.chars().find(|&c| forbidden(c)) {
        return Err(format!("{c:?} in {text:?}"));
    }
    let known = ["amp;", "lt;", "gt;", "quot;", "#39;"];
    match text.split('&').skip(1).find(|after| !known.iter().any(|name| after.starts_with(name))) {
        Some(after) => Err(format!("&{after} is no reference")),
        None => Ok(()),
    }
}

#[test]
fn what_is_not_well_formed_is_found() {
    assert_eq!(check("<a><text x=\"1\">b<i>c</i></text></a>"), Ok(vec!["bc".to_owned()]));
    for wrong in
        ["<a>", "<a></b>", "</a>", "<a>&</a>", "<a>\u{1}</a>", "<a b=1/>", "<a b=\"1\" b=\"2\"/>", "a", "<a/>b"]
    {
        assert!(check(wrong).is_err(), "{wrong}");
    }
}
