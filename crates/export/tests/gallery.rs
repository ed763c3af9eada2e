//! Exported code of the gallery compiles, and agrees with `evaluate`.
//!
//! Every export carries a test with Anholon's numbers at ten states, half of them with other parameters. Here these
//! tests are compiled and run, all models of a language together.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use engine::{Alone, GALLERY, Settings};
use export::{Compute, Export, Exported, Fmi, Parameters, Target, What};

/// A directory that goes when the test does.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("anholon-export-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn write(&self, made: &Exported) {
        made.files.iter().for_each(|file| std::fs::write(self.0.join(&file.name), &file.text).unwrap());
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Models whose equations change on the way; the reason is named.
const REFUSED: [(&str, &str); 16] = [
    ("billiard-ball", "rough contact"),
    ("bouncing-ball", "one-sided"),
    ("caught-rod", "switched"),
    ("locking-elbow", "switched"),
    ("painleve-rod", "one-sided"),
    ("rocking-block", "one-sided"),
    ("rough-dumb-bell", "one-sided"),
    ("rough-incline", "one-sided"),
    ("rough-ring", "rough contact"),
    ("sliding-ladder", "one-sided"),
    ("sphere-on-incline", "one-sided"),
    ("taut-rope", "one-sided"),
    ("parabola", "one-sided"),
    ("table-edge", "one-sided"),
    ("rhombus", "no value"),
    ("thread-on-sphere", "no value"),
];

fn everything(target: Target) -> Export {
    Export { what: What::All, ..Export::to(target) }
}

/// All models that can be exported, as files in a folder; the stems.
fn gallery(target: Target, folder: &Folder) -> Vec<String> {
    let mut stems = Vec::new();
    for example in GALLERY.iter().filter(|example| !example.is_theorem()) {
        let Ok(loaded) = engine::load(&Settings::gallery(example.name).unwrap()) else { continue };
        match export::export(&loaded, &everything(target), &mut Alone) {
            Ok(made) => {
                folder.write(&made);
                stems.push(made.files[0].name.split('.').next().unwrap().to_owned());
            }
            Err(error) => assert!(is_expected(example.name, &error.to_string()), "{}: {error}", example.name),
        }
    }
    assert!(stems.len() > 30, "{} models", stems.len());
    stems
}

fn is_expected(name: &str, error: &str) -> bool {
    REFUSED.contains(&(name, reason(error)))
}

fn reason(error: &str) -> &str {
    ["one-sided", "switched", "rough contact", "no value"]
        .into_iter()
        .find(|word| error.contains(word))
        .unwrap_or(error)
}

fn run(command: &mut Command, folder: &Path) -> Output {
    let output = command.current_dir(folder).output().unwrap();
    let texts = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
    assert!(output.status.success(), "{command:?}\n{}", texts.concat());
    output
}

#[test]
fn c_of_the_gallery_agrees() {
    let folder = Folder::new("c");
    let stems = gallery(Target::C, &folder);
    let options = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-Wconversion", "-ffp-contract=off"];
    for stem in &stems {
        let file = format!("{stem}_test.c");
        let (source, test) = (format!("{stem}.c"), std::fs::read_to_string(folder.0.join(&file)).unwrap());
        // the tables of one test have the names of another's: each test is a file of its own
        std::fs::write(
            folder.0.join(&file),
            test.replace("int main(void)", &format!("int main_{stem}(void);\nint main_{stem}(void)")),
        )
        .unwrap();
        run(Command::new("cc").args(options).args(["-c", &source, &file]), &folder.0);
    }
    let heads: String = stems.iter().map(|stem| format!("int main_{stem}(void);\n")).collect();
    let calls: Vec<String> = stems.iter().map(|stem| format!("main_{stem}()")).collect();
    std::fs::write(
        folder.0.join("all.c"),
        format!("{heads}int main(void)\n{{\n    return {};\n}}\n", calls.join(" + ")),
    )
    .unwrap();
    let objects = stems.iter().flat_map(|stem| [format!("{stem}.o"), format!("{stem}_test.o")]);
    run(Command::new("cc").arg("all.c").args(objects).args(["-lm", "-o", "all"]), &folder.0);
    run(&mut Command::new("./all"), &folder.0);
}

