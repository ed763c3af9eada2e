//! How is a table written as a Parquet file?
//!
//! ```text
//! PAR1 | a page for each column | what the file holds (Thrift, compact) | its length | PAR1
//! page: header | levels: is there a value? (runs) | values one after the other
//! ```
//!
//! One row group, nothing compressed, plain values: the least that every reader of the format takes.
//!
//! Source: Apache Parquet format 2.9, Thrift compact protocol.

/// A column of a table.
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its values.
    pub values: Values,
}

/// The values of a column.
pub enum Values {
    /// Whole numbers, none missing.
    Integers(Vec<i64>),
    /// Floats, some of them missing.
    Floats(Vec<Option<f64>>),
    /// Texts, some of them missing.
    Texts(Vec<Option<String>>),
}

impl Values {
    fn len(&self) -> usize {
        match self {
            Values::Integers(list) => list.len(),
            Values::Floats(list) => list.len(),
            Values::Texts(list) => list.len(),
        }
    }

    /// The number of its type in the format.
    fn kind(&self) -> i64 {
        match self {
            Values::Integers(_) => 2,
            Values::Floats(_) => 5,
            Values::Texts(_) => 6,
        }
    }

    /// Levels, where values may be missing, and values.
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        match self {
            Values::Integers(list) => list.iter().for_each(|value| bytes.extend(value.to_le_bytes())),
            Values::Floats(list) => {
                bytes = levels(list.iter().map(Option::is_some));
                list.iter().flatten().for_each(|value| bytes.extend(value.to_le_bytes()));
            }
            Values::Texts(list) => {
                bytes = levels(list.iter().map(Option::is_some));
                for text in list.iter().flatten() {
                    bytes.extend((text.len() as u32).to_le_bytes());
                    bytes.extend(text.as_bytes());
                }
            }
        }
        bytes
    }
}

/// Runs of ones and zeros: twice their length, then the level.
fn levels(list: impl Iterator<Item = bool>) -> Vec<u8> {
    let mut runs: Vec<(u64, bool)> = Vec::new();
    for level in list {
        match runs.last_mut().filter(|run| run.1 == level) {
            Some(run) => run.0 += 1,
            None => runs.push((1, level)),
        }
    }
    let mut bytes = vec![0; 4];
    for (length, level) in runs {
        unsigned(&mut bytes, length << 1);
        bytes.push(u8::from(level));
    }
    let length = (bytes.len() - 4) as u32;
    bytes[..4].copy_from_slice(&length.to_le_bytes());
    bytes
}

