//! Who asked what? Messages are answered in their order; what takes long runs beside, and can be stopped.

use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use anholon::Settings;
use serde_json::{Value, json};
use syntax::Span;

use crate::document::{Document, path_of};
use crate::insight::{Insight, Until, insight};
use crate::outline::COMMANDS;
use crate::wire::{self, Incoming};
use crate::{complete, diagnose, hover, names, outline};

// the codes of the protocol
const NO_JSON: i64 = -32700;
const NO_REQUEST: i64 = -32600;
const NO_METHOD: i64 = -32601;
const BAD_PARAMS: i64 = -32602;
const BROKEN: i64 = -32603;
const NOT_STARTED: i64 = -32002;
const FAILED: i64 = -32803;
const CANCELLED: i64 = -32800;

/// So many verbs run at a time.
const MOST_RUNNING: usize = 4;
/// A thread that works on a model has so much stack.
const STACK: usize = 64 << 20;

/// What the server hears.
enum Event {
    Read(Incoming),
    Ran(Value, Result<Value, Refusal>),
    Found(String, u64, Insight),
}

type Refusal = (i64, String);

fn refused(text: impl Into<String>) -> Refusal {
    (FAILED, text.into())
}

/// Talks to an editor until it says `exit` or the input ends; the exit code that the protocol asks for.
///
/// `read` gives the text of a file that a model uses; a text that is open comes first.
pub fn serve(
    mut input: impl BufRead + Send + 'static,
    output: &mut dyn Write,
    read: &dyn Fn(&str) -> Option<String>,
) -> u8 {
    let (sender, receiver) = channel();
    let reader = sender.clone();
    thread::spawn(move || {
        loop {
            let message = wire::read(&mut input);
            let is_end = matches!(message, Incoming::End(_));
            if reader.send(Event::Read(message)).is_err() || is_end {
                return;
            }
        }
    });
    let server = Server {
        output,
        read,
        sender,
        open: BTreeMap::new(),
        inbox: VecDeque::new(),
        running: Vec::new(),
        works: 0,
        has_begun: false,
        is_over: false,
    };
    server.talk(&receiver)
}

struct Server<'a> {
    output: &'a mut dyn Write,
    read: &'a dyn Fn(&str) -> Option<String>,
    sender: Sender<Event>,
    open: BTreeMap<String, Document>,
    /// What was read and not yet answered.
    inbox: VecDeque<Event>,
    /// Verbs at work: the request, and the wish to stop.
    running: Vec<(Value, Arc<AtomicBool>)>,
    /// How many insights were begun.
    works: u64,
    has_begun: bool,
    is_over: bool,
}

