//! Who may see the page? This machine alone, by this address alone: a few files, and the model that is watched.
//!
//! A request is a line and headers, no longer than some thousand bytes; it has no body. The host must be this address, so that
//! no name of a stranger leads here; a request that another page makes is refused; so is every path but those in the list.
//! Nothing is ever written.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use anholon::Error;
use serde_json::json;

/// The longest request that is read, in bytes.
const LONGEST_REQUEST: u64 = 16 << 10;
/// The longest model that is sent, in bytes.
const LONGEST_MODEL: u64 = 1 << 20;
/// So many requests are answered at once.
const MOST: usize = 32;
/// So long a request may take to arrive, or an answer to leave.
const PATIENCE: Duration = Duration::from_secs(5);

/// What is served.
#[derive(Clone)]
pub struct Page {
    /// Names and bytes.
    pub files: &'static [(&'static str, &'static [u8])],
    /// Those that are not served.
    pub inner: &'static [&'static str],
    /// The line that tells the page that a model is served beside it.
    pub served: &'static str,
    /// The model.
    pub watched: Option<Watched>,
}

/// A model that is shown: its file is read again each time.
#[derive(Clone, Debug)]
pub enum Watched {
    /// A file.
    File(String),
    /// A model of the gallery: its name and its text.
    Gallery(String, &'static str),
}

impl Watched {
    /// The model of this name; it must be there.
    pub fn of(model: &str) -> Result<Watched, Error> {
        match model.strip_prefix("gallery:") {
            Some(name) => Ok(Watched::Gallery(format!("{name}.mech"), anholon::library::example(name)?.text)),
            None => {
                let watched = Watched::File(model.to_owned());
                watched.read().map_err(|why| {
                    Error::new(format!("cannot read {model}: {why}"))
                        .hint("name a model file, or a built-in one as `gallery:sled`")
                })?;
                Ok(watched)
            }
        }
    }

    /// Its name and its text now.
    fn read(&self) -> Result<(&str, String), String> {
        match self {
            Watched::Gallery(name, text) => Ok((name, (*text).to_owned())),
            Watched::File(path) => {
                let mut text = String::new();
                let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
                let read = file.take(LONGEST_MODEL + 1).read_to_string(&mut text).map_err(|error| error.to_string())?;
                match read as u64 > LONGEST_MODEL {
                    true => Err(format!("it has more than {LONGEST_MODEL} bytes")),
                    false => Ok((path, text)),
                }
            }
        }
    }
}

/// Answers requests until the program ends.
pub fn serve(listener: &TcpListener, port: u16, page: &Page) {
    let busy = Arc::new(AtomicUsize::new(0));
    for stream in listener.incoming().flatten() {
        let (page, busy) = (page.clone(), Arc::clone(&busy));
        if busy.fetch_add(1, Ordering::SeqCst) >= MOST {
            busy.fetch_sub(1, Ordering::SeqCst);
            continue;
        }
        thread::spawn(move || {
            // whoever goes away in the middle is no error of ours
            let _ = answer(&stream, port, &page);
            busy.fetch_sub(1, Ordering::SeqCst);
        });
    }
}

/// A request: its method, its path, and the headers that matter.
#[derive(Debug, Default, PartialEq, Eq)]
struct Request {
    method: String,
    path: String,
    host: Option<String>,
    origin: Option<String>,
    site: Option<String>,
}

impl Request {
    /// Reads a request; nothing if it is none or too long.
    fn read(from: impl Read) -> Option<Request> {
        let mut lines = BufReader::new(from.take(LONGEST_REQUEST)).lines();
        let first = lines.next()?.ok()?;
        let mut words = first.split(' ');
        let (method, path, version) = (words.next()?, words.next()?, words.next()?);
        if !version.starts_with("HTTP/1.") || words.next().is_some() {
            return None;
        }
        let mut request = Request { method: method.to_owned(), path: path.to_owned(), ..Request::default() };
        for line in lines {
            let line = line.ok()?;
            if line.is_empty() {
                return Some(request);
            }
            let (name, value) = line.split_once(':')?;
            let value = Some(value.trim().to_owned());
            match name.to_ascii_lowercase().as_str() {
                // a second host would let a stranger choose
                "host" if request.host.is_some() => return None,
                "host" => request.host = value,
                "origin" => request.origin = value,
                "sec-fetch-site" => request.site = value,
                _ => {}
            }
        }
        None
    }

    /// Whether it comes from this page or from a person's hand.
    fn is_own(&self, port: u16) -> bool {
        let own = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
        let host = self.host.as_ref().is_some_and(|host| own.contains(host));
        let origin = self.origin.as_ref().is_none_or(|origin| own.iter().any(|own| *origin == format!("http://{own}")));
        let site = self.site.as_ref().is_none_or(|site| site == "same-origin" || site == "none");
        host && origin && site
    }
}

/// What is sent back.
struct Reply {
    status: &'static str,
    kind: &'static str,
    body: Vec<u8>,
}

fn answer(stream: &TcpStream, port: u16, page: &Page) -> std::io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let request = Request::read(stream);
    let reply = reply(request.as_ref(), port, page);
    let body: &[u8] = if request.is_some_and(|one| one.method == "HEAD") { &[] } else { &reply.body };
    let head = format!(
        "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-cache\r\nX-Content-Type-Options: nosniff\r\n\
         Referrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\nX-Frame-Options: DENY\r\nConnection: close\r\n\r\n",
        reply.status,
        reply.kind,
        reply.body.len()
    );
    let mut stream = stream;
    stream.write_all(head.as_bytes())?;
    stream.write_all(body)?;
    stream.flush()
}

