//! How does a message come over the wire? A header with a length, a blank line, JSON.
//!
//! What is too long is passed over without being kept, and what is no JSON is told: the next message is read as ever.

use std::io::{self, BufRead, Read, Write};

use serde_json::Value;

/// A message may be so long, in bytes.
const LONGEST: u64 = 32 << 20;
/// A line of a header may be so long.
const LONGEST_LINE: u64 = 4096;
/// A header may have so many lines.
const MOST_LINES: usize = 32;

/// What was read.
#[derive(Debug, PartialEq)]
pub enum Incoming {
    /// A message.
    Message(Value),
    /// Something else, of which the end is known: what is wrong with it.
    Wrong(String),
    /// Nothing more can be read: the input ended, or the header is none.
    End(Option<String>),
}

/// Reads the next message.
pub fn read(input: &mut impl BufRead) -> Incoming {
    let length = match header(input) {
        Ok(Some(length)) => length,
        Ok(None) => return Incoming::End(None),
        Err(error) => return Incoming::End(Some(error.to_string())),
    };
    let mut body = input.take(length);
    if length > LONGEST {
        return match io::copy(&mut body, &mut io::sink()) {
            Ok(read) if read == length => {
                Incoming::Wrong(format!("a message of {length} bytes is longer than {LONGEST}"))
            }
            _ => Incoming::End(Some("the input ends inside a message".to_owned())),
        };
    }
    let mut bytes = Vec::new();
    match body.read_to_end(&mut bytes) {
        Ok(read) if read as u64 == length => match serde_json::from_slice(&bytes) {
            Ok(message) => Incoming::Message(message),
            Err(error) => Incoming::Wrong(format!("this is no JSON: {error}")),
        },
        _ => Incoming::End(Some("the input ends inside a message".to_owned())),
    }
}

/// The length that a header tells; nothing at the end of the input.
fn header(input: &mut impl BufRead) -> io::Result<Option<u64>> {
    let wrong = |text: &str| io::Error::new(io::ErrorKind::InvalidData, text);
    let mut length = None;
    for line in 0..MOST_LINES {
        let mut bytes = Vec::new();
        let read = input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
        if read == 0 && line == 0 {
            return Ok(None);
        }
        if bytes.last() != Some(&b'\n') {
            return Err(wrong("a line of a header does not end"));
        }
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim();
        if text.is_empty() {
            return length.map(Some).ok_or_else(|| wrong("a header has no Content-Length"));
        }
        if let Some((name, value)) = text.split_once(':')
            && name.trim().eq_ignore_ascii_case("content-length")
        {
            length = Some(value.trim().parse().map_err(|_| wrong("Content-Length is no number"))?);
        }
    }
    Err(wrong("a header has too many lines"))
}

/// Writes a message.
pub fn write(output: &mut dyn Write, message: &Value) -> io::Result<()> {
    let text = message.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Incoming, LONGEST, read, write};

    #[test]
    fn what_is_written_is_read() {
        let message = json!({ "text": "θ and\r\n\r\nmore" });
        let mut bytes = Vec::new();
        write(&mut bytes, &message).unwrap();
        let mut input = bytes.as_slice();
        assert_eq!(read(&mut input), Incoming::Message(message));
        assert_eq!(read(&mut input), Incoming::End(None));
    }

    #[test]
    fn what_is_no_json_or_too_long_is_passed_over() {
        let mut text = b"Content-Length: 3\r\n\r\n{]}Content-Length: ".to_vec();
        text.extend(format!("{}\r\n\r\n", LONGEST + 1).bytes());
        text.extend(std::iter::repeat_n(b' ', LONGEST as usize + 1));
        text.extend(b"content-length:2\r\nOther: x\r\n\r\n{}");
        let mut input = text.as_slice();
        assert!(matches!(read(&mut input), Incoming::Wrong(why) if why.contains("no JSON")));
        assert!(matches!(read(&mut input), Incoming::Wrong(why) if why.contains("longer")));
        assert_eq!(read(&mut input), Incoming::Message(json!({})));
    }

    #[test]
    fn a_header_that_is_none_ends_it() {
        let long = "x".repeat(100_000);
        let huge = "Content-Length: 99999999999999\r\n\r\n{}";
        for text in ["\r\n\r\n", "Content-Length: -1\r\n\r\n", "Content-Length: 10\r\n\r\n{}", long.as_str(), huge] {
            assert!(matches!(read(&mut text.as_bytes()), Incoming::End(Some(_))), "{text:.40}");
        }
    }
}