impl Server<'_> {
    fn talk(mut self, receiver: &Receiver<Event>) -> u8 {
        loop {
            if self.inbox.is_empty() {
                self.tell_news();
                let Ok(event) = receiver.recv() else { return 1 };
                self.inbox.push_back(event);
            }
            self.inbox.extend(receiver.try_iter());
            let Some(event) = self.inbox.pop_front() else { continue };
            match event {
                Event::Read(Incoming::End(_)) => return self.end(),
                Event::Read(Incoming::Wrong(why)) => self.refuse(&Value::Null, NO_JSON, &why),
                Event::Read(Incoming::Message(message)) => {
                    if message["method"] == "exit" {
                        return self.end();
                    }
                    self.hear(&message);
                }
                Event::Ran(id, outcome) => self.ran(&id, outcome),
                Event::Found(uri, work, found) => self.found(&uri, work, found),
            }
        }
    }

    /// Stops what runs; 0 if the editor said `shutdown` before.
    fn end(&mut self) -> u8 {
        self.running.iter().for_each(|(_, stop)| stop.store(true, Ordering::Relaxed));
        self.open.values().for_each(Document::stop);
        u8::from(!self.is_over)
    }

    fn send(&mut self, message: &Value) {
        // an editor that has gone away ends its side of the input too
        let _ = wire::write(self.output, message);
    }

    fn notify(&mut self, method: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn refuse(&mut self, id: &Value, code: i64, why: &str) {
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": why } }));
    }

    fn reply(&mut self, id: &Value, outcome: Result<Value, Refusal>) {
        match outcome {
            Ok(result) => self.send(&json!({ "jsonrpc": "2.0", "id": id, "result": result })),
            Err((code, why)) => self.refuse(id, code, &why),
        }
    }

    /// A message: a request has an `id`, a notification has none; what has no method answers a request, and we made none.
    fn hear(&mut self, message: &Value) {
        let Some(method) = message["method"].as_str().map(str::to_owned) else {
            let is_answer = message.get("result").is_some() || message.get("error").is_some();
            if !is_answer {
                self.refuse(&message["id"], NO_REQUEST, "this is no request: it names no `method`");
            }
            return;
        };
        let params = &message["params"];
        let id = message.get("id").filter(|id| id.is_string() || id.is_number()).cloned();
        let worked = catch_unwind(AssertUnwindSafe(|| match &id {
            None => self.note(&method, params),
            Some(id) => self.answer(id, &method, params),
        }));
        if let (Err(_), Some(id)) = (worked, id) {
            self.refuse(&id, BROKEN, "this question broke the server's thought; it goes on with the next");
        }
    }

    fn note(&mut self, method: &str, params: &Value) {
        let uri = params["textDocument"]["uri"].as_str().unwrap_or("").to_owned();
        let version = params["textDocument"]["version"].as_i64().unwrap_or(0);
        match method {
            "textDocument/didOpen" => {
                let text = params["textDocument"]["text"].as_str().unwrap_or("").to_owned();
                let document = self.with_files(|read| Document::new(&uri, version, text, read));
                self.open.insert(uri, document);
                self.read_users();
            }
            "textDocument/didChange" => {
                let Some(mut document) = self.open.remove(&uri) else { return };
                let changes = params["contentChanges"].as_array().cloned().unwrap_or_default();
                self.with_files(|read| document.change(version, &changes, read));
                self.open.insert(uri, document);
                self.read_users();
            }
            "textDocument/didClose" => {
                if let Some(document) = self.open.remove(&uri) {
                    document.stop();
                    self.notify("textDocument/publishDiagnostics", &json!({ "uri": uri, "diagnostics": [] }));
                }
            }
            "$/cancelRequest" => {
                let running = self.running.iter().filter(|(id, _)| *id == params["id"]);
                running.for_each(|(_, stop)| stop.store(true, Ordering::Relaxed));
            }
            _ => {}
        }
    }

    /// Reads texts that use others anew: one of those may have changed.
    fn read_users(&mut self) {
        let users = self.open.values().filter(|one| !model::used(&one.file, &one.text).is_empty());
        let users: Vec<String> = users.map(|one| one.uri.clone()).collect();
        for uri in users {
            if let Some(mut document) = self.open.remove(&uri) {
                self.with_files(|read| document.read(read));
                self.open.insert(uri, document);
            }
        }
    }

    /// Works with a reader of files that sees open texts first.
    fn with_files<T>(&self, work: impl FnOnce(&mut dyn FnMut(&str) -> Option<String>) -> T) -> T {
        work(&mut |file| {
            let open = self.open.values().find(|one| one.file == file).map(|one| one.text.clone());
            open.or_else(|| (self.read)(file))
        })
    }

    fn answer(&mut self, id: &Value, method: &str, params: &Value) {
        let is_cancelled = self.inbox.iter().any(|event| match event {
            Event::Read(Incoming::Message(later)) => {
                later["method"] == "$/cancelRequest" && later["params"]["id"] == *id
            }
            _ => false,
        });
        if is_cancelled {
            return self.refuse(id, CANCELLED, "cancelled");
        }
        match method {
            "initialize" => {
                self.has_begun = true;
                self.reply(id, Ok(capabilities()));
            }
            _ if !self.has_begun => self.refuse(id, NOT_STARTED, "`initialize` comes first"),
            "shutdown" => {
                self.is_over = true;
                self.reply(id, Ok(Value::Null));
            }
            _ if self.is_over => self.refuse(id, NO_REQUEST, "nothing but `exit` comes after `shutdown`"),
            "workspace/executeCommand" => self.run(id, params),
            _ => {
                let outcome = self.asked(method, params);
                self.reply(id, outcome);
            }
        }
    }

    /// A question about a text. Long: a table.
    fn asked(&self, method: &str, params: &Value) -> Result<Value, Refusal> {
        let uri = params["textDocument"]["uri"].as_str().unwrap_or("");
        let document = self.open.get(uri);
        let of_text = || document.ok_or_else(|| (BAD_PARAMS, format!("the text `{uri}` is not open")));
        let at = |document: &Document| {
            let offset = document.lines.read(&document.text, &params["position"]);
            offset.ok_or_else(|| (BAD_PARAMS, "`position` has no `line` and `character`".to_owned()))
        };
        match method {
            "textDocument/hover" => {
                let document = of_text()?;
                Ok(hover::hover(document, at(document)?).unwrap_or(Value::Null))
            }
            "textDocument/completion" => {
                let document = of_text()?;
                Ok(complete::complete(document, at(document)?).into())
            }
            "textDocument/definition" => {
                let document = of_text()?;
                Ok(names::definition(document, at(document)?).unwrap_or(Value::Null))
            }
            "textDocument/references" => {
                let document = of_text()?;
                let all = params["context"]["includeDeclaration"].as_bool().unwrap_or(true);
                Ok(names::references(document, at(document)?, all).into())
            }
            "textDocument/prepareRename" => {
                let document = of_text()?;
                let name = names::renamable(document, at(document)?).map_err(refused)?;
                Ok(document.range(name.span))
            }
            "textDocument/rename" => {
                let document = of_text()?;
                let new = params["newName"].as_str().unwrap_or("");
                names::rename(document, at(document)?, new).map_err(refused)
            }
            "textDocument/formatting" => formatted(of_text()?),
            "textDocument/documentSymbol" => Ok(outline::symbols(of_text()?).into()),
            "textDocument/codeLens" => Ok(outline::lenses(of_text()?).into()),
            "textDocument/codeAction" => {
                let document = of_text()?;
                let place = |end: &str| document.lines.read(&document.text, &params["range"][end]);
                let (Some(start), Some(end)) = (place("start"), place("end")) else {
                    return Err((BAD_PARAMS, "`range` has no `start` and `end`".to_owned()));
                };
                let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
                Ok(diagnose::actions(document, Span::new(offset(start), offset(end))).into())
            }
            _ => Err((NO_METHOD, format!("`{method}` is not known here"))),
        }
    }

    /// Runs a verb on an open text, beside the talk.
    fn run(&mut self, id: &Value, params: &Value) {
        let command = params["command"].as_str().unwrap_or("");
        let Some((verb, ..)) = COMMANDS.iter().find(|(_, one, _)| *one == command) else {
            return self.refuse(id, BAD_PARAMS, &format!("there is no command `{command}`"));
        };
        let uri = params["arguments"][0].as_str().unwrap_or("");
        let Some(document) = self.open.get(uri) else {
            return self.refuse(id, BAD_PARAMS, &format!("the text `{uri}` is not open"));
        };
        if self.running.len() >= MOST_RUNNING {
            return self.refuse(id, FAILED, &format!("{MOST_RUNNING} questions are being worked on: cancel one"));
        }
        let (settings, stop) = (document.settings(), Arc::new(AtomicBool::new(false)));
        let (sender, wish, request) = (self.sender.clone(), Arc::clone(&stop), id.clone());
        let work = move || {
            let outcome = catch_unwind(|| asked(verb, &settings, &wish));
            let outcome = outcome.unwrap_or_else(|_| Err((BROKEN, format!("`{verb}` broke off"))));
            // nobody listens after the end
            let _ = sender.send(Event::Ran(request, outcome));
        };
        match thread::Builder::new().stack_size(STACK).spawn(work) {
            Ok(_) => self.running.push((id.clone(), stop)),
            Err(error) => self.refuse(id, FAILED, &format!("no thread for it: {error}")),
        }
    }

    fn ran(&mut self, id: &Value, outcome: Result<Value, Refusal>) {
        self.running.retain(|(one, _)| one != id);
        if let Ok(answer) = &outcome {
            let kind = if answer["code"] == 0 { 3 } else { 2 };
            self.notify("window/logMessage", &json!({ "type": kind, "message": answer["text"] }));
        }
        self.reply(id, outcome);
    }

    /// Tells what is wrong with texts that changed, and lets the engine look at those that can be read.
    fn tell_news(&mut self) {
        let unheard: Vec<String> = self.open.values().filter(|one| one.is_unheard).map(|one| one.uri.clone()).collect();
        for uri in unheard {
            let Some(document) = self.open.get_mut(&uri) else { continue };
            document.is_unheard = false;
            self.publish(&uri);
            self.look(&uri);
        }
    }

    fn publish(&mut self, uri: &str) {
        let Some(document) = self.open.get(uri) else { return };
        let list = diagnose::all(document);
        let params = json!({ "uri": uri, "version": document.version, "diagnostics": list });
        self.notify("textDocument/publishDiagnostics", &params);
    }

    /// Begins to find out more about a text, unless somebody still works on an older one.
    fn look(&mut self, uri: &str) {
        let Some(document) = self.open.get_mut(uri) else { return };
        if document.busy.is_some() || document.parsed.model.is_none() || !document.is_model() {
            return;
        }
        let (stop, settings) = (Arc::new(AtomicBool::new(false)), document.settings());
        let bare = without_facts(document);
        let (sender, wish) = (self.sender.clone(), Arc::clone(&stop));
        self.works += 1;
        let (uri, number) = (uri.to_owned(), self.works);
        let work = move || {
            let found = catch_unwind(|| insight(&settings, bare, &wish)).unwrap_or_default();
            // nobody listens after the end
            let _ = sender.send(Event::Found(uri, number, found));
        };
        if thread::Builder::new().stack_size(STACK).spawn(work).is_ok() {
            document.busy = Some((number, stop));
        }
    }

    /// Takes an insight; one into an older text is dropped, and a new one begun.
    fn found(&mut self, uri: &str, work: u64, found: Insight) {
        let Some(document) = self.open.get_mut(uri) else { return };
        let Some((_, stop)) = document.busy.take_if(|(number, _)| *number == work) else { return };
        if stop.load(Ordering::Relaxed) {
            return self.look(uri);
        }
        let has_news = !(found.errors.is_empty() && found.remarks.is_empty() && found.findings.is_empty());
        document.insight = Some(Arc::new(found));
        if has_news {
            self.publish(uri);
        }
    }
}

