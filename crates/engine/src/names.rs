//! What does a reader call the symbols that formalisms make for themselves?

use expr::{Expr, Kind, Substitution, Symbol};
use mechanics::steps::variation;

/// The expression with names for a reader in place of our own: `p_x` for the momentum of x, `δx` for a virtual
/// displacement or velocity, `x_0'` for a rate that is held.
pub fn public(e: Expr) -> Expr {
    let named = e.symbols().into_iter().filter_map(|own| {
        let symbol = own.as_symbol()?;
        let (base, what) = symbol.name.split_once('@')?;
        let mut name = match what {
            "momentum" | "cyclic" => format!("p_{base}"),
            "virtual" | "delta" => {
                return Some((own, variation(&format!("{base}{}", "'".repeat(symbol.order as usize)))));
            }
            // a rate that is held
            "frozen" => format!("{base}_0"),
            _ => base.to_owned(),
        };
        let order = u32::from(what == "frozen");
        while expr::kind_of(&name).is_some_and(|kind| kind != Kind::Parameter) {
            name.push('_');
        }
        Some((own, expr::symbol(Symbol { order, ..Symbol::new(&name, Kind::Parameter) })))
    });
    let named: Substitution = named.collect();
    if named.is_empty() { e } else { named.apply_one(e).unwrap_or(e) }
}