#[test]
fn cpp_of_the_gallery_agrees() {
    let folder = Folder::new("cpp");
    let stems = gallery(Target::Cpp, &folder);
    let mut all = String::new();
    for stem in &stems {
        // one file for all: the tables of each test in a namespace of its own
        let test = std::fs::read_to_string(folder.0.join(format!("{stem}_test.cpp"))).unwrap();
        let (head, rest) = test.split_once("using std::printf;").unwrap();
        let rest = rest.replace("int main()", "static int run()");
        all += &format!("{head}namespace test_{stem} {{\nusing std::printf;{rest}}}\n");
    }
    let calls: Vec<String> = stems.iter().map(|stem| format!("test_{stem}::run()")).collect();
    all += &format!("int main()\n{{\n    return {};\n}}\n", calls.join(" + "));
    std::fs::write(folder.0.join("all.cpp"), all).unwrap();
    let options = ["-std=c++17", "-pedantic", "-Wall", "-Wextra", "-Werror", "-Wconversion"];
    run(Command::new("c++").args(options).args(["all.cpp", "-o", "all"]), &folder.0);
    run(&mut Command::new("./all"), &folder.0);
}

#[test]
fn rust_of_the_gallery_agrees() {
    let folder = Folder::new("rust");
    let stems = gallery(Target::Rust, &folder);
    let modules: String =
        stems.iter().map(|stem| format!("#[path = \"{stem}_test.rs\"]\nmod {stem}_test;\n")).collect();
    let calls: String = stems.iter().map(|stem| format!("    {stem}_test::main();\n")).collect();
    for stem in &stems {
        let file = folder.0.join(format!("{stem}_test.rs"));
        let test = std::fs::read_to_string(&file).unwrap().replace("\nfn main()", "\npub fn main()");
        std::fs::write(&file, test).unwrap();
    }
    std::fs::write(folder.0.join("all.rs"), format!("{modules}fn main() {{\n{calls}}}\n")).unwrap();
    run(Command::new("rustc").args(["--edition", "2021", "-D", "warnings", "all.rs"]), &folder.0);
    run(&mut Command::new("./all"), &folder.0);
}

/// Runs every Python test. Where a package is not installed, a stand-in of the few functions that are used takes its
/// place: it computes with plain floats, and knows nothing of the models.
fn python(target: Target, name: &str, package: &str, stand_in: &str) {
    let folder = Folder::new(name);
    let stems = gallery(target, &folder);
    let has = Command::new("python3").args(["-c", &format!("import {package}")]).output().unwrap().status.success();
    if !has {
        std::fs::write(folder.0.join("numpy.py"), include_str!("stand_in/numpy.py")).unwrap();
        std::fs::write(folder.0.join(format!("{package}.py")), stand_in).unwrap();
    }
    let list: Vec<String> = stems.iter().map(|stem| format!("\"{stem}_test\"")).collect();
    let all = format!(
        "import runpy, sys\nwrong = 0\nfor name in [{}]:\n    try:\n        runpy.run_module(name)\n    \
         except SystemExit as end:\n        wrong += int(end.code or 0)\nsys.exit(wrong)\n",
        list.join(", ")
    );
    std::fs::write(folder.0.join("all.py"), all).unwrap();
    run(Command::new("python3").arg("all.py"), &folder.0);
}

#[test]
fn numpy_of_the_gallery_agrees() {
    python(Target::NumPy, "numpy", "numpy", include_str!("stand_in/numpy.py"));
}

#[test]
fn sympy_of_the_gallery_agrees() {
    python(Target::SymPy, "sympy", "sympy", include_str!("stand_in/sympy.py"));
}