/// What the server can do.
fn capabilities() -> Value {
    let commands: Vec<&str> = COMMANDS.iter().map(|(_, command, _)| *command).collect();
    json!({
        "capabilities": {
            "positionEncoding": "utf-16",
            "textDocumentSync": { "openClose": true, "change": 2 },
            "hoverProvider": true,
            "completionProvider": {},
            "definitionProvider": true,
            "referencesProvider": true,
            "renameProvider": { "prepareProvider": true },
            "documentFormattingProvider": true,
            "documentSymbolProvider": true,
            "codeActionProvider": { "codeActionKinds": ["quickfix"] },
            "codeLensProvider": {},
            "executeCommandProvider": { "commands": commands },
        },
        "serverInfo": { "name": "anholon", "version": env!("CARGO_PKG_VERSION") },
    })
}

/// One edit that makes the text canonical; none if it is.
fn formatted(document: &Document) -> Result<Value, Refusal> {
    let text = anholon::format(&document.file, &document.text).map_err(|error| refused(ask::shown(error.message())))?;
    if text == document.text {
        return Ok(json!([]));
    }
    let end = u32::try_from(document.text.len()).unwrap_or(u32::MAX);
    Ok(json!([{ "range": document.range(Span::new(0, end)), "newText": text }]))
}

