//! Is the book true, and is it built? Its models are written to files, its commands run, its pages made.
//!
//! Chapters are `book/*.md`, in the order of their names. A block fenced as `mech NAME` is the file of that name for the commands
//! that follow; other such blocks with a name (`python NAME`) are written too. Commands and what they print are checked as those of
//! README.md are; with `UPDATE_SNAPSHOTS=1` what they print is written into the chapter. A picture that a chapter shows is one that a command made.
//!
//! After the chapters come the pages of the verbs, from `--help` of the program, and the pages of `docs`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use pulldown_cmark::{CodeBlockKind, CowStr, Event, Options, Parser, Tag, TagEnd, html};

use crate::command::{command_line, root, run as run_shown, target};
use crate::readme::{Shown, commands, difference, in_shell, is_ours, lines};

/// The profile whose program runs: the one that tests build.
const PROFILE: &str = "debug";
const STYLE: &str = include_str!("book.css");

/// A page of the book.
struct Page {
    /// Its file without an ending.
    name: String,
    title: String,
    part: &'static str,
    text: String,
}

/// Builds the program, runs the commands of every chapter, and writes the pages.
pub fn test() -> Result<(), String> {
    run_shown(&mut command_line())?;
    let (out, work) = (target().join("book"), target().join("book-work"));
    for folder in [&out, &work] {
        if folder.exists() {
            fs::remove_dir_all(folder).map_err(|error| format!("cannot remove {}: {error}", folder.display()))?;
        }
        fs::create_dir_all(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    }
    let mut pages = Vec::new();
    let mut wrong = 0;
    for (name, path) in markdown(&root().join("book"))? {
        let text = read(&path)?;
        let (text, mistakes) = checked(&name, &path, text, &work)?;
        wrong += mistakes;
        pages.push(page(name, "The book", text));
    }
    if wrong > 0 {
        let remedy = "UPDATE_SNAPSHOTS=1 cargo xtask book writes what is printed; read the difference";
        return Err(format!("commands of the book that do not print what it shows: {wrong} ({remedy})"));
    }
    pages.push(verbs(&work)?);
    for (name, path) in markdown(&root().join("docs"))? {
        pages.push(page(name, "Reference", read(&path)?));
    }
    for (name, path) in markdown(&root().join("docs/formalisms"))? {
        pages.push(page(format!("form-{name}"), "Forms", read(&path)?));
    }
    write(&pages, &out, &work)
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

/// The Markdown files of a folder, in the order of their names.
fn markdown(folder: &Path) -> Result<Vec<(String, std::path::PathBuf)>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut found: Vec<(String, std::path::PathBuf)> = paths
        .filter(|path| path.extension().is_some_and(|end| end == "md"))
        .filter_map(|path| Some((path.file_stem()?.to_str()?.to_owned(), path.clone())))
        .collect();
    found.sort();
    Ok(found)
}

fn page(name: String, part: &'static str, text: String) -> Page {
    let title = text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or(&name).replace('`', "");
    Page { name, title, part, text }
}

/// The blocks of a chapter that are files: name and text.
fn files(text: &str) -> Vec<(usize, String, String)> {
    let mut found: Vec<(usize, String, String)> = Vec::new();
    let mut open: Option<bool> = None;
    for (index, line) in text.lines().enumerate() {
        match (line.strip_prefix("```"), open) {
            (Some(kind), None) => {
                let name = kind.split_whitespace().nth(1).filter(|name| name.contains('.') && !name.contains('/'));
                found.extend(name.map(|name| (index + 1, name.to_owned(), String::new())));
                open = Some(name.is_some());
            }
            (Some(_), Some(_)) => open = None,
            (None, Some(true)) => {
                if let Some((_, _, file)) = found.last_mut() {
                    file.push_str(line);
                    file.push('\n');
                }
            }
            _ => {}
        }
    }
    found
}

/// Runs a chapter: its text, with what is printed if that is to be written, and the number of mistakes.
fn checked(name: &str, path: &Path, text: String, work: &Path) -> Result<(String, usize), String> {
    let update = std::env::var_os("UPDATE_SNAPSHOTS").is_some();
    let (files, mut wrong, mut code) = (files(&text), 0, None);
    let mut written = 0;
    let mut outputs: Vec<(Shown, Vec<String>)> = Vec::new();
    for shown in commands(&text) {
        for (line, file, content) in &files {
            if (written..shown.line).contains(line) {
                fs::write(work.join(file), content).map_err(|error| format!("cannot write {file}: {error}"))?;
            }
        }
        written = shown.line;
        let printed = if is_ours(&shown.command) {
            println!("{name}: $ {}", shown.command);
            let (text, exit) = in_shell(&shown.command, work, PROFILE)?;
            code = exit;
            lines(&text)
        } else if shown.command == "echo $?" {
            vec![code.map_or_else(|| "killed".to_owned(), |code| code.to_string())]
        } else {
            continue;
        };
        let differs = difference(&shown.output, &printed);
        let is_silent = shown.output.is_empty() && !printed.is_empty();
        if differs.is_none() && !is_silent {
            continue;
        }
        if !update {
            wrong += 1;
            println!("book/{name}.md:{}: `-` is what the book shows, `+` what is printed", shown.line);
            println!("{}", differs.unwrap_or_else(|| printed.join("\n")));
        }
        outputs.push((shown, printed));
    }
    if !update || outputs.is_empty() {
        return Ok((text, wrong));
    }
    let text = rewritten(&text, &outputs);
    fs::write(path, &text).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    Ok((text, 0))
}

/// The chapter with what commands print in the place of what it shows.
fn rewritten(text: &str, outputs: &[(Shown, Vec<String>)]) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for (shown, printed) in outputs.iter().rev() {
        let first = shown.line;
        lines.splice(first..first + shown.output.len(), printed.iter().cloned());
    }
    lines.join("\n") + "\n"
}