/// Its mass matrix is singular without the row that keeps the norm of the quaternion.
const QUATERNION: &str = r#"system "Body turned by a quaternion"
param m = 1.3 kg, g = 9.81 m/s^2, J = 0.02 kg*m^2
coord x, y, z : m
coord e0, e1, e2, e3 : 1
frame B = N quaternion (e0, e1, e2, e3)
body D mass m at (x, y, z) frame B inertia (J, 2*J, 2.5*J)
gravity (0, 0, -g)
start e0 = 1, e1 = 0, e2 = 0, e3 = 0, omega(D) = (0.3 rad/s, 2 rad/s, 0.1 rad/s), z' = 1 m/s
"#;

/// The right-hand side in symbols, with numbers put in afterwards; the stand-in has no symbols.
const IN_SYMBOLS: &str = "
import sys
import body_sympy as model
if not hasattr(model.sp, 'Basic'):
    sys.exit(0)
values = {one: model.sp.Float(0.3 + 0.17*k) for k, one in enumerate(model.y + model.p)}
found = [x.subs(values) for x in model.rhs()]
there = model.rhs(model.sp.Float(0), [values[one] for one in model.y], [values[one] for one in model.p])
sys.exit(int(bool(max(abs(a - b) for a, b in zip(found, there)) > 1e-10)))
";

#[test]
fn sympy_of_a_body_turned_by_a_quaternion_agrees() {
    let loaded = engine::load(&Settings::new("body.mech", QUATERNION)).unwrap();
    let folder = Folder::new("quaternion");
    folder.write(&export::export(&loaded, &everything(Target::SymPy), &mut Alone).unwrap());
    if !Command::new("python3").args(["-c", "import sympy"]).output().unwrap().status.success() {
        std::fs::write(folder.0.join("numpy.py"), include_str!("stand_in/numpy.py")).unwrap();
        std::fs::write(folder.0.join("sympy.py"), include_str!("stand_in/sympy.py")).unwrap();
    }
    std::fs::write(folder.0.join("symbols.py"), IN_SYMBOLS).unwrap();
    run(Command::new("python3").arg("body_sympy_test.py"), &folder.0);
    run(Command::new("python3").arg("symbols.py"), &folder.0);
}

#[test]
fn julia_of_the_gallery_agrees() {
    let folder = Folder::new("julia");
    let stems = gallery(Target::Julia, &folder);
    // Julia itself is not asked: a reader of the tests runs the text
    std::fs::write(folder.0.join("julia.py"), include_str!("tools/julia.py")).unwrap();
    run(Command::new("python3").arg("julia.py").args(stems.iter().map(|stem| format!("{stem}_test.jl"))), &folder.0);
}

#[test]
fn the_sources_of_units_compile() {
    let options = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-Wconversion", "-fsyntax-only"];
    for (name, fmi) in [("sled", Fmi::Two), ("four-bar", Fmi::Three), ("rheonomic-knife", Fmi::Two)] {
        let folder = Folder::new(&format!("unit-{name}"));
        std::fs::create_dir_all(folder.0.join("sources")).unwrap();
        let loaded = engine::load(&Settings::gallery(name).unwrap()).unwrap();
        let made = export::export(&loaded, &Export { fmi, ..Export::to(Target::Fmu) }, &mut Alone).unwrap();
        folder.write(&made);
        run(Command::new("cc").args(options).args(made.pack.unwrap().sources), &folder.0);
    }
}

#[test]
fn a_number_of_elements_cannot_be_set() {
    let chain = engine::load(&Settings::gallery("chain").unwrap()).unwrap();
    let made = export::export(&chain, &Export::to(Target::Fmu), &mut Alone).unwrap();
    let line = |name: &str| made.files[0].text.lines().find(|line| line.contains(name)).unwrap().to_owned();
    assert!(
        line("Float64 name=\"n\"").contains("constant") && line("Float64 name=\"m\"").contains("tunable"),
        "{}",
        line("Float64 name=\"n\"")
    );
}

