//! Straight-line programs on floats, compiled to machine code in memory; one state or eight at a time.
//!
//! ```text
//! Program: value ← value op value        every value is made once; slots of memory are read and written
//! Program → registers → bytes → Code     run on memory: one float a slot, or eight side by side
//! ```
//!
//! Compiled code gives the bits that the same operations give in Rust, one after the other: no fused or reordered
//! arithmetic. Where the processor is another, [`Code::new`] gives nothing, and the caller runs its own program.
//!
//! ```
//! use jit::{Code, Lanes, Program};
//! let mut program = Program::default();
//! let (x, y) = (program.read(0), program.read(1));
//! let sum = program.add(x, y);
//! let root = program.sqrt(sum);
//! program.write(2, root);
//! if let Some(code) = Code::new(&program, Lanes::One) {
//!     let mut memory = [9.0, 16.0, 0.0];
//!     code.run(&mut memory);
//!     assert_eq!(memory[2], 5.0);
//! }
//! ```

mod circular;
#[cfg(all(target_arch = "x86_64", unix))]
mod encode;
mod memory;
// programs are written everywhere, and read only where they can be compiled
#[cfg_attr(not(all(target_arch = "x86_64", unix)), allow(dead_code))]
mod program;
#[cfg(all(target_arch = "x86_64", unix))]
mod registers;
#[cfg(all(test, target_arch = "x86_64", unix))]
mod tests;

/// Whether there is a compiler for this kind of processor at all.
pub const IS_HERE: bool = cfg!(all(target_arch = "x86_64", unix));

pub use circular::{LARGEST, sin_cos};
pub use memory::Code;
pub use program::{Called, Lanes, Program, Value, WIDE};
