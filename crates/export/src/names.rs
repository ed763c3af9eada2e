//! What is a quantity of the model called in code?
//!
//! Letters, digits and `_`; `a[3]` is `a_3`, `q'` is `q_dot`. A name that is taken, or that means something in one of the
//! languages, gets a trailing `_`.

use std::collections::BTreeSet;

/// Words that some target reserves, or that exported code uses itself.
const RESERVED: &str = "
    alignas alignof and asm auto bool break case catch char class const constexpr continue default delete do double
    else enum explicit export extern false float for friend goto if inline int long mutable namespace new not nullptr
    operator or private protected public register restrict return short signed sizeof static static_assert struct
    switch template this thread_local throw true try typedef typename typeof union unsigned using virtual void volatile
    wchar_t while xor bitand bitor compl and_eq or_eq not_eq xor_eq concept requires decltype noexcept
    abstract as async await become box crate dyn final fn gen impl in let loop macro match mod move mut override priv
    pub ref self Self super trait type unsafe unsized use usize where yield f64 i32 str
    None True False assert def del elif except finally from global import is lambda nonlocal pass raise with
    np numpy math sympy sp print range len abs min max sum round list dict set map zip id
    baremodule begin elseif end function local module quote nothing missing im pi Inf NaN ans eps
    otherwise parfor persistent spmd classdef nargin nargout zeros ones eye size numel inf nan NA i j e
    t y p dy r J M h g u o y0 t0 n k row col matrix right multipliers lambda nominal start
    main sin cos tan asin acos atan sinh cosh tanh exp log fabs cbrt atan2 fmin fmax sqrt pow sign choose solve nthroot
    along_y along_p column consistent linear linear_p rhs_along start_values start_positions start_rates bring A B y0
    jnp jax ca casadi starting wish is_wished matrix_again right_again
    algorithm annotation block connect connector constant der discrete each elsewhen encapsulated enumeration equation
    expandable extends external flow initial inner input model outer output package parameter partial protected pure record
    redeclare replaceable stream then when within time
    rhs residual project events observe reactions inputs bias mass_matrix position_level velocity_level state_level
    row_drift row_rate row_value item_number switch_value mode
    printf std array vector isfinite HUGE_VAL INFINITY NAN EOF NULL errno signgam j0 j1 jn y1 yn gamma linux unix
    OVERFLOW UNDERFLOW DOMAIN SING I PI E N S O Q C S1 beta zeta diff Symbol Rational Integer Matrix Piecewise";

/// The names that are taken.
#[derive(Clone, Debug)]
pub struct Names(BTreeSet<String>);

impl Names {
    /// Nothing is taken but what is reserved.
    pub fn new() -> Names {
        Names(RESERVED.split_whitespace().map(str::to_owned).collect())
    }

    /// A name for something that the model calls `name`, differentiated `order` times.
    pub fn take(&mut self, name: &str, order: u32) -> String {
        let dots = ["", "_dot", "_ddot", "_dddot"];
        let mut word = identifier(name) + dots.get(order as usize).unwrap_or(&"_d");
        while !self.0.insert(word.clone()) {
            word.push('_');
        }
        word
    }
}

/// The letters and digits of a name, with `_` for the others.
pub fn identifier(name: &str) -> String {
    let allowed = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let word: String = name.trim_end_matches(']').chars().map(allowed).collect();
    let word = word.trim_end_matches('_');
    if word.starts_with(|c: char| c.is_ascii_alphabetic()) { word.to_owned() } else { format!("v{word}") }
}

/// The name of files and functions: the stem of the model's file as an identifier.
pub fn stem(file: &str) -> String {
    let last = file.rsplit(['/', '\\', ':']).next().unwrap_or(file);
    let word = identifier(last.split('.').next().unwrap_or(last)).to_lowercase();
    let is_reserved = RESERVED.split_whitespace().any(|one| one == word);
    if is_reserved { format!("{word}_model") } else { word }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_identifiers_of_their_own() {
        let mut names = Names::new();
        let taken = [("a[3]", 0), ("a_3", 0), ("theta", 1), ("int", 0), ("lambda", 0), ("3x", 2)];
        let taken = taken.map(|(name, order)| names.take(name, order));
        assert_eq!(taken, ["a_3", "a_3_", "theta_dot", "int_", "lambda_", "v3x_ddot"]);
        assert_eq!(["gallery:two-rods", "x/My.Plant.mech", "for.mech"].map(stem), ["two_rods", "my", "for_model"]);
    }
}
