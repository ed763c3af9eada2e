//! Do shells and readers of manuals get what they can use? The scripts are loaded, the pages read.

mod common;

use std::process::Command;

use common::{File, anholon, says, text};

#[test]
fn bash_loads_its_script_and_completes_verbs_and_options() {
    let script = text(&anholon(&["completions", "bash"]));
    let file = File::with("complete.bash", &script);
    let ask = |words: &[&str]| {
        let (count, all) = (words.len() - 1, words.join(" "));
        let (last, before) = (words[count], words[count - 1]);
        let line = format!(
            "source {}; COMP_WORDS=({all}); COMP_CWORD={count}; _anholon anholon {last} {before}; echo \"${{COMPREPLY[@]}}\"",
            file.path()
        );
        let output = Command::new("bash").args(["--norc", "-c", &line]).output().expect("bash is here");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert_eq!(ask(&["anholon", "simpl"]).trim(), "simplify");
    assert_eq!(ask(&["anholon", "derive", "--matr"]).trim(), "--matrices");
}

#[test]
fn every_shell_has_a_script_and_others_are_refused() {
    for (shell, word) in
        [("zsh", "#compdef anholon"), ("fish", "complete -c anholon"), ("powershell", "Register-ArgumentCompleter")]
    {
        says(&["completions", shell], 0, &[word, "equilibria"]);
    }
    says(&["completions", "tcsh"], 2, &["possible values"]);
    says(&["completions", "bash", "--json"], 2, &["leave out `--json`"]);
}

#[test]
fn manual_pages_are_written_for_every_verb() {
    let folder = File::new("man");
    let answer = common::json(&["man", folder.path()]);
    let files = answer["files"].as_array().expect("a list");
    assert!(files.iter().any(|file| file == "anholon-derive.1") && files.len() > 20, "{answer}");
    let page = std::fs::read_to_string(format!("{}/anholon-derive.1", folder.path())).unwrap();
    assert!(page.contains(".TH anholon-derive") && page.contains("matrices"), "{page:.400}");
    std::fs::remove_dir_all(folder.path()).unwrap();
    let file = File::with("taken", "");
    says(&["man", file.path()], 2, &["cannot write manual pages into"]);
}

#[test]
fn the_language_server_talks_over_standard_streams() {
    use std::io::{Read, Write};
    use std::process::Stdio;
    let mut server = Command::new(env!("CARGO_BIN_EXE_anholon"));
    let mut server = server.args(["lsp", "--stdio"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = server.stdin.take().unwrap();
    for message in [
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#,
        r#"{"jsonrpc":"2.0","method":"exit"}"#,
    ] {
        write!(input, "Content-Length: {}\r\n\r\n{message}", message.len()).unwrap();
    }
    let mut answers = String::new();
    server.stdout.take().unwrap().read_to_string(&mut answers).unwrap();
    assert!(answers.contains("hoverProvider") && answers.contains("\"id\":2"), "{answers}");
    assert_eq!(server.wait().unwrap().code(), Some(0));
    says(&["lsp", "--json"], 2, &["leave out `--json`"]);
}
