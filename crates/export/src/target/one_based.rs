//! What MATLAB and Julia share: places are counted from 1, matrices have two places.

use std::fmt::Write;

use crate::unit::Unit;
use crate::value::{Answer, Part, Routine, Sort, Step};
use crate::write::{Language, double, text};

/// What the two differ in.
pub struct Dialect<'a> {
    /// How values are written.
    pub language: &'a dyn Language,
    /// Around a place: `(` and `)`.
    pub brackets: [&'static str; 2],
    /// Behind a statement.
    pub end: &'static str,
    /// What makes a list of zeros.
    pub zeros: fn(usize) -> String,
}

impl Dialect<'_> {
    fn place(&self, array: &str, k: usize) -> String {
        format!("{array}{}{}{}", self.brackets[0], k + 1, self.brackets[1])
    }

    /// The place of an entry of a matrix that is stored row by row.
    fn entry(&self, answer: &Answer, k: usize) -> String {
        match is_matrix(answer) {
            false => self.place(answer.array, k),
            true => {
                let [open, close] = self.brackets;
                format!("{}{open}{}, {}{close}", answer.array, k / answer.columns + 1, k % answer.columns + 1)
            }
        }
    }

    /// An array of zeros for an answer.
    fn room(&self, answer: &Answer) -> String {
        match is_matrix(answer) {
            false => (self.zeros)(answer.rows),
            true => format!("zeros({}, {})", answer.rows, answer.columns),
        }
    }

    /// The statements of a routine.
    pub fn statements(&self, unit: &Unit, routine: &Routine) -> String {
        let (end, mut out) = (self.end, String::new());
        if let Sort::Columns(of, part) = routine.sort {
            return self.columns(unit, &routine.answers[0], of, part);
        }
        let [state, parameters] = unit.inputs();
        let mut read = |array: &str, names: &[&str], suffix: &str| {
            for (k, name) in names.iter().enumerate() {
                let name = format!("{name}{suffix}");
                if routine.mentions(&name) {
                    let fixed = array == "p" && !unit.takes_parameters;
                    let from = if fixed { double(unit.parameters[k].value) } else { self.place(array, k) };
                    let _ = writeln!(out, "    {name} = {from}{end}");
                }
            }
        };
        read("y", &state, "");
        read("p", &parameters, "");
        if let Sort::Along(suffix) = &routine.sort {
            read("along_y", &state, suffix);
            read("along_p", if unit.takes_parameters { &parameters } else { &[] }, suffix);
        }
        for answer in &routine.answers {
            let _ = writeln!(out, "    {} = {}{end}", answer.array, self.room(answer));
        }
        routine.steps.iter().for_each(|step| self.step(&mut out, routine, step));
        out
    }

    fn step(&self, out: &mut String, routine: &Routine, step: &Step) {
        let (end, [open, close]) = (self.end, self.brackets);
        match step {
            Step::Let(name, value) => {
                let _ = writeln!(out, "    {name} = {}{end}", text(value, self.language));
            }
            Step::Put(array, k, value) => {
                let answer = routine.answers.iter().find(|one| one.array == *array).expect("it is an answer");
                let _ = writeln!(out, "    {} = {}{end}", self.entry(answer, *k), text(value, self.language));
            }
            Step::Solve { matrix, right, unknowns, .. } => {
                let n = right.len();
                let _ = write!(out, "    matrix = zeros({n}, {n}){end}\n    right = {}{end}\n", (self.zeros)(n));
                for (i, row) in matrix.iter().enumerate() {
                    for (j, value) in row.iter().enumerate().filter(|one| !is_zero(one.1)) {
                        let value = text(value, self.language);
                        let _ = writeln!(out, "    matrix{open}{}, {}{close} = {value}{end}", i + 1, j + 1);
                    }
                }
                for (i, value) in right.iter().enumerate().filter(|one| !is_zero(one.1)) {
                    let _ = writeln!(out, "    right{open}{}{close} = {}{end}", i + 1, text(value, self.language));
                }
                let _ = writeln!(out, "    right = matrix \\ right{end}");
                for (k, name) in unknowns.iter().enumerate().filter(|one| !one.1.is_empty()) {
                    let _ = writeln!(out, "    {name} = {}{end}", self.place("right", k));
                }
            }
        }
    }

    /// One direction after the other.
    fn columns(&self, unit: &Unit, answer: &Answer, of: &str, part: Part) -> String {
        let (end, [open, close], colon) = (self.end, self.brackets, ":");
        let along = if part == Part::State { "along_y" } else { "along_p" };
        let of = if end.is_empty() { of.to_owned() } else { format!("{}_{of}", unit.stem) };
        let mut out = format!("    {} = zeros({}, {}){end}\n", answer.array, answer.rows, answer.columns);
        let _ = write!(
            out,
            "    for j = 1:{}\n        along_y = {}{end}\n        along_p = {}{end}\n        {along}{open}j{close} = 1.0{end}\n        \
             {}{open}{colon}, j{close} = {of}(t, y, p, along_y, along_p){end}\n    end\n",
            answer.columns,
            (self.zeros)(unit.size()),
            (self.zeros)(unit.parameters.len()),
            answer.array,
        );
        out
    }
}

fn is_matrix(answer: &Answer) -> bool {
    answer.columns > 1 || matches!(answer.array, "J" | "M" | "A" | "B")
}

fn is_zero(value: &crate::value::Value) -> bool {
    matches!(value, crate::value::Value::Number(number) if number.is_zero())
}
