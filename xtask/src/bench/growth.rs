//! How do the costs grow with the number of links? Both sides at sizes from 1 to 400.

use plot::Column;

use super::peers::{Programs, median};

/// The sizes.
const SIZES: [usize; 9] = [1, 2, 5, 10, 20, 50, 100, 200, 400];
/// How often each side works at each size.
const ROUNDS: usize = 3;
/// A side that takes longer than this for one unit of work is not asked for larger sizes, in seconds.
const SLOW: f64 = 5.0;

/// A chart: its file, its title, and costs in seconds by size.
pub struct Curve {
    pub file: &'static str,
    pub title: &'static str,
    pub sizes: Vec<f64>,
    pub columns: Vec<Column>,
}

impl Curve {
    /// The picture.
    pub fn svg(&self) -> String {
        let n = Column { name: "links n".to_owned(), unit: String::new(), values: self.sizes.clone() };
        plot::growth(self.title, &n, &self.columns)
    }
}

/// Both charts.
pub fn curves(programs: &Programs) -> Vec<Curve> {
    let derive = [("ours", "", SIZES.len()), ("CasADi SX", "casadi", SIZES.len())];
    // gcc -O3 takes minutes from 50 links on
    let accelerations = [
        ("ours", "", SIZES.len()),
        ("CasADi C", "casadi", 5),
        ("Pinocchio", "pinocchio", SIZES.len()),
        ("MuJoCo", "mujoco", SIZES.len()),
    ];
    vec![
        curve(programs, "growth-derive", "Mass matrix and forcing of a cart with n links", "derive", &derive),
        curve(
            programs,
            "growth-accelerations",
            "Accelerations of a cart with n links, one state",
            "qdd",
            &accelerations,
        ),
    ]
}

fn curve(
    programs: &Programs,
    file: &'static str,
    title: &'static str,
    work: &str,
    sides: &[(&str, &str, usize)],
) -> Curve {
    let column = |(name, tool, count): &(&str, &str, usize)| {
        let mut values = vec![f64::NAN; SIZES.len()];
        for (value, &n) in values.iter_mut().zip(&SIZES).take(*count) {
            *value = cost(programs, work, tool, n).unwrap_or(f64::NAN);
            println!("{work} {name} n = {n}: {value:.3e} s");
            if value.is_nan() || *value > SLOW {
                break;
            }
        }
        Column { name: (*name).to_owned(), unit: "CPU seconds".to_owned(), values }
    };
    Curve { file, title, sizes: SIZES.iter().map(|&n| n as f64).collect(), columns: sides.iter().map(column).collect() }
}

fn cost(programs: &Programs, work: &str, tool: &str, n: usize) -> Result<f64, String> {
    let side = if tool.is_empty() { programs.our_side(work, n) } else { programs.their_side(work, tool, n) };
    let mut side = side?;
    let times: Result<Vec<f64>, String> = (0..ROUNDS).map(|_| side.work()).collect();
    Ok(median(times?))
}
