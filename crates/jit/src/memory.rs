//! Machine code in memory that can be run.
//!
//! Pages are written first and run afterwards, never both at once. This is the only file with `unsafe`.

#![allow(unsafe_code, reason = "calling machine code; each block says why it is sound")]

use crate::program::{Lanes, Program, WIDE};

#[cfg(all(target_arch = "x86_64", unix))]
use crate::{encode::Width, program::Called};

/// A compiled program. It never changes; threads share it.
#[derive(Debug)]
pub struct Code {
    #[cfg(all(target_arch = "x86_64", unix))]
    pages: memmap2::Mmap,
    slots: usize,
    lanes: Lanes,
    /// Whether one run of wide code does half of the lanes.
    is_half: bool,
}

/// The code as a function of the memory that it runs on.
#[cfg(all(target_arch = "x86_64", unix))]
type Entry = unsafe extern "sysv64" fn(*mut f64);

/// to[k] ← f(a[k], b[k]) for each lane. The code calls this with places of its own memory, stack or pool.
///
/// # Safety
/// The three pointers must be valid for `lanes` floats, the first for writing.
#[cfg(all(target_arch = "x86_64", unix))]
unsafe extern "sysv64" fn helper(f: Called, to: *mut f64, a: *const f64, b: *const f64, lanes: usize) {
    for k in 0..lanes {
        // SAFETY: k < lanes, and the caller promises as many floats behind each pointer
        unsafe { to.add(k).write_unaligned(f(a.add(k).read_unaligned(), b.add(k).read_unaligned())) };
    }
}

impl Code {
    /// Machine code for a program; nothing where the processor is another, or the program is too large. Wide code works on
    /// as many floats at once as the processor can.
    #[cfg(all(target_arch = "x86_64", unix))]
    pub fn new(program: &Program, lanes: Lanes) -> Option<Code> {
        match lanes {
            Lanes::One => Code::of_width(program, Width::One),
            Lanes::Wide => Code::of_width(program, Width::Eight).or_else(|| Code::of_width(program, Width::Four)),
        }
    }

    /// Code with so many floats in each register; nothing where the processor has no such registers.
    #[cfg(all(target_arch = "x86_64", unix))]
    pub(crate) fn of_width(program: &Program, width: Width) -> Option<Code> {
        use std::arch::is_x86_feature_detected as has;
        if !has!("avx2") || (width == Width::Eight && !(has!("avx512f") && has!("avx512dq"))) {
            return None;
        }
        let (bytes, slots) = crate::registers::compiled(program, width, helper as *const () as u64)?;
        let mut pages = memmap2::MmapMut::map_anon(bytes.len()).ok()?;
        pages[..bytes.len()].copy_from_slice(&bytes);
        let lanes = if width == Width::One { Lanes::One } else { Lanes::Wide };
        Some(Code { pages: pages.make_exec().ok()?, slots, lanes, is_half: width == Width::Four })
    }

    /// No machine code for this processor.
    #[cfg(not(all(target_arch = "x86_64", unix)))]
    pub fn new(_: &Program, _: Lanes) -> Option<Code> {
        None
    }

    /// How many states run at once.
    pub fn lanes(&self) -> Lanes {
        self.lanes
    }

    /// Runs it on memory with one float a slot. Panics if the memory is too short or the code runs several states.
    pub fn run(&self, memory: &mut [f64]) {
        assert!(self.lanes == Lanes::One && memory.len() >= self.slots, "memory for this code");
        self.enter(memory.as_mut_ptr());
    }

    /// Runs it on memory with [`WIDE`] floats a slot. Panics if the memory is too short or the code runs one state.
    pub fn run_wide(&self, memory: &mut [[f64; WIDE]]) {
        assert!(self.lanes == Lanes::Wide && memory.len() >= self.slots, "memory for this code");
        let first = memory.as_mut_ptr().cast::<f64>();
        self.enter(first);
        if self.is_half {
            // the other four floats of each slot
            self.enter(first.wrapping_add(WIDE / 2));
        }
    }

    #[cfg(all(target_arch = "x86_64", unix))]
    fn enter(&self, memory: *mut f64) {
        // SAFETY: the pages hold a whole function of this type, written by `registers::compiled` for a processor with AVX2,
        // or AVX-512 where eight floats are in a register, which `of_width` has seen. It reads and writes slots below `self.slots` alone, which the callers have compared with the
        // length of the memory that they borrow mutably; places on its own stack; and its pool, which lies in the pages. It
        // keeps rbx, rbp and rsp as the convention asks, and calls `helper` with places of these three kinds only.
        unsafe {
            let entry: Entry = std::mem::transmute(self.pages.as_ptr());
            entry(memory);
        }
    }

    #[cfg(not(all(target_arch = "x86_64", unix)))]
    fn enter(&self, _: *mut f64) {}
}