#[test]
fn a_unit_has_no_parts_to_choose() {
    let sled = engine::load(&Settings::gallery("sled").unwrap()).unwrap();
    let refused = |wanted: Export| export::export(&sled, &wanted, &mut Alone).unwrap_err().to_string();
    assert!(refused(Export { what: What::Residual, ..Export::to(Target::Fmu) }).contains("nothing to choose"));
    assert!(refused(Export { parameters: Parameters::Fixed, ..Export::to(Target::Fmu) }).contains("cannot be fixed"));
}

/// Names that languages, or the code itself, use for something else; an input with a law; a start that is not at t = 0.
const ODD: &str = r#"system "Odd \"names\" */ and <signs>"
param A = 2 kg, int = 0.5 m, lambda = 9.81 m/s^2, p = 0.2 N*s/m, matrix = 3 N/m
coord time, y : m
input u : N = -p*time' + 0.1*A*lambda*cos(3 1/s*t)
point end = (time, y) mass A
gravity (0, -lambda)
force (u, 0) on end
force (0, -matrix*y) on end
start t = 1 s, time = 0.1 m, y = 0.3 m, y' = abs(int)/1 s
observe energy_of_it = A*lambda*y
stop far when time >= 5 m
"#;

#[test]
fn names_may_be_words_of_the_languages() {
    let loaded = engine::load(&Settings::new("for.mech", ODD)).unwrap();
    let folder = Folder::new("odd");
    let options = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-Wconversion"];
    folder.write(&export::export(&loaded, &everything(Target::C), &mut Alone).unwrap());
    run(Command::new("cc").args(options).args(["for_model.c", "for_model_test.c", "-lm", "-o", "odd"]), &folder.0);
    run(&mut Command::new("./odd"), &folder.0);
    folder.write(&export::export(&loaded, &everything(Target::Cpp), &mut Alone).unwrap());
    run(Command::new("c++").args(["-std=c++17", "-Wall", "-Werror", "for_model_test.cpp", "-o", "odd"]), &folder.0);
    run(&mut Command::new("./odd"), &folder.0);
    std::fs::create_dir_all(folder.0.join("sources")).unwrap();
    let made = export::export(&loaded, &Export::to(Target::Fmu), &mut Alone).unwrap();
    folder.write(&made);
    let sources = made.pack.as_ref().unwrap().sources.clone();
    run(Command::new("cc").args(options).arg("-fsyntax-only").args(sources), &folder.0);
}