/// The page of all verbs, from what the program says of itself.
fn verbs(work: &Path) -> Result<Page, String> {
    let help = |words: &str| Ok::<String, String>(in_shell(&format!("anholon {words}--help"), work, PROFILE)?.0);
    let all = help("")?;
    let listed = all.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    let names: Vec<&str> = listed.take_while(|line| !line.is_empty()).filter_map(verb_of).collect();
    if names.len() < 10 {
        return Err(format!("`anholon --help` lists {} verbs: has its shape changed?", names.len()));
    }
    let mut text = "# The verbs\n\nWhat `anholon VERB --help` prints, for every verb.\n".to_owned();
    for name in names.into_iter().filter(|name| *name != "help") {
        text.push_str(&format!("\n## {name}\n\n```text\n{}\n```\n", help(&format!("{name} "))?.trim_end()));
    }
    Ok(page("verbs".to_owned(), "Reference", text))
}

/// The verb that a line of the list of commands begins with; a line that goes on has none.
fn verb_of(line: &str) -> Option<&str> {
    let line = line.strip_prefix("  ")?;
    if line.starts_with(' ') { None } else { line.split_whitespace().next() }
}

/// Writes all pages with their navigation; a picture or a link of a chapter that leads nowhere is a mistake.
fn write(pages: &[Page], out: &Path, work: &Path) -> Result<(), String> {
    let known: BTreeSet<&str> = pages.iter().map(|page| page.name.as_str()).collect();
    let mut missing = Vec::new();
    for (at, page) in pages.iter().enumerate() {
        let (body, lost, pictures) = rendered(page, &known, work);
        for (from, name) in pictures {
            fs::copy(&from, out.join(&name)).map_err(|error| format!("cannot copy {}: {error}", from.display()))?;
        }
        missing.extend(lost.into_iter().map(|link| format!("{}: {link}", page.name)));
        let before = at.checked_sub(1).map(|at| &pages[at]);
        let text = framed(page, &navigation(pages, page), &body, before, pages.get(at + 1));
        let file = out.join(format!("{}.html", page.name));
        fs::write(&file, &text).map_err(|error| format!("cannot write {}: {error}", file.display()))?;
        if at == 0 {
            fs::write(out.join("index.html"), text).map_err(|error| format!("cannot write index.html: {error}"))?;
        }
    }
    println!("{} pages: {}", pages.len(), out.join("index.html").display());
    match missing.is_empty() {
        true => Ok(()),
        false => Err(format!("links and pictures of the book that lead nowhere: {}", missing.join("; "))),
    }
}

type Rendered = (String, Vec<String>, Vec<(std::path::PathBuf, String)>);

/// A page as HTML, the links of it that lead nowhere, and the pictures that it needs.
fn rendered(page: &Page, known: &BTreeSet<&str>, work: &Path) -> Rendered {
    let (mut lost, mut pictures, mut code) = (Vec::new(), Vec::new(), None);
    let mut events = Vec::new();
    let is_strict = page.part == "The book";
    let mut dropped = Vec::new();
    for event in Parser::new_ext(&page.text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(kind))) => code = Some((kind.to_string(), String::new())),
            Event::End(TagEnd::CodeBlock) => {
                let (kind, text) = code.take().unwrap_or_default();
                events.push(Event::Html(CowStr::from(coloured(&kind, &text))));
            }
            Event::Text(text) if code.is_some() => {
                if let Some((_, block)) = &mut code {
                    block.push_str(&text);
                }
            }
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let to = linked(page, &dest_url, known);
                dropped.push(to.is_none());
                match to {
                    Some(to) => events.push(Event::Start(Tag::Link { link_type, dest_url: to.into(), title, id })),
                    None if is_strict => lost.push(dest_url.to_string()),
                    None => {}
                }
            }
            Event::End(TagEnd::Link) => {
                if dropped.pop() == Some(false) {
                    events.push(Event::End(TagEnd::Link));
                }
            }
            Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
                let places = [work.join(&*dest_url), root().join("docs").join(&*dest_url), root().join(&*dest_url)];
                let name = dest_url.rsplit('/').next().unwrap_or("").to_owned();
                match places.into_iter().find(|path| path.is_file()) {
                    Some(path) => pictures.push((path, name.clone())),
                    None => lost.push(dest_url.to_string()),
                }
                events.push(Event::Start(Tag::Image { link_type, dest_url: name.into(), title, id }));
            }
            other => events.push(other),
        }
    }
    let mut body = String::new();
    html::push_html(&mut body, events.into_iter());
    (body, lost, pictures)
}