fn reply(request: Option<&Request>, port: u16, page: &Page) -> Reply {
    let words =
        |status, text: &str| Reply { status, kind: "text/plain; charset=utf-8", body: format!("{text}\n").into() };
    let Some(request) = request else { return words("400 Bad Request", "this is no request") };
    if !request.is_own(port) {
        return words("403 Forbidden", "this page is for this machine alone");
    }
    if !matches!(request.method.as_str(), "GET" | "HEAD") {
        return words("405 Method Not Allowed", "this page is only read");
    }
    let name = request.path.strip_prefix('/').unwrap_or(&request.path);
    if name == "model.json" {
        return match page.watched.as_ref().map(Watched::read) {
            None => words("404 Not Found", "no model is served"),
            Some(Err(why)) => words("404 Not Found", &format!("the model cannot be read: {why}")),
            Some(Ok((file, text))) => Reply {
                status: "200 OK",
                kind: "application/json",
                body: json!({ "file": file, "text": text }).to_string().into(),
            },
        };
    }
    let name = if name.is_empty() { "index.html" } else { name };
    match page.files.iter().find(|(known, _)| *known == name && !page.inner.contains(&name)) {
        None => words("404 Not Found", "there is no such page"),
        Some((_, bytes)) => Reply { status: "200 OK", kind: kind(name), body: shown(name, bytes, page) },
    }
}

/// A file as it is sent: the page is told whether a model is served.
fn shown(name: &str, bytes: &[u8], page: &Page) -> Vec<u8> {
    match (name, &page.watched) {
        ("index.html", Some(_)) => {
            String::from_utf8_lossy(bytes).replacen("</head>", &format!("{}\n</head>", page.served), 1).into()
        }
        _ => bytes.to_vec(),
    }
}

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("woff2") => "font/woff2",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_REQUEST, Page, Request, Watched, reply};

    const FILES: &[(&str, &[u8])] = &[("index.html", b"<head></head>"), ("single.html", b"whole")];
    const PAGE: Page = Page { files: FILES, inner: &["single.html"], served: "<meta>", watched: None };

    fn asked(text: &str) -> (&'static str, String) {
        let watched = Some(Watched::Gallery("sled.mech".to_owned(), "coord x : m"));
        let told = reply(Request::read(text.as_bytes()).as_ref(), 80, &Page { watched, ..PAGE });
        (told.status, String::from_utf8(told.body).unwrap())
    }

    fn status(first: &str, headers: &str) -> &'static str {
        asked(&format!("{first} HTTP/1.1\r\n{headers}\r\n")).0
    }

    #[test]
    fn the_page_and_the_model_are_served() {
        let host = "Host: 127.0.0.1:80\r\n";
        let page = asked(&format!("GET / HTTP/1.1\r\n{host}\r\n"));
        assert_eq!(page, ("200 OK", "<head><meta>\n</head>".to_owned()));
        let model = asked(&format!("GET /model.json HTTP/1.1\r\n{host}\r\n")).1;
        assert_eq!(model, r#"{"file":"sled.mech","text":"coord x : m"}"#);
    }

    #[test]
    fn strangers_are_refused() {
        let own = "Host: localhost:80\r\n";
        assert_eq!(status("GET /", own), "200 OK");
        assert_eq!(status("GET /", ""), "403 Forbidden");
        assert_eq!(status("GET /", "Host: evil.example:80\r\n"), "403 Forbidden");
        assert_eq!(status("GET /", "Host: 127.0.0.1:81\r\n"), "403 Forbidden");
        assert_eq!(status("GET /", &format!("{own}Host: evil.example\r\n")), "400 Bad Request");
        assert_eq!(status("GET /", &format!("{own}Origin: http://evil.example\r\n")), "403 Forbidden");
        assert_eq!(status("GET /model.json", &format!("{own}Sec-Fetch-Site: cross-site\r\n")), "403 Forbidden");
        assert_eq!(status("GET /", &format!("{own}Origin: http://localhost:80\r\n")), "200 OK");
    }

    #[test]
    fn other_paths_and_methods_are_refused() {
        let own = "Host: localhost:80\r\n";
        for path in
            ["/single.html", "/../Cargo.toml", "/%2e%2e/Cargo.toml", "/etc/passwd", "//etc/passwd", "/model.json/"]
        {
            assert_eq!(status(&format!("GET {path}"), own), "404 Not Found", "{path}");
        }
        assert_eq!(status("POST /model.json", own), "405 Method Not Allowed");
        assert_eq!(asked("nonsense").0, "400 Bad Request");
    }

    #[test]
    fn a_long_request_is_no_request() {
        let long = "a".repeat(LONGEST_REQUEST as usize);
        assert_eq!(status("GET /", &format!("Host: localhost:80\r\nX: {long}\r\n")), "400 Bad Request");
    }
}
