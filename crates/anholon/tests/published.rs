//! Is docs/published.md what an audit of published equations says today?
//!
//! `UPDATE_SNAPSHOTS=1 cargo test -p anholon --test published` writes the page; read it before you keep it.

mod ask;

use std::fmt::Write;
use std::path::Path;

use anholon::answer::{Audited, ClaimVerdict};
use anholon::library::{CLAIMS, GALLERY};
use anholon::{Alone, Claims, Settings, open};

/// A published statement: the file of claims that writes it down, where it stands, and what must be known to read it.
type Published = (&'static str, &'static str, &'static str);

const TZENOFF: &str = "I. Tzenoff, equations of motion from the second derivative of the kinetic energy, 1953";
const ROMANOV: &str = "Romanov, equivalence of equations of motion for linear nonholonomic systems, 1974";
const QIU: &str = "Qiu Rong, first-order nonlinear nonholonomic constraints, quasi-coordinates and variable mass, 1997";
const ZEGZHDA: &str =
    "Zegzhda, Naumova, Soltakhanov and Yushkov, the Udwadia–Kalaba equation and those of Lagrange and Maggi, 2015";
const NOTES: &str = "Lecture notes on constrained dynamics and statics, in Russian, without author or year";
const SYMPY: &str = "SymPy, sympy/physics/mechanics/tests";
const LANDAU: &str = "Landau and Lifshitz, Mechanics";

/// Works, and what of each was audited. Long: a table.
const WORKS: &[(&str, &[Published])] = &[
    (
        TZENOFF,
        &[
            ("tzenoff-operators", "(8), and Nielsen's operator beside it", "For any kinetic energy and any forces."),
            (
                "tzenoff-identities",
                "(4) to (7), (9), R, (13), with the dots that the print has lost",
                "For any coordinates, forces and one linear constraint; `T0` stands for the second derivative of T with the velocities in it held.",
            ),
            ("tzenoff-four-printed", "(4) as printed", "The print has Ṁ M̈ where Ṁ M⃛ belongs."),
            ("tzenoff-nine-printed", "(9) as printed", "The print has ∂Ṫ₀/∂q̈ where ∂T̈₀/∂q̈ belongs."),
            ("tzenoff-r-printed", "R = ½(T̈ − 3T₀) after (10), as printed", "T₀ has lost two dots."),
            (
                "euler-work-sign",
                "(16) as printed",
                "Its function K has + before the work of the moments; these are the equations that follow.",
            ),
        ],
    ),
    (
        ROMANOV,
        &[
            (
                "dobronravov-pair",
                "the example of Dobronravov, Chaplygin's equations",
                "Once said to contradict Appell's.",
            ),
            (
                "voronets-right",
                "(1.9), Voronets's equations",
                "For any two particles, potential and rheonomic constraint.",
            ),
            ("voronets-printed", "(1.9) as printed", "∂T/∂q where the momentum ∂T/∂q̇ belongs."),
        ],
    ),
    (
        QIU,
        &[
            ("qiu-22", "(22), corrected", "For any particle, force and constraint."),
            ("qiu-22-printed", "(22) as printed", "∂r̈/∂q̇ where ∂ṙ/∂q belongs."),
            ("qiu-commuting", "the proof of (27)", "The conclusion is true, this step of its proof is not."),
            ("qiu-32", "(32), corrected", "For any constraint z' = f."),
            ("qiu-32-printed", "(32) as printed", "T* and q̇ have lost their dots."),
            ("cone-right", "(41), corrected", "The velocity on a cone, in the quasi-velocities (35)."),
            ("cone-lost-dot", "(41) as printed", "m π̈₂ π̇₁ where m π̇₂ π̈₁ belongs."),
            ("qiu-53", "(53), corrected", "The same system."),
            ("qiu-53-printed", "(53) as printed", "π̇₁ in the denominator, where π̇₂ belongs."),
        ],
    ),
    (
        ZEGZHDA,
        &[
            (
                "program-direction",
                "(3.4) as printed",
                "The reaction along ∂f/∂q̇ instead of ∂f/∂q̈, for a program of the acceleration.",
            ),
            ("program-mass", "B in (4.1) as printed", "The factor M before the Christoffel symbols is missing."),
            (
                "zegzhda-43",
                "(4.3)",
                "It inverts E = M (g − aᵀBᵀg); for any mass matrix and constraint, two coordinates.",
            ),
        ],
    ),
    (
        NOTES,
        &[
            ("line-forces", "5.2", "A point on a straight line: accelerations and reactions."),
            ("ellipsoid-force", "5.4", "A point on an ellipsoid: the pressure, by the short formula."),
            ("great-circle-printed", "5.5, the last equations as printed", "A factor m too many."),
            (
                "sled-reaction",
                "5.7, the reaction of the blade",
                "The value on one of two points, read as that on the sled.",
            ),
            ("wedge-printed", "8.1, the last formula as printed", "g is missing."),
            ("pulleys-printed", "8.3, (8.7)", "Two fixed pulleys and a movable one."),
            (
                "rod-mass-printed",
                "8.5, with the mass of its text",
                "The text calls the mass of the rod m, the formulas M.",
            ),
            ("rods-rest-printed", "11.4", "The notes list one equilibrium; all four are right."),
        ],
    ),
    (
        SYMPY,
        &[
            ("sympy-disc-kane", "test_kane.py, test_rolling_disc", "In yaw, lean and spin; there in u1, u2, u3."),
            (
                "sympy-disc-lagrange",
                "test_lagrange.py, test_rolling_disc, also in the tutorial",
                "Rolling is put into the energy, and Lagrange's method applied to three angles.",
            ),
            (
                "sympy-disc-place",
                "test_lagrange.py and test_kane.py, the place of the centre",
                "The centre is located r L.z from a point whose velocity is 0, and its velocity is set to another value than the rate of that place.",
            ),
            ("sympy-double-pendulum", "test_lagrange.py, test_dub_pen", ""),
        ],
    ),
    (LANDAU, &[("landau-double-pendulum", "section 5, problem 1", ""), ("landau-cart", "section 5, problem 2", "")]),
];

#[test]
fn the_page_of_published_derivations_is_what_an_audit_says() {
    // change a verdict, an explanation or a claim, and this fails
    let path = &Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs")).join("published.md");
    let page = page();
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(path, &page).unwrap();
    }
    let written = std::fs::read_to_string(path).unwrap_or_default();
    let differs = written.lines().zip(page.lines()).find(|(old, new)| old != new);
    assert!(written == page, "docs/published.md is not what an audit says: {differs:?}");
}