/// A number in groups of seven bits.
fn unsigned(bytes: &mut Vec<u8>, mut number: u64) {
    while number > 127 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn text(bytes: &mut Vec<u8>, text: &str) {
    unsigned(bytes, text.len() as u64);
    bytes.extend(text.as_bytes());
}

/// A struct of the compact protocol: fields in ascending order, each with the distance to the one before.
struct Struct {
    bytes: Vec<u8>,
    last: u8,
}

const I32: u8 = 5;
const I64: u8 = 6;
const TEXT: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

impl Struct {
    fn new() -> Struct {
        Struct { bytes: Vec::new(), last: 0 }
    }

    fn field(&mut self, number: u8, kind: u8) {
        self.bytes.push(((number - self.last) << 4) | kind);
        self.last = number;
    }

    fn integer(mut self, number: u8, kind: u8, value: i64) -> Struct {
        self.field(number, kind);
        unsigned(&mut self.bytes, ((value << 1) ^ (value >> 63)) as u64);
        self
    }

    fn text(mut self, number: u8, value: &str) -> Struct {
        self.field(number, TEXT);
        text(&mut self.bytes, value);
        self
    }

    fn inner(mut self, number: u8, value: Struct) -> Struct {
        self.field(number, STRUCT);
        self.bytes.extend(value.done());
        self
    }

    fn list(mut self, number: u8, kind: u8, items: &[Vec<u8>]) -> Struct {
        self.field(number, LIST);
        match items.len() {
            few @ 0..15 => self.bytes.push(((few as u8) << 4) | kind),
            many => {
                self.bytes.push(0xf0 | kind);
                unsigned(&mut self.bytes, many as u64);
            }
        }
        items.iter().for_each(|item| self.bytes.extend(item));
        self
    }

    fn done(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}

/// A file with these columns, all of one length, that says these things about itself.
pub fn file(columns: &[Column], facts: &[(String, String)]) -> Vec<u8> {
    let rows = columns.first().map_or(0, |column| column.values.len());
    let mut bytes = b"PAR1".to_vec();
    let mut chunks = Vec::new();
    for column in columns {
        let start = bytes.len();
        let page = column.values.bytes();
        let data = Struct::new().integer(1, I32, rows as i64).integer(2, I32, 0).integer(3, I32, 3).integer(4, I32, 3);
        let size = page.len() as i64;
        let header = Struct::new().integer(1, I32, 0).integer(2, I32, size).integer(3, I32, size).inner(5, data);
        bytes.extend(header.done());
        bytes.extend(page);
        chunks.push(chunk(column, rows, start, bytes.len() - start));
    }
    let size = (bytes.len() - 4) as i64;
    let group = Struct::new().list(1, STRUCT, &chunks).integer(2, I64, size).integer(3, I64, rows as i64);
    let mut schema = vec![Struct::new().text(4, "table").integer(5, I32, columns.len() as i64).done()];
    schema.extend(columns.iter().map(element));
    let facts: Vec<Vec<u8>> =
        facts.iter().map(|(key, value)| Struct::new().text(1, key).text(2, value).done()).collect();
    let footer = Struct::new()
        .integer(1, I32, 1)
        .list(2, STRUCT, &schema)
        .integer(3, I64, rows as i64)
        .list(4, STRUCT, &[group.done()])
        .list(5, STRUCT, &facts)
        .text(6, concat!("anholon version ", env!("CARGO_PKG_VERSION")))
        .done();
    bytes.extend(&footer);
    bytes.extend((footer.len() as u32).to_le_bytes());
    bytes.extend(b"PAR1");
    bytes
}

/// What the schema says about a column.
fn element(column: &Column) -> Vec<u8> {
    let is_whole = matches!(column.values, Values::Integers(_));
    let one = Struct::new().integer(1, I32, column.values.kind());
    let one = one.integer(3, I32, i64::from(!is_whole)).text(4, &column.name);
    match column.values {
        Values::Texts(_) => one.integer(6, I32, 0).done(),
        _ => one.done(),
    }
}

/// What the file says about the page of a column.
fn chunk(column: &Column, rows: usize, start: usize, size: usize) -> Vec<u8> {
    let mut path = Vec::new();
    text(&mut path, &column.name);
    let about = Struct::new()
        .integer(1, I32, column.values.kind())
        .list(2, I32, &[vec![0], vec![6]])
        .list(3, TEXT, &[path])
        .integer(4, I32, 0)
        .integer(5, I64, rows as i64)
        .integer(6, I64, size as i64)
        .integer(7, I64, size as i64)
        .integer(9, I64, start as i64);
    Struct::new().integer(2, I64, start as i64).inner(3, about).done()
}

/// What a file that was written here says under a key.
pub fn said(bytes: &[u8], key: &str) -> Option<String> {
    let length = u32::from_le_bytes(bytes.get(bytes.len().checked_sub(8)?..bytes.len() - 4)?.try_into().ok()?);
    let footer = &bytes[bytes.len().checked_sub(8 + length as usize)?..bytes.len() - 8];
    let mut wanted = vec![0x18];
    text(&mut wanted, key);
    wanted.push(0x18);
    let start = footer.windows(wanted.len()).position(|window| window == wanted)? + wanted.len();
    let (mut length, mut shift, mut place) = (0_u64, 0, start);
    loop {
        let byte = *footer.get(place)?;
        length |= u64::from(byte & 127).checked_shl(shift)?;
        (shift, place) = (shift + 7, place + 1);
        if byte < 128 {
            break;
        }
    }
    String::from_utf8(footer.get(place..place.checked_add(length as usize)?)?.to_vec()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_tells_what_it_says_about_itself() {
        let columns = [Column { name: "x".to_owned(), values: Values::Floats(vec![Some(1.0), None]) }];
        let facts = [("a".to_owned(), "model \"m\"\n".repeat(40)), ("b".to_owned(), String::new())];
        let bytes = file(&columns, &facts);
        assert_eq!(said(&bytes, "a"), Some(facts[0].1.clone()));
        assert_eq!((said(&bytes, "b"), said(&bytes, "c")), (Some(String::new()), None));
        assert_eq!((said(b"PAR1", "a"), said(&bytes[..bytes.len() / 2], "a")), (None, None));
    }

    #[test]
    fn runs_of_levels_are_told_once() {
        // two ones, one zero, three hundred ones: 2·300 = 600 = 88 + 4·128
        let list = [vec![true; 2], vec![false], vec![true; 300]].concat();
        assert_eq!(levels(list.into_iter()), [7, 0, 0, 0, 4, 1, 2, 0, 0xd8, 4, 1]);
    }
}
