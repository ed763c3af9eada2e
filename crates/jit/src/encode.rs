//! How are instructions of x86-64 with AVX written as bytes?
//!
//! ```text
//! C5 | R̄ v̄v̄v̄v̄ L pp | opcode | ModRM …                                where rm and index need no fourth bit      (1)
//! C4 | R̄ X̄ B̄ mmmmm | W v̄v̄v̄v̄ L pp | opcode | ModRM …                  else                                       (2)
//! 62 | R̄ X̄ B̄ R̄' 0 mmm | W v̄v̄v̄v̄ 1 pp | z L'L b V̄' aaa | opcode | …    eight floats, 32 registers; small distances
//!                                                                     count in 64 bytes                          (3)
//! ```
//!
//! Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, sections 2.1, 2.3 and 2.7.

use crate::program::{Relation, Two};

/// How many floats a register of the code holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// One.
    One,
    /// Four.
    Four,
    /// Eight.
    Eight,
}

impl Width {
    /// How many floats that are.
    pub fn floats(self) -> usize {
        match self {
            Width::One => 1,
            Width::Four => 4,
            Width::Eight => 8,
        }
    }
}

/// A register of floats, 0 to 15; where there are eight floats in each, 0 to 31.
pub type Register = u8;

/// A place in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// So many bytes behind the memory that the code runs on (rbx).
    Slot(i32),
    /// So many bytes above the end of the stack (rsp).
    Stack(i32),
    /// A constant of the pool, by its number.
    Pool(u32),
}

/// A register, or a place in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// In a register.
    Register(Register),
    /// In memory.
    Memory(Place),
}

/// The prefix that an opcode belongs to.
const PACKED: u8 = 1;
const MASKS: u8 = 2;
const SCALAR: u8 = 3;
/// The table of opcodes.
const MAP_0F: u8 = 1;
const MAP_0F38: u8 = 2;
const MAP_0F3A: u8 = 3;
/// The mask that comparisons of eight floats use.
const MASK: Register = 1;

/// Instructions as bytes, and where the pool is referred to.
pub struct Bytes {
    /// The bytes.
    pub code: Vec<u8>,
    /// Places of 32 bits that hold the distance to a constant, its number, and how many bytes follow them.
    references: Vec<(usize, u32, u8)>,
    /// What registers hold.
    width: Width,
}

/// An instruction by the fields of its encoding.
#[derive(Clone, Copy)]
struct Fields {
    prefix: u8,
    map: u8,
    opcode: u8,
    reg: u8,
    /// The second source; zero where there is none.
    second: u8,
    rm: Operand,
    immediate: Option<u8>,
}

impl Bytes {
    /// Nothing yet.
    pub fn new(width: Width) -> Bytes {
        Bytes { code: Vec::new(), references: Vec::new(), width }
    }

    /// Bytes of instructions that need no operands.
    #[inline]
    pub fn raw(&mut self, bytes: &[u8]) {
        self.code.extend_from_slice(bytes);
    }

    /// A number of 64 bits.
    pub fn number(&mut self, number: u64) {
        self.raw(&number.to_le_bytes());
    }

    fn arithmetic(&mut self, opcode: u8, reg: Register, second: Register, rm: Operand, immediate: Option<u8>) {
        let prefix = if self.width == Width::One { SCALAR } else { PACKED };
        self.write(Fields { prefix, map: MAP_0F, opcode, reg, second, rm, immediate });
    }

    /// On the bits of whole registers.
    fn packed(&mut self, map: u8, opcode: u8, reg: Register, second: Register, rm: Operand, immediate: Option<u8>) {
        self.write(Fields { prefix: PACKED, map, opcode, reg, second, rm, immediate });
    }

    /// to ← a op b
    pub fn two(&mut self, two: Two, to: Register, a: Register, b: Operand) {
        match two {
            Two::Add => self.arithmetic(0x58, to, a, b, None),
            Two::Mul => self.arithmetic(0x59, to, a, b, None),
            Two::Sub => self.arithmetic(0x5c, to, a, b, None),
            Two::Div => self.arithmetic(0x5e, to, a, b, None),
            Two::And => self.packed(MAP_0F, 0x54, to, a, b, None),
            Two::Or => self.packed(MAP_0F, 0x56, to, a, b, None),
            Two::Xor => self.packed(MAP_0F, 0x57, to, a, b, None),
        }
    }

