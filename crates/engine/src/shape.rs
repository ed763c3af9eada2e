//! How are values that are written put into vectors, matrices and equations?

use expr::{Expr, Formula, Op};

use crate::letters::{Letters, Runs, letters};

/// A formula without the element around it.
pub fn of(formula: &Formula) -> Letters {
    let inside = formula.mathml.split_once('>').map_or("", |(_, rest)| rest).trim_end_matches("</math>");
    Letters { text: formula.text.clone(), latex: formula.latex.clone(), mathml: inside.to_owned() }
}

/// A name for a value.
pub fn equal(name: &str, value: &Letters) -> Letters {
    let name = letters(name, Runs::Names);
    Letters {
        text: format!("{} = {}", name.text, value.text),
        latex: format!("{} = {}", name.latex, value.latex),
        mathml: format!("{}<mo>=</mo>{}", name.mathml, value.mathml),
    }
}

/// A vector, and the axes along which it is.
pub fn vector(entries: &[Letters], axes: &str) -> Letters {
    let all =
        |of: fn(&Letters) -> &String, between: &str| entries.iter().map(of).cloned().collect::<Vec<_>>().join(between);
    let (words, spaced) =
        (axes.trim(), if axes.is_empty() { String::new() } else { format!(r" \quad \text{{{}}}", axes.trim()) });
    Letters {
        text: format!("({}){axes}", all(|one| &one.text, ", ")),
        latex: format!(r"\left({}\right){spaced}", all(|one| &one.latex, r",\; ")),
        mathml: format!(
            "<mrow><mo>(</mo>{}<mo>)</mo></mrow><mtext> {words}</mtext>",
            all(|one| &one.mathml, "<mo>,</mo>")
        ),
    }
}

/// A matrix by its entries, row by row.
pub fn matrix(rows: usize, entries: &[Letters]) -> Letters {
    let columns = entries.len().checked_div(rows).unwrap_or(0).max(1);
    let lines: Vec<&[Letters]> = entries.chunks(columns).collect();
    let row = |line: &&[Letters], of: fn(&Letters) -> &String, between: &str| {
        line.iter().map(of).cloned().collect::<Vec<_>>().join(between)
    };
    let all = |of: fn(&Letters) -> &String, between: &str, after: &str| {
        lines.iter().map(|line| row(line, of, between)).collect::<Vec<_>>().join(after)
    };
    let cell = |one: &Letters| format!("<mtd>{}</mtd>", one.mathml);
    let table: String =
        lines.iter().map(|line| format!("<mtr>{}</mtr>", line.iter().map(cell).collect::<String>())).collect();
    Letters {
        text: format!("[{}]", all(|one| &one.text, ", ", "; ")),
        latex: format!(r"\begin{{pmatrix}} {} \end{{pmatrix}}", all(|one| &one.latex, " & ", r" \\ ")),
        mathml: format!("<mrow><mo>(</mo><mtable>{table}</mtable><mo>)</mo></mrow>"),
    }
}

/// A value in brackets, if it is a sum or begins with a sign.
pub fn in_brackets(value: Expr, one: &Letters) -> Letters {
    if value.op() != Op::Sum && !one.text.starts_with('-') {
        return one.clone();
    }
    Letters {
        text: format!("({})", one.text),
        latex: format!(r"\left({}\right)", one.latex),
        mathml: format!("<mrow><mo>(</mo>{}<mo>)</mo></mrow>", one.mathml),
    }
}

/// An equation.
pub fn between(left: &Letters, right: &Letters) -> Letters {
    Letters {
        text: format!("{} = {}", left.text, right.text),
        latex: format!("{} = {}", left.latex, right.latex),
        mathml: format!("{}<mo>=</mo>{}", left.mathml, right.mathml),
    }
}