/// Where a link leads in the book: a page of it, or the web.
fn linked(page: &Page, to: &str, known: &BTreeSet<&str>) -> Option<String> {
    if to.starts_with('#') || to.starts_with("http") {
        return Some(to.to_owned());
    }
    let (path, place) = to.split_once('#').map_or((to, String::new()), |(path, place)| (path, format!("#{place}")));
    let stem = path.strip_suffix(".md")?.rsplit('/').next()?;
    let is_form = path.contains("formalisms/") || page.part == "Forms" && !path.contains("../");
    let name = if is_form { format!("form-{stem}") } else { stem.to_owned() };
    known.contains(name.as_str()).then(|| format!("{name}.html{place}"))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A block of code; of models the keywords and comments, of sessions the commands stand out.
fn coloured(kind: &str, text: &str) -> String {
    let (language, name) = kind.split_once(' ').unwrap_or((kind, ""));
    let line = |line: &str| {
        let safe = escaped(line);
        match language {
            "mech" if line.starts_with('#') => format!("<i>{safe}</i>"),
            "mech" if !line.starts_with([' ', '\t']) => match safe.split_once(' ') {
                Some((word, rest)) => format!("<b>{word}</b> {rest}"),
                None => safe,
            },
            "console" | "sh" if line.starts_with("$ ") => format!("<b>{safe}</b>"),
            _ => safe,
        }
    };
    let body: Vec<String> = text.lines().map(line).collect();
    let caption = if name.is_empty() { String::new() } else { format!("<figcaption>{}</figcaption>", escaped(name)) };
    format!("<figure>{caption}<pre class=\"{}\"><code>{}</code></pre></figure>\n", escaped(language), body.join("\n"))
}

/// The list of all pages, this one marked.
fn navigation(pages: &[Page], here: &Page) -> String {
    let mut text = String::new();
    let mut part = "";
    for page in pages {
        if page.part != part {
            text.push_str(if part.is_empty() { "" } else { "</ul></details>" });
            let open = if page.part == here.part { " open" } else { "" };
            text.push_str(&format!("<details{open}><summary>{}</summary><ul>", page.part));
            part = page.part;
        }
        let mark = if page.name == here.name { " aria-current=\"page\"" } else { "" };
        text.push_str(&format!("<li><a href=\"{}.html\"{mark}>{}</a></li>", page.name, escaped(&page.title)));
    }
    text + "</ul></details>"
}

fn framed(page: &Page, navigation: &str, body: &str, before: Option<&Page>, after: Option<&Page>) -> String {
    let step = |page: Option<&Page>, sign: (&str, &str)| match page {
        Some(page) => format!("<a href=\"{}.html\">{}{}{}</a>", page.name, sign.0, escaped(&page.title), sign.1),
        None => "<span></span>".to_owned(),
    };
    let (before, after) = (step(before, ("← ", "")), step(after, ("", " →")));
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{} · Anholon</title><style>{STYLE}</style></head>\n<body><nav><strong>Anholon</strong>{navigation}</nav>\n<main>\n{body}\n\
         <footer>{before}{after}</footer></main></body></html>\n",
        escaped(&page.title)
    )
}

#[cfg(test)]
mod tests {
    use super::{Shown, coloured, files, rewritten, verb_of};

    const CHAPTER: &str = "# A\n```mech a.mech\ncoord x : m\n```\ntext\n```console\n$ anholon check a.mech\nold\nlines\n$ echo $?\n1\n```\n```text\nno file\n```\n";

    #[test]
    fn blocks_with_a_name_are_files() {
        assert_eq!(files(CHAPTER), [(2, "a.mech".to_owned(), "coord x : m\n".to_owned())]);
    }

    #[test]
    fn what_is_printed_takes_the_place_of_what_is_shown() {
        let shown = |line, output: &[&str]| Shown {
            line,
            command: String::new(),
            output: output.iter().map(ToString::to_string).collect(),
        };
        let outputs =
            [(shown(7, &["old", "lines"]), vec!["new".to_owned()]), (shown(10, &["1"]), vec!["0".to_owned()])];
        let text = rewritten(CHAPTER, &outputs);
        assert!(text.contains("$ anholon check a.mech\nnew\n$ echo $?\n0\n```\n```text"), "{text}");
    }

    #[test]
    fn code_is_escaped_and_marked() {
        assert_eq!(
            coloured("mech a.mech", "assume x < 1\n# a\n"),
            "<figure><figcaption>a.mech</figcaption><pre class=\"mech\"><code><b>assume</b> x &lt; 1\n<i># a</i></code></pre></figure>\n"
        );
    }

    #[test]
    fn verbs_are_found_in_the_list() {
        assert_eq!(verb_of("  check        What does a model say?"), Some("check"));
        assert_eq!(verb_of("               more of it"), None);
    }
}