    /// to ← √a
    pub fn sqrt(&mut self, to: Register, a: Register) {
        let other = if self.width == Width::One { a } else { 0 };
        self.arithmetic(0x51, to, other, Operand::Register(a), None);
    }

    /// to ← the nearest integer, the even one of two
    pub fn round(&mut self, to: Register, a: Register) {
        let (opcode, other) = if self.width == Width::One { (0x0b, a) } else { (0x09, 0) };
        // 8: no exception for what is not exact
        self.packed(MAP_0F3A, opcode, to, other, Operand::Register(a), Some(8));
    }

    /// to ← the bits of a, moved up by so many places
    pub fn shift(&mut self, to: Register, a: Register, places: u8) {
        // the field of the first register belongs to the opcode
        self.packed(MAP_0F, 0x73, 6, to, Operand::Register(a), Some(places));
    }

    /// to ← all bits where the relation holds, else none
    pub fn compare(&mut self, relation: Relation, to: Register, a: Register, b: Operand) {
        let code = match relation {
            Relation::Equal => 0x00,
            Relation::Less => 0x11,
            Relation::LessOrEqual => 0x12,
        };
        if self.width != Width::Eight {
            return self.arithmetic(0xc2, to, a, b, Some(code));
        }
        self.arithmetic(0xc2, MASK, a, b, Some(code));
        let rm = Operand::Register(MASK);
        let (prefix, map, opcode) = (MASKS, MAP_0F38, 0x38);
        self.write(Fields { prefix, map, opcode, reg: to, second: 0, rm, immediate: None });
    }

    /// to ← `yes` where the sign of `answer` is set, else `no`
    pub fn choose(&mut self, to: Register, answer: Register, yes: Register, no: Register) {
        if self.width != Width::Eight {
            return self.packed(MAP_0F3A, 0x4b, to, no, Operand::Register(yes), Some(answer << 4));
        }
        let rm = Operand::Register(answer);
        let (prefix, map, opcode) = (MASKS, MAP_0F38, 0x39);
        self.write(Fields { prefix, map, opcode, reg: MASK, second: 0, rm, immediate: None });
        let (rm, opcode) = (Operand::Register(yes), 0x65);
        self.eight(Fields { prefix: PACKED, map, opcode, reg: to, second: no, rm, immediate: None }, MASK);
    }

    /// to ← Σ a[j] b[j] of so many fours of floats side by side, from two slots on: (l₀ + l₂) + (l₁ + l₃) of the lanes
    pub fn dot(&mut self, to: Register, other: Register, (a, b): (i32, i32), fours: i32) {
        let width = std::mem::replace(&mut self.width, Width::Four);
        for four in 0..fours {
            let into = if four == 0 { to } else { other };
            self.load(into, Place::Slot(a + 32 * four));
            self.two(Two::Mul, into, into, Operand::Memory(Place::Slot(b + 32 * four)));
            if four > 0 {
                self.two(Two::Add, to, to, Operand::Register(other));
            }
        }
        // the upper half, then the upper one of the lower two
        self.packed(MAP_0F3A, 0x19, to, 0, Operand::Register(other), Some(1));
        self.width = Width::One;
        self.packed(MAP_0F, 0x58, to, to, Operand::Register(other), None);
        self.packed(MAP_0F, 0x15, other, to, Operand::Register(to), None);
        self.two(Two::Add, to, to, Operand::Register(other));
        self.width = width;
    }

    /// to ← memory
    pub fn load(&mut self, to: Register, from: Place) {
        self.arithmetic(0x10, to, 0, Operand::Memory(from), None);
    }

    /// memory ← from
    pub fn store(&mut self, to: Place, from: Register) {
        self.arithmetic(0x11, from, 0, Operand::Memory(to), None);
    }

    /// A general register (rdi 7, rsi 6, rdx 2, rcx 1) ← the address of a place.
    pub fn address(&mut self, to: u8, of: Place) {
        self.raw(&[0x48, 0x8d]);
        self.memory(to, of, 0, 1);
    }

    /// Where an instruction has no second source, the field is zero, written as ones.
    fn write(&mut self, fields: Fields) {
        match self.width {
            Width::Eight => self.eight(fields, 0),
            _ => self.vex(fields),
        }
    }

