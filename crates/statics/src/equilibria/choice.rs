//! Which one-sided constraints are closed, and which rows act then?

use mechanics::Mode;
use mechanics::rows::{Row, Rows};
use proof::linear::{Matrix, rank};

use super::{Trouble, bad};
use engine::Loaded;

/// More one-sided constraints than this are taken as they stand at the start.
const MOST_ONE_SIDED: usize = 6;

/// Which one-sided constraints are closed, each as a place among the constraints with whether it is.
pub(crate) type Choice = Vec<(usize, bool)>;

/// All choices of closed one-sided constraints, fewest first.
pub fn choices(loaded: &Loaded, notes: &mut Vec<String>) -> Vec<Choice> {
    let system = &loaded.system;
    let one_sided: Vec<usize> =
        (0..system.constraints.len()).filter(|&place| system.constraints[place].is_one_sided()).collect();
    if one_sided.len() > MOST_ONE_SIDED {
        notes.push(format!(
            "{} one-sided constraints are more than {MOST_ONE_SIDED}: those that are closed at the start are taken as closed",
            one_sided.len()
        ));
        return vec![at_start(loaded)];
    }
    (0..1_usize << one_sided.len())
        .map(|bits| one_sided.iter().enumerate().map(|(k, &place)| (place, bits >> k & 1 == 1)).collect())
        .collect()
}

/// Which one-sided constraints are closed at the start.
pub fn at_start(loaded: &Loaded) -> Choice {
    let standing = loaded.system.constraints.iter().zip(&loaded.mode.standing).enumerate();
    let one_sided = standing.filter(|(_, (constraint, _))| constraint.is_one_sided());
    one_sided.map(|(place, (_, standing))| (place, standing.acts())).collect()
}

/// The mode with some one-sided constraints closed and the others open.
pub fn mode(loaded: &Loaded, choice: &Choice) -> Mode {
    let system = &loaded.system;
    let of = |is_closed: bool| choice.iter().filter(move |one| one.1 == is_closed).map(|one| one.0);
    let mut closed: Vec<usize> = of(true).collect();
    let open: Vec<usize> = of(false).collect();
    // no slip acts while its gap is closed
    let contact = |place: usize| mechanics::contact::contact_of(&system.constraints[place]);
    let slips = (0..system.constraints.len()).filter(|&place| system.constraints[place].while_closed);
    let slips: Vec<usize> = slips.filter(|&slip| closed.iter().any(|&gap| contact(gap) == contact(slip))).collect();
    closed.extend(slips);
    loaded.mode.closing(&closed).releasing(&open)
}

/// The rows that act in a mode.
pub fn rows(loaded: &Loaded, mode: &Mode) -> Result<Rows, Trouble> {
    let rows = Rows::of(&loaded.system, mode, &loaded.at).map_err(|error| {
        match engine::forms::rows(loaded, &loaded.mode, &loaded.at) {
            Err(told) => Trouble::Bad(told),
            Ok(_) => bad(&format!("the constraints cannot all be closed: {error:?}"), "`anholon check` says more"),
        }
    })?;
    engine::forms::linear(loaded, &rows).map_err(Trouble::Bad)?;
    Ok(geometric_first(rows))
}

/// The rows with as few geometric ones left out as can be: a row on rates implies no place, so it is the one to leave out.
fn geometric_first(mut rows: Rows) -> Rows {
    let is_geometric = |row: &Row| row.order == 0;
    if !rows.left_out.iter().any(is_geometric) || rows.list.iter().all(is_geometric) {
        return rows;
    }
    let mut all = std::mem::take(&mut rows.list);
    all.append(&mut rows.left_out);
    all.sort_by_key(|row| row.order);
    for row in all {
        let slopes: Vec<Vec<expr::Expr>> = rows.list.iter().chain([&row]).map(|row| row.A.clone()).collect();
        match rank(&Matrix::from_rows(&slopes)).rank == slopes.len() {
            true => rows.list.push(row),
            false => rows.left_out.push(row),
        }
    }
    rows
}