/// A verb asked of a model: its page and its exit code.
fn asked(verb: &str, settings: &Settings, stop: &AtomicBool) -> Result<Value, Refusal> {
    let told = |error: anholon::Error| refused(ask::shown(error.to_string().trim_end()));
    let model = anholon::open(settings).map_err(told)?;
    let asked = ask::ask(&model, verb, &json!({}), &mut Until(stop));
    if stop.load(Ordering::Relaxed) {
        return Err((CANCELLED, "cancelled".to_owned()));
    }
    let asked = asked.map_err(told)?;
    Ok(json!({ "verb": verb, "file": path_of(&settings.file), "code": asked.code, "text": asked.text }))
}

/// The text with its facts and claims as comments: they would take a motion to judge.
fn without_facts(document: &Document) -> String {
    let mut text = document.text.clone();
    let lines = document.parsed.model.iter().flat_map(|model| &model.lines);
    let facts = lines.filter(|line| matches!(line.declaration.keyword(), "expect" | "claim"));
    let mut spans: Vec<Span> =
        facts.map(|line| line.span).filter(|span| document.parsed.sources.is_first(*span)).collect();
    spans.sort_by_key(|span| std::cmp::Reverse(span.start));
    for span in spans {
        let range = span.start as usize..span.end as usize;
        let Some(fact) = text.get(range.clone()) else { continue };
        let blank: String = fact.chars().map(|c| if matches!(c, '\n' | '\r') { c } else { ' ' }).collect();
        text.replace_range(range, &blank.replacen(' ', "#", 1));
    }
    text
}