    /// (1), (2)
    fn vex(&mut self, Fields { prefix, map, opcode, reg, second, rm, immediate }: Fields) {
        let far = matches!(rm, Operand::Register(register) if register > 7);
        let high = if reg > 7 { 0 } else { 0x80 };
        let rest = ((!second & 15) << 3) | (u8::from(self.width == Width::Four) << 2) | prefix;
        match map == MAP_0F && !far {
            true => self.raw(&[0xc5, high | rest]),
            // no index register: its bit is set
            false => self.raw(&[0xc4, high | 0x40 | if far { 0 } else { 0x20 } | map, rest]),
        }
        self.last(opcode, reg, rm, immediate);
    }

    /// (3); `mask` says by which mask, 0 for none.
    fn eight(&mut self, Fields { prefix, map, opcode, reg, second, rm, immediate }: Fields, mask: Register) {
        let (third, fourth) = match rm {
            Operand::Register(register) => (register & 8, register & 16),
            Operand::Memory(_) => (0, 0),
        };
        // the bits of the registers are written inverted
        let bit = |field: u8, place: u8| if field == 0 { place } else { 0 };
        let first = bit(reg & 8, 0x80) | bit(fourth, 0x40) | bit(third, 0x20) | bit(reg & 16, 0x10) | map;
        let wide = 0x80 | ((!second & 15) << 3) | 4 | prefix;
        self.raw(&[0x62, first, wide, 0x40 | bit(second & 16, 8) | mask]);
        self.last(opcode, reg, rm, immediate);
    }

    /// What all encodings end with.
    fn last(&mut self, opcode: u8, reg: u8, rm: Operand, immediate: Option<u8>) {
        self.raw(&[opcode]);
        match rm {
            Operand::Register(register) => self.raw(&[0xc0 | ((reg & 7) << 3) | (register & 7)]),
            Operand::Memory(place) => {
                let unit = if self.width == Width::Eight { 64 } else { 1 };
                self.memory(reg, place, u8::from(immediate.is_some()), unit);
            }
        }
        if let Some(immediate) = immediate {
            self.code.push(immediate);
        }
    }

    /// ModRM and what follows it, for a place in memory; `after` bytes of the instruction come behind, and small distances
    /// count in `unit` bytes.
    fn memory(&mut self, reg: u8, place: Place, after: u8, unit: i32) {
        let reg = (reg & 7) << 3;
        let near = |distance: i32| i8::try_from(distance / unit).ok().filter(|_| distance % unit == 0);
        match place {
            Place::Slot(distance) => match near(distance) {
                Some(byte) => self.raw(&[0x43 | reg, byte as u8]),
                None => {
                    let [a, b, c, d] = distance.to_le_bytes();
                    self.raw(&[0x83 | reg, a, b, c, d]);
                }
            },
            Place::Stack(distance) => match near(distance) {
                Some(byte) => self.raw(&[0x44 | reg, 0x24, byte as u8]),
                None => {
                    let [a, b, c, d] = distance.to_le_bytes();
                    self.raw(&[0x84 | reg, 0x24, a, b, c, d]);
                }
            },
            Place::Pool(number) => {
                self.references.push((self.code.len() + 1, number, after));
                self.raw(&[0x05 | reg, 0, 0, 0, 0]);
            }
        }
    }

    /// These, and then the others.
    pub fn followed_by(mut self, other: Bytes) -> Bytes {
        let offset = self.code.len();
        self.references.extend(other.references.iter().map(|&(at, number, after)| (at + offset, number, after)));
        self.code.extend(other.code);
        self
    }

    /// Puts the pool behind the code, each constant as often as a register holds it, and tells the code where.
    pub fn finish(mut self, pool: &[u64]) -> Vec<u8> {
        // bits are combined 16 bytes at a time also where one float counts
        let copies = self.width.floats().max(2);
        self.code.resize(self.code.len().next_multiple_of(64), 0xcc);
        let start = self.code.len();
        for &constant in pool {
            (0..copies).for_each(|_| self.code.extend_from_slice(&constant.to_le_bytes()));
        }
        for &(at, number, after) in &self.references {
            let constant = start + number as usize * copies * 8;
            let distance = (constant - (at + 4 + usize::from(after))) as u32;
            self.code[at..at + 4].copy_from_slice(&distance.to_le_bytes());
        }
        self.code
    }
}