fn page() -> String {
    let mut page = String::new();
    let entries: Vec<&Published> = WORKS.iter().flat_map(|(_, list)| list.iter()).collect();
    let audits: Vec<Entry> = entries.iter().map(|one| entry(one)).collect();
    let right = audits.iter().filter(|one| one.verdict.is_correct()).count();
    writeln!(
        page,
        "# Published derivations, audited\n\n{} statements of papers, books, notes and tests of other tools, right and wrong, each with the verdict of \
         `anholon audit`. The page is made by running it\n(`UPDATE_SNAPSHOTS=1 cargo test -p anholon --test published`), so it says what the program says. Equations are quoted, texts are not; \
         sources stand in full in\n[sources.md](sources.md). `'` is the rate, and what a letter means is in the model (`anholon gallery show NAME`).\n\n\
         {right} are right, {} are not. Certificates are replayed by `anholon verify`: *replayed* means that the checker accepted every verdict of\nthe entry that can be certified.\n",
        audits.len(),
        audits.len() - right
    )
    .unwrap();
    let mut audits = audits.into_iter();
    for (work, list) in WORKS {
        writeln!(page, "## {work}\n").unwrap();
        for (_, place, remark) in *list {
            let entry = audits.next().unwrap();
            writeln!(page, "### {place}: {}\n", entry.verdict).unwrap();
            if !remark.is_empty() {
                writeln!(page, "{remark}\n").unwrap();
            }
            page.push_str(&entry.text);
        }
    }
    page
}

/// What the page says of one statement.
struct Entry {
    verdict: ClaimVerdict,
    text: String,
}

fn entry((name, ..): &Published) -> Entry {
    let file = CLAIMS.iter().find(|file| file.name == *name).unwrap_or_else(|| panic!("there are no claims `{name}`"));
    let model = GALLERY.iter().find(|example| example.name == file.model).unwrap();
    let mut settings = Settings::gallery(file.model).unwrap();
    settings.with.push((format!("gallery:{name}"), file.text.to_owned()));
    let loaded = open(&settings).unwrap_or_else(|error| panic!("{name}: {error}"));
    let wanted = Claims { certificate: true, ..Claims::default() };
    let found = anholon::audit(&loaded, &wanted, &mut Alone).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut text = format!("`anholon audit gallery:{} gallery:{name}` ({})\n\n```text\n", file.model, model.title());
    let lines = file.text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.for_each(|line| writeln!(text, "{line}").unwrap());
    text.push_str("```\n\n");
    for claim in &found.claims {
        writeln!(text, "- `{}`: **{}**.{}", claim.name, claim.verdict, said(claim)).unwrap();
    }
    writeln!(text, "\n{}\n", certificate(&loaded, found.certificate.unwrap())).unwrap();
    Entry { verdict: found.verdict, text }
}

/// What was found of a claim, on one line.
fn said(claim: &Audited) -> String {
    let words = [&claim.reason, &claim.explanation].into_iter().flatten().filter(|one| !one.is_empty());
    let mut text: String = words.map(|one| format!(" {one}")).collect();
    if let (Some(witness), None) = (&claim.witness, &claim.explanation) {
        write!(text, " Left minus right is {} at a state that the audit shows.", anholon::decimal(witness.residual))
            .unwrap();
    }
    text
}

/// Whether the checker accepts the verdicts.
fn certificate(loaded: &anholon::Model, file: Result<anholon::answer::AuditFile, String>) -> String {
    let file = match file {
        Ok(file) => file,
        Err(reason) => return format!("No certificate: {reason}."),
    };
    let certificate = serde_json::to_string(&file).unwrap();
    let replayed = anholon::verify(loaded, &anholon::Replay { certificate }, &mut Alone).unwrap();
    assert_eq!(replayed.reason, None);
    let without: Vec<String> = file.without.iter().map(|(name, why)| format!(" Not of `{name}`: {why}.")).collect();
    format!("Certificate: replayed.{}", without.concat())
}
