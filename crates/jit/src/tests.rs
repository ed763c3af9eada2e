//! Random programs, compiled, against the same operations in Rust.

use crate::encode::Width;
use crate::{Code, Lanes, Program, Value, WIDE, sin_cos};

/// Numbers that are the same in every run.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % n as u64) as usize
    }

    fn float(&mut self) -> f64 {
        (self.below(2_000_001) as f64 - 1e6) * 3e-6
    }
}

extern "C" fn power(a: f64, b: f64) -> f64 {
    a.abs().powf(b)
}

const INPUTS: usize = 7;

/// A program and its values for some inputs: many values live at once.
fn drawn(draw: &mut Draw, length: usize, inputs: &[[f64; INPUTS]]) -> (Program, Vec<Vec<f64>>) {
    let mut program = Program::default();
    let mut made: Vec<(Value, Vec<f64>)> = Vec::new();
    for k in 0..INPUTS {
        made.push((program.read(k as u32), inputs.iter().map(|one| one[k]).collect()));
    }
    for number in [0.5, -3.0] {
        made.push((program.constant(number), vec![number; inputs.len()]));
    }
    for _ in 0..length {
        let [a, b, c] = [(); 3].map(|()| made[draw.below(made.len())].clone());
        let with = |f: fn(f64, f64) -> f64| a.1.iter().zip(&b.1).map(|(&a, &b)| f(a, b)).collect::<Vec<f64>>();
        match draw.below(11) {
            0 => made.push((program.add(a.0, b.0), with(|a, b| a + b))),
            1 => made.push((program.sub(a.0, b.0), with(|a, b| a - b))),
            2 | 3 => made.push((program.mul(a.0, b.0), with(|a, b| a * b))),
            4 => made.push((program.div(a.0, b.0), with(|a, b| a / b))),
            5 => {
                let size = program.abs(a.0);
                made.push((program.sqrt(size), with(|a, _| a.abs().sqrt())));
            }
            6 => made.push((program.negative(a.0), with(|a, _| -a))),
            7 => {
                let less = program.is_less(a.0, b.0);
                let chosen = (0..inputs.len()).map(|k| if a.1[k] < b.1[k] { c.1[k] } else { a.1[k] }).collect();
                made.push((program.choose(less, c.0, a.0), chosen));
            }
            8 => made.push((program.round(a.0), with(|a, _| a.round_ties_even()))),
            9 => made.push((program.call(power, a.0, b.0), with(|a, b| power(a, b)))),
            _ => {
                let (sin, cos, holds) = program.sin_cos(a.0);
                let zero = program.constant(0.0);
                let both: Vec<(f64, f64)> = a.1.iter().map(|&x| sin_cos(x)).collect();
                let in_range = |f: fn(&(f64, f64)) -> f64| {
                    both.iter()
                        .zip(&a.1)
                        .map(|(both, x)| if x.abs() <= crate::LARGEST { f(both) } else { 0.0 })
                        .collect()
                };
                made.push((program.choose(holds, sin, zero), in_range(|both| both.0)));
                made.push((program.choose(holds, cos, zero), in_range(|both| both.1)));
            }
        }
    }
    // most values are seen by others alone
    let seen: Vec<_> = made.into_iter().enumerate().filter(|(k, _)| k % 5 == 0).map(|one| one.1).collect();
    for (slot, (value, _)) in seen.iter().enumerate() {
        program.write((INPUTS + slot) as u32, *value);
    }
    (program, seen.into_iter().map(|one| one.1).collect())
}

fn same(found: f64, right: f64) -> bool {
    found.to_bits() == right.to_bits() || (found.is_nan() && right.is_nan())
}

