//! Does an editor get right answers? Sessions over the protocol, byte by byte.

use std::io::{BufReader, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use serde_json::{Value, json};

/// A server that says nothing for so long hangs.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(120);
const URI: &str = "file:///models/swing.mech";

/// The editor's end of both pipes.
struct Editor {
    to: Sender<Vec<u8>>,
    from: Receiver<Value>,
    last: i64,
    heard: Vec<Value>,
    server: JoinHandle<u8>,
}

/// Bytes that come in pieces.
struct Pipe(Receiver<Vec<u8>>, Vec<u8>);

impl Read for Pipe {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        if self.1.is_empty() {
            self.1 = self.0.recv().unwrap_or_default();
        }
        let count = self.1.len().min(into.len());
        into[..count].copy_from_slice(&self.1[..count]);
        self.1.drain(..count);
        Ok(count)
    }
}

/// Messages that go out, taken apart again.
struct Out(Sender<Value>, Vec<u8>);

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.1.extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        let text = String::from_utf8(std::mem::take(&mut self.1)).expect("text");
        let (header, body) = text.split_once("\r\n\r\n").expect("a header");
        assert_eq!(header, format!("Content-Length: {}", body.len()));
        let _ = self.0.send(serde_json::from_str(body).expect("JSON"));
        Ok(())
    }
}

impl Editor {
    fn new() -> Editor {
        let (to, input) = channel();
        let (output, from) = channel();
        let server = thread::spawn(move || {
            let read = |file: &str| (file == "/models/wheel.mech").then(|| "param r = 1 m\ncoord x : m\n".to_owned());
            lsp::serve(BufReader::new(Pipe(input, Vec::new())), &mut Out(output, Vec::new()), &read)
        });
        Editor { to, from, last: 0, heard: Vec::new(), server }
    }

    fn begun() -> Editor {
        let mut editor = Editor::new();
        let answer = editor.ask("initialize", json!({ "capabilities": {} }));
        assert_eq!(answer["capabilities"]["positionEncoding"], "utf-16");
        editor.note("initialized", json!({}));
        editor
    }

    fn bytes(&self, bytes: &[u8]) {
        self.to.send(bytes.to_vec()).expect("the server listens");
    }

    fn send(&self, message: &Value) {
        let text = message.to_string();
        self.bytes(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    fn note(&self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn request(&mut self, method: &str, params: Value) -> i64 {
        self.last += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params }));
        self.last
    }