/// States of first order with a constraint, an input that follows one of them, and a start by a parameter.
const CARRIAGE: &str = r#"system "Carriage on a rail, drawn by a motor with a current"
param m = 2 kg, R = 1.5, L = 0.2 s, k = 3 N, b = 0.4 N*s/m, s0 = 0.3 m, c = 0.7 1/m, w = 2 1/s
coord x, y : m
state i, heat : 1
input u : 1 = cos(w*t) - 0.1*i
rate i' = (u - R*i - x'*c*0.1 s)/L
rate heat' = R*i^2/(1 s) - heat*w + sin(x*c)*w
point P = (x, y) mass m
gravity (0, -9.81 m/s^2)
constraint rail: y = s0*sin(x*c)
force (k*i - b*x'*(1 + heat^2), 0) on P
observe grows = heat'
start x = 0.2 m, x' = 0.5 m/s, i = 0.1, heat = c*(2 m)
"#;

#[test]
fn states_of_first_order_follow_the_rates() {
    let loaded = engine::load(&Settings::new("carriage.mech", CARRIAGE)).unwrap();
    let folder = Folder::new("carriage");
    let made = export::export(&loaded, &everything(Target::C), &mut Alone).unwrap();
    folder.write(&made);
    assert!(made.files[0].text.contains("dy[5] = heat' [1/s]"), "{}", made.files[0].text);
    let options = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-Wconversion"];
    run(Command::new("cc").args(options).args(["carriage.c", "carriage_test.c", "-lm", "-o", "test"]), &folder.0);
    run(&mut Command::new("./test"), &folder.0);
    let text = |target| export::export(&loaded, &Export::to(target), &mut Alone).unwrap().files[0].text.clone();
    let described = text(Target::Fmu);
    for line in [r#"name="heat" valueReference="6""#, r#"name="der(heat)" valueReference="10""#] {
        assert!(described.contains(line), "{line} in {described}");
    }
    assert!(described.contains(r#"unit="1/s" derivative="6""#), "{described}");
    assert!(text(Target::Modelica).contains("der(heat) = "));
    // the engine's own function has the same state
    let wanted = Compute { what: "rhs".to_owned(), form: None, parameters: Vec::new() };
    let rhs = export::compute(&loaded, &wanted).unwrap();
    assert_eq!(rhs.state, ["x", "y", "x'", "y'", "i", "heat"]);
    assert_eq!(rhs.outputs[4..], ["i'", "heat'"]);
}

#[test]
fn modelica_has_types_with_units_and_keeps_events() {
    let text = "param Force = 2 N, l = 0.8 m, m = 1 kg\ncoord phi : rad\npoint P = l*(sin(phi), -cos(phi)) mass m\n\
                force (0, -Force) on P\nobserve load = Force\nrecord lowest when phi = 0\nrecord event_0_time when phi' > 0\nstart phi = 1 rad\n";
    let loaded = engine::load(&Settings::new("swing.mech", text)).unwrap();
    let written = export::export(&loaded, &Export::to(Target::Modelica), &mut Alone).unwrap().files[0].text.clone();
    for line in [
        "  type Length = Real(final quantity = \"Length\", final unit = \"m\");",
        "  parameter Length l = 0.8;",
        "  Angle phi(start = 1.0, fixed = true, stateSelect = StateSelect.prefer);",
        // a name of the model stays what it is: there is no type of that name
        "  parameter Real Force(unit = \"N\") = 2.0;",
        "  output Real load(unit = \"N\") \"load [N]\";",
        "  when {event_0 > 0.0, event_0 < 0.0} then\n    event_0_time = time;\n    event_0_count = pre(event_0_count) + 1;\n  end when;",
        "  when event_1 > 0.0 then\n    event_1_time = time;",
    ] {
        assert!(written.contains(line), "{line} in {written}");
    }
    assert!(!written.contains("type Force"), "{written}");
}

#[test]
fn forms_in_independent_rates_have_slopes() {
    for form in ["kane", "maggi"] {
        let loaded = engine::load(&Settings::gallery("sled").unwrap()).unwrap();
        let wanted = Export { what: What::Linear, form: Some(form.to_owned()), ..Export::to(Target::C) };
        let made = export::export(&loaded, &wanted, &mut Alone).unwrap();
        let folder = Folder::new(&format!("slopes-{form}"));
        folder.write(&made);
        run(Command::new("cc").args(["-std=c99", "sled.c", "sled_test.c", "-lm", "-o", "test"]), &folder.0);
        run(&mut Command::new("./test"), &folder.0);
    }
}

#[test]
fn a_wrong_number_is_found() {
    let folder = Folder::new("wrong");
    let sled = engine::load(&Settings::gallery("sled").unwrap()).unwrap();
    let mut made = export::export(&sled, &everything(Target::C), &mut Alone).unwrap();
    let source = made.files.iter_mut().find(|file| file.name == "sled.c").unwrap();
    assert!(source.text.contains("dy[4] = "), "{}", source.text);
    source.text = source.text.replace("dy[4] = ", "dy[4] = 1e-9 + ");
    folder.write(&made);
    run(Command::new("cc").args(["-std=c99", "sled.c", "sled_test.c", "-lm", "-o", "sled"]), &folder.0);
    let output = Command::new("./sled").current_dir(&folder.0).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("sled: rhs differs at state 0"));
}