#[test]
fn compiled_programs_give_the_bits_of_rust() {
    // write over a place on the stack that is still read, and this fails
    let mut draw = Draw(7);
    for round in 0..300 {
        let inputs: Vec<[f64; INPUTS]> = (0..WIDE).map(|_| [(); INPUTS].map(|()| draw.float())).collect();
        let (program, right) = drawn(&mut draw, 1 + round, &inputs);
        let Some(code) = Code::new(&program, Lanes::One) else { return };
        for (lane, input) in inputs.iter().enumerate() {
            let mut memory = input.to_vec();
            memory.resize(INPUTS + right.len(), 0.0);
            code.run(&mut memory);
            for (k, values) in right.iter().enumerate() {
                let found = memory[INPUTS + k];
                assert!(same(found, values[lane]), "round {round}, value {k}: {found:e} {:e}", values[lane]);
            }
        }
        // four floats at once, and eight where the processor can
        for width in [Width::Four, Width::Eight] {
            let Some(code) = Code::of_width(&program, width) else { continue };
            let mut memory = vec![[0.0; WIDE]; INPUTS + right.len()];
            for (k, slot) in memory[..INPUTS].iter_mut().enumerate() {
                *slot = std::array::from_fn(|lane| inputs[lane][k]);
            }
            code.run_wide(&mut memory);
            for (k, values) in right.iter().enumerate() {
                for lane in 0..WIDE {
                    assert!(same(memory[INPUTS + k][lane], values[lane]), "{width:?} {round}, value {k}, lane {lane}");
                }
            }
        }
    }
}

#[test]
fn values_that_nobody_writes_stay_in_registers_or_on_the_stack() {
    // a sum of products, forty alive at once
    let mut program = Program::default();
    let inputs: Vec<Value> = (0..40).map(|k| program.read(k)).collect();
    let squares: Vec<Value> = inputs.iter().map(|&x| program.mul(x, x)).collect();
    let mut sum = program.constant(0.0);
    for (&square, &x) in squares.iter().zip(inputs.iter().rev()) {
        let product = program.mul(square, x);
        sum = program.add(sum, product);
    }
    program.write(40, sum);
    let Some(code) = Code::new(&program, Lanes::One) else { return };
    let mut memory: Vec<f64> = (0..41).map(|k| f64::from(k) * 0.37).collect();
    let right = (0..40).fold(0.0, |sum, k| sum + memory[k] * memory[k] * memory[39 - k]);
    code.run(&mut memory);
    assert_eq!(memory[40], right);
}

#[test]
#[should_panic(expected = "memory for this code")]
fn memory_that_is_too_short_is_refused() {
    let mut program = Program::default();
    let x = program.read(3);
    program.write(9, x);
    match Code::new(&program, Lanes::One) {
        Some(code) => code.run(&mut [0.0; 9]),
        None => panic!("memory for this code"),
    }
}

#[test]
fn sums_of_products_side_by_side_are_those_of_four_lanes() {
    // another order of the lanes, or a four too few, and this fails
    let mut draw = Draw(5);
    for round in 0..40 {
        let (fours, length) = (1 + round % 7, 64);
        let mut memory: Vec<f64> = (0..length).map(|_| draw.float()).collect();
        let (a, b) = (draw.below(30), draw.below(30));
        let mut program = Program::default();
        let first = program.read(0);
        let twice = program.add(first, first);
        // what is written before is seen
        program.write(b as u32, twice);
        let sum = program.dot(a as u32, b as u32, fours as u32);
        let more = program.mul(sum, twice);
        program.write(62, sum);
        program.write(63, more);
        let Some(code) = Code::new(&program, Lanes::One) else { return };
        assert!(Code::new(&program, Lanes::Wide).is_none());
        let mut right = memory.clone();
        right[b] = right[0] + right[0];
        let lane = |lane: usize| {
            let terms = (0..fours).map(|four| right[a + 4 * four + lane] * right[b + 4 * four + lane]);
            terms.reduce(|sum, term| sum + term).unwrap_or(0.0)
        };
        let wanted = (lane(0) + lane(2)) + (lane(1) + lane(3));
        let twice = memory[0] + memory[0];
        code.run(&mut memory);
        assert!(same(memory[62], wanted) && same(memory[63], wanted * twice), "round {round}: {} {wanted}", memory[62]);
    }
}