    /// The whole answer to a request; what comes between is kept.
    fn wait(&mut self, id: &Value) -> Value {
        loop {
            let message = self.from.recv_timeout(PATIENCE).expect("an answer comes");
            if message["id"] == *id && message.get("method").is_none() {
                return message;
            }
            self.heard.push(message);
        }
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        let answer = self.wait(&id.into());
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    fn refused(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        self.wait(&id.into())["error"].clone()
    }

    fn open(&self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "mech", "version": 1, "text": text });
        self.note("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// The next diagnostics of a text.
    fn diagnostics(&mut self, uri: &str) -> Vec<Value> {
        let is_it = |one: &Value| one["method"] == "textDocument/publishDiagnostics" && one["params"]["uri"] == uri;
        let message = match self.heard.iter().position(is_it) {
            Some(at) => self.heard.remove(at),
            None => loop {
                let message = self.from.recv_timeout(PATIENCE).expect("diagnostics come");
                if is_it(&message) {
                    break message;
                }
                self.heard.push(message);
            },
        };
        message["params"]["diagnostics"].as_array().expect("a list").clone()
    }

    fn at(&mut self, method: &str, line: u32, character: u32) -> Value {
        self.ask(method, at(line, character))
    }

    /// Hover until the engine has looked at the text.
    fn hover(&mut self, line: u32, character: u32, words: &str) -> String {
        for _ in 0..2000 {
            let answer = self.at("textDocument/hover", line, character);
            let text = answer["contents"]["value"].as_str().unwrap_or("").to_owned();
            if text.contains(words) {
                return text;
            }
            thread::sleep(std::time::Duration::from_millis(5));
        }
        panic!("no hover says {words:?}: {}", self.at("textDocument/hover", line, character));
    }

    fn end(mut self) -> u8 {
        assert_eq!(self.ask("shutdown", Value::Null), Value::Null);
        self.note("exit", Value::Null);
        self.server.join().expect("the server does not panic")
    }
}

fn at(line: u32, character: u32) -> Value {
    json!({ "textDocument": { "uri": URI }, "position": { "line": line, "character": character } })
}

fn range(line: u32, from: u32, to: u32) -> Value {
    json!({ "start": { "line": line, "character": from }, "end": { "line": line, "character": to } })
}

const SWING: &str = "\
system \"A swing\"
param m = 2 kg, ℓ = 1
";

const BROKEN: &str = "\
system \"A swing, θ 𝜃\"
param m = 2 kg, l = 0.5 m, g = 9.81 m/s^2
coord θ : rad
point P = l*(sin(θ), -cos(θ)) mass mm
gravty (0, -g)
start θ = 0.5 rad
";

#[test]
fn a_broken_model_is_mended_asked_and_renamed() {
    let mut editor = Editor::begun();
    editor.open(URI, BROKEN);
    let wrong = editor.diagnostics(URI);
    let places: Vec<&Value> = wrong.iter().map(|one| &one["range"]).collect();
    assert_eq!(places, [&range(3, 35, 37), &range(4, 0, 6)], "{wrong:?}");
    assert!(wrong[1]["message"].as_str().unwrap().contains("did you mean `gravity`"));

    // hints become edits that are tried out before
    let document = json!({ "uri": URI });
    let asked = json!({ "textDocument": document, "range": range(4, 2, 2), "context": { "diagnostics": [] } });
    let actions = editor.ask("textDocument/codeAction", asked);
    assert_eq!(actions[0]["title"], "Write `gravity`");
    let edit = &actions[0]["edit"]["changes"][URI][0];
    let other = json!({ "range": range(3, 35, 37), "text": "m" });
    let changes = json!([{ "range": edit["range"], "text": edit["newText"] }, other]);
    editor.note(
        "textDocument/didChange",
        json!({ "textDocument": { "uri": URI, "version": 2 }, "contentChanges": changes }),
    );
    assert_eq!(editor.diagnostics(URI), Vec::<Value>::new());

    // hover: unit and value at the start; Greek letters count as one unit each
    let told = editor.hover(3, 17, "0.5 rad at the start");
    assert!(told.contains("coordinate, in rad") && told.contains("coord θ : rad"), "{told}");
    assert!(editor.hover(1, 6, "parameter").contains("2 kg"));

    // where it is declared, where it is used
    let declared = editor.at("textDocument/definition", 3, 17);
    assert_eq!(declared, json!({ "uri": URI, "range": range(2, 6, 7) }));
    let uses = editor.ask("textDocument/references", at(2, 6));
    assert_eq!(uses.as_array().unwrap().len(), 4);

    // renamed everywhere; what would collide is refused
    let mut wanted = at(5, 6);
    wanted["newName"] = "phi".into();
    let edits = editor.ask("textDocument/rename", wanted.clone())["changes"][URI].clone();
    let ranges: Vec<&Value> = edits.as_array().unwrap().iter().map(|one| &one["range"]).collect();
    assert_eq!(ranges, [&range(2, 6, 7), &range(3, 17, 18), &range(3, 26, 27), &range(5, 6, 7)]);
    for taken in ["l", "sin", "2x", "a b", ""] {
        wanted["newName"] = taken.into();
        assert_eq!(editor.refused("textDocument/rename", wanted.clone())["code"], -32803, "{taken}");
    }
    let prepared = editor.refused("textDocument/prepareRename", at(3, 14));
    assert!(prepared["message"].as_str().unwrap().contains("word of the language"), "{prepared}");

    // a verb is run
    let lenses = editor.ask("textDocument/codeLens", json!({ "textDocument": document }));
    let commands: Vec<&str> =
        lenses.as_array().unwrap().iter().filter_map(|one| one["command"]["command"].as_str()).collect();
    assert_eq!(commands, ["anholon.check", "anholon.derive", "anholon.prove"]);
    let ran = editor.ask("workspace/executeCommand", json!({ "command": commands[1], "arguments": [URI] }));
    assert_eq!(ran["code"], 0);
    assert!(ran["text"].as_str().unwrap().contains("l*theta'' = -g*sin(theta)"), "{ran}");
    let symbols = editor.ask("textDocument/documentSymbol", json!({ "textDocument": document }));
    let names: Vec<&str> = symbols.as_array().unwrap().iter().filter_map(|one| one["name"].as_str()).collect();
    assert_eq!(names, ["m", "l", "g", "theta", "P"]);
    assert_eq!(editor.end(), 0);
}

fn labels(answer: &Value) -> Vec<String> {
    let of = |one: &Value| one["label"].as_str().unwrap_or("").to_owned();
    answer.as_array().expect("a list").iter().map(of).collect()
}

#[test]
fn words_are_completed_where_they_may_stand() {
    let mut editor = Editor::begun();
    editor.open(URI, "param mass = 2 k\nco\ncoord x : m\npoint P = (x, ma\nlet later = 1 # \n");
    let completed =
        |editor: &mut Editor, line, character| labels(&editor.at("textDocument/completion", line, character));
    let keywords = completed(&mut editor, 1, 2);
    assert!(keywords.contains(&"coord".to_owned()) && !keywords.contains(&"kg".to_owned()));
    let units = completed(&mut editor, 0, 16);
    assert!(units.contains(&"kg".to_owned()) && !units.contains(&"mass".to_owned()));
    let names = completed(&mut editor, 3, 16);
    for word in ["mass", "x", "sin", "on"] {
        assert!(names.contains(&word.to_owned()), "{word} {names:?}");
    }
    assert!(!names.contains(&"later".to_owned()), "declared below");
    assert_eq!(completed(&mut editor, 4, 16), Vec::<String>::new());
    assert_eq!(editor.end(), 0);
}

#[test]
fn constraints_and_contacts_say_what_they_are() {
    let mut editor = Editor::begun();
    let text = anholon::library::example("rolling-disc-contact").unwrap().text;
    editor.open(URI, text);
    let line = text.lines().position(|line| line.starts_with("contact ")).expect("a contact") as u32;
    let told = editor.hover(line, 9, "stands for");
    for words in ["`ground.gap`: geometric", "nonholonomic", "constraint ground_slip2:"] {
        assert!(told.contains(words), "{words}: {told}");
    }
    assert_eq!(editor.end(), 0);
}

#[test]
fn texts_are_formatted_or_refused() {
    let mut editor = Editor::begun();
    editor.open(URI, "param  m=2 kg\ncoord x:m\npoint P=(x,0) mass m\n");
    let asked = json!({ "textDocument": { "uri": URI }, "options": {} });
    let edits = editor.ask("textDocument/formatting", asked.clone());
    let text = "param m = 2 kg\ncoord x : m\npoint P = (x, 0) mass m\n";
    assert_eq!(edits[0]["newText"], text);
    assert_eq!(edits[0]["range"]["end"], json!({ "line": 3, "character": 0 }));
    let change = json!({ "textDocument": { "uri": URI, "version": 2 }, "contentChanges": [{ "text": text }] });
    editor.note("textDocument/didChange", change);
    assert_eq!(editor.ask("textDocument/formatting", asked.clone()), json!([]));
    editor.open(URI, "param m = \n");
    assert_eq!(editor.refused("textDocument/formatting", asked)["code"], -32803);
    assert_eq!(editor.end(), 0);
}

#[test]
fn parts_are_found_in_their_files_and_what_the_engine_refuses_is_shown() {
    let mut editor = Editor::begun();
    editor.open(URI, "use \"wheel.mech\" as front\npoint P = (front.x, front.r) mass 1 kg\n");
    assert_eq!(editor.diagnostics(URI), Vec::<Value>::new());
    let declared = editor.at("textDocument/definition", 1, 24);
    assert_eq!(declared, json!({ "uri": "file:///models/wheel.mech", "range": range(0, 6, 7) }));
    // an open text comes before the file
    editor.open("file:///models/wheel.mech", "param q = 1 m\ncoord x : m\n");
    let wrong = editor.diagnostics(URI);
    assert!(wrong[0]["message"].as_str().unwrap().contains("front.r"), "{wrong:?}");

    let other = "file:///models/huge.mech";
    editor.open(other, "param a = 1e200, b = a*a\ncoord x : m\npoint P = (x, 0) mass b*1 kg\n");
    assert_eq!(editor.diagnostics(other), Vec::<Value>::new());
    let wrong = editor.diagnostics(other);
    assert_eq!(wrong[0]["range"], range(0, 17, 18), "{wrong:?}");
    assert!(wrong[0]["message"].as_str().unwrap().contains("no finite number"));

    // what only the check of constraints and start finds
    let third = "file:///models/row.mech";
    let text = "coord x, y : m\npoint P = (x, y) mass 1 kg\nconstraint a: x = y\nconstraint b: 2*x = 2*y\nstart x = 1 m, y = 2 m\n";
    editor.open(third, text);
    assert_eq!(editor.diagnostics(third), Vec::<Value>::new());
    let wrong = editor.diagnostics(third);
    let at_line = |line: u64| wrong.iter().filter(|one| one["range"]["start"]["line"] == line).count();
    assert!(at_line(3) >= 1 && at_line(2) + at_line(4) >= 1, "{wrong:?}");
    assert_eq!(editor.end(), 0);
}

#[test]
fn a_rename_changes_no_meaning() {
    let mut editor = Editor::begun();
    let text = "\
param n = 2, k = 1
coord a[1..n]
point P[i] = (k*a[i], 0) mass 1 for i in 1..n
constraint k: a[1] = a[2]
observe f = k*multiplier(k)
";
    editor.open(URI, text);
    let wanted = |line, character, new: &str| {
        let mut params = at(line, character);
        params["newName"] = new.into();
        params
    };
    let ranges = |answer: &Value| -> Vec<Value> {
        let edits = answer["changes"][URI].as_array().expect("edits");
        edits.iter().map(|one| one["range"].clone()).collect()
    };
    // the parameter and the label of this name are two things
    let parameter = editor.ask("textDocument/rename", wanted(4, 12, "c"));
    assert_eq!(ranges(&parameter), [range(0, 13, 14), range(2, 14, 15), range(4, 12, 13)]);
    let label = editor.ask("textDocument/rename", wanted(4, 25, "tie"));
    assert_eq!(ranges(&label), [range(3, 11, 12), range(4, 25, 26)]);
    // the index would take the place of the parameter
    let refused = editor.refused("textDocument/rename", wanted(0, 13, "i"));
    assert!(refused["message"].as_str().unwrap().contains("would mean something else"), "{refused}");
    assert_eq!(editor.end(), 0);
}

#[test]
fn what_is_cancelled_is_not_answered() {
    let mut editor = Editor::begun();
    let text = anholon::library::example("bicycle").unwrap().text;
    editor.open(URI, text);
    let run = json!({ "command": "anholon.prove", "arguments": [URI] });
    let id = editor.request("workspace/executeCommand", run);
    // the talk goes on meanwhile
    assert!(editor.at("textDocument/definition", 0, 0).is_null());
    editor.note("$/cancelRequest", json!({ "id": id }));
    assert_eq!(editor.wait(&id.into())["error"]["code"], -32800);
    assert_eq!(editor.end(), 0);
}

#[test]
fn hostile_messages_are_refused_and_the_talk_goes_on() {
    let mut editor = Editor::new();
    assert_eq!(editor.refused("textDocument/hover", at(0, 0))["code"], -32002);
    editor.ask("initialize", json!({}));
    editor.bytes(b"Content-Length: 4\r\n\r\n{\"a}");
    assert_eq!(editor.wait(&Value::Null)["error"]["code"], -32700);
    editor.bytes(b"Content-Length: 2\r\n\r\n[]");
    assert_eq!(editor.wait(&Value::Null)["error"]["code"], -32600);
    assert_eq!(editor.refused("textDocument/fly", json!({}))["code"], -32601);
    assert_eq!(editor.refused("textDocument/hover", at(0, 0))["code"], -32602);
    assert_eq!(editor.refused("textDocument/hover", json!(7))["code"], -32602);
    editor.open(URI, SWING);
    editor.diagnostics(URI);
    assert_eq!(editor.refused("textDocument/hover", json!({ "textDocument": { "uri": URI } }))["code"], -32602);
    // places outside, ranges that run backwards, texts that are no models
    assert!(editor.at("textDocument/hover", 4_000_000, 4_000_000).is_null());
    let mixed = json!({ "start": { "line": 1, "character": 9 }, "end": { "line": 0, "character": 99 } });
    for text in ["\u{0}((((", "param 𝜃'''' = [[[", "coord x : \"", "\r\r\n\n\u{feff}"] {
        let changes = json!([{ "range": mixed, "text": text }]);
        editor.note(
            "textDocument/didChange",
            json!({ "textDocument": { "uri": URI, "version": 3 }, "contentChanges": changes }),
        );
        for method in ["hover", "completion", "definition", "references"] {
            for character in 0..12 {
                editor.at(&format!("textDocument/{method}"), 1, character);
            }
        }
        editor.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": URI } }));
    }
    assert_eq!(editor.end(), 0);

    // a header that promises more than there will be ends it, without the room that it asks for
    let editor = Editor::new();
    editor.bytes(b"Content-Length: 18446744073709551615\r\n\r\n");
    drop(editor.to);
    assert_eq!(editor.server.join().expect("no panic"), 1);
}
