//! Which value is in which register, and when does it go to memory?
//!
//! ```text
//! A value that is needed latest leaves its register first (Belady).                                     (1)
//! ```
//!
//! The program is one line, so that every next use is known and (1) is the best choice. A value has one home in memory: its
//! slot, the pool, or a place on the stack that it gets when it must leave for the first time.
//!
//! Source: L. A. Belady, A study of replacement algorithms for a virtual-storage computer, IBM Systems Journal 5 (1966)
//! 78–101.

use std::collections::BTreeMap;

use crate::encode::{Bytes, Operand, Place, Register, Width};
use crate::program::{Called, Operation, Program, Two, Value, WIDE};

/// Registers where each holds eight floats; else there are half as many.
const REGISTERS: usize = 32;
/// More bytes of stack or of memory are not used.
const MOST_STACK: i32 = 1 << 16;
const MOST_MEMORY: u32 = 1 << 24;
/// Programs with more operations are not compiled: reading the code costs more than it saves.
const MOST_OPERATIONS: usize = 400_000;

/// The bytes of a program, and how many slots its memory must have at least. `helper` is the address of what calls
/// functions: (f, to, a, b, lanes).
pub fn compiled(program: &Program, width: Width, helper: u64) -> Option<(Vec<u8>, usize)> {
    let uses = Uses::of(program);
    let slots = program.operations.iter().filter_map(|operation| match operation {
        Operation::Read(slot) => Some(*slot),
        _ => None,
    });
    let slots = slots.chain(program.writes.iter().map(|write| write.0)).max().map_or(0, |last| last + 1);
    if program.operations.len() > MOST_OPERATIONS || slots > MOST_MEMORY {
        return None;
    }
    let mut writer = Writer {
        program,
        uses,
        written: BTreeMap::new(),
        holds: [None; REGISTERS],
        register: vec![None; program.operations.len()],
        home: vec![None; program.operations.len()],
        pool: Vec::new(),
        stack: 0,
        free: Vec::new(),
        released: Vec::new(),
        pinned: 0,
        bytes: Bytes::new(width),
        width,
        helper,
    };
    for &(slot, value) in &program.writes {
        writer.written.entry(value).or_default().push(slot);
    }
    for number in 0..program.operations.len() as u32 {
        writer.operation(Value(number));
    }
    Some((writer.finish()?, slots as usize))
}

/// When each value is needed: its uses, last first.
struct Uses(Vec<Vec<u32>>);

impl Uses {
    fn of(program: &Program) -> Uses {
        let mut uses = vec![Vec::new(); program.operations.len()];
        for (time, operation) in program.operations.iter().enumerate().rev() {
            for value in arguments(*operation).into_iter().flatten() {
                uses[value.0 as usize].push(time as u32);
            }
        }
        Uses(uses)
    }

    /// When it is needed next, if at all.
    fn next(&self, value: Value) -> Option<u32> {
        self.0[value.0 as usize].last().copied()
    }
}

fn arguments(operation: Operation) -> [Option<Value>; 3] {
    match operation {
        Operation::Read(_) | Operation::Constant(_) => [None; 3],
        Operation::Sqrt(a) | Operation::Round(a) | Operation::Shift(a, _) => [Some(a), None, None],
        Operation::Two(_, a, b) | Operation::Compare(_, a, b) | Operation::Call(_, a, b) => [Some(a), Some(b), None],
        Operation::Choose(a, b, c) => [Some(a), Some(b), Some(c)],
    }
}

struct Writer<'p> {
    program: &'p Program,
    uses: Uses,
    written: BTreeMap<Value, Vec<u32>>,
    holds: [Option<Value>; REGISTERS],
    register: Vec<Option<Register>>,
    /// Where a value is in memory, if it is.
    home: Vec<Option<Place>>,
    pool: Vec<u64>,
    stack: i32,
    /// Places on the stack that are free again, and those that will be after the operation at hand.
    free: Vec<i32>,
    released: Vec<i32>,
    /// Registers that the operation at hand needs, as bits.
    pinned: u32,
    bytes: Bytes,
    width: Width,
    helper: u64,
}

impl Writer<'_> {
    fn slot(&self, slot: u32) -> Place {
        let floats = if self.width == Width::One { 1 } else { WIDE as i32 };
        Place::Slot(slot as i32 * floats * 8)
    }

    /// Whether a value is needed at all after this.
    fn is_needed(&self, value: Value) -> bool {
        self.uses.next(value).is_some()
    }

    fn operation(&mut self, value: Value) {
        self.pinned = 0;
        self.free.append(&mut self.released);
        match self.program.operations[value.0 as usize] {
            Operation::Read(slot) => {
                self.home[value.0 as usize] = Some(self.slot(slot));
                self.copies(value);
            }
            Operation::Constant(bits) => {
                self.pool.push(bits);
                self.home[value.0 as usize] = Some(Place::Pool(self.pool.len() as u32 - 1));
                self.copies(value);
            }
            Operation::Two(two, a, b) => self.two(value, two, a, b),
            Operation::Compare(relation, a, b) => {
                let (first, second) = (self.fetch(a), self.operand(b, true));
                let to = self.result(value, &[a, b]);
                self.bytes.compare(relation, to, first, second);
                self.keep(value, to);
            }
            Operation::Sqrt(a) => {
                let from = self.fetch(a);
                let to = self.result(value, &[a]);
                self.bytes.sqrt(to, from);
                self.keep(value, to);
            }
            Operation::Round(a) => {
                let from = self.fetch(a);
                let to = self.result(value, &[a]);
                self.bytes.round(to, from);
                self.keep(value, to);
            }
            Operation::Shift(a, places) => {
                let from = self.fetch(a);
                let to = self.result(value, &[a]);
                self.bytes.shift(to, from, places);
                self.keep(value, to);
            }
            Operation::Choose(answer, yes, no) => {
                let [first, second, third] = [answer, yes, no].map(|one| self.fetch(one));
                let to = self.result(value, &[answer, yes, no]);
                self.bytes.choose(to, first, second, third);
                self.keep(value, to);
            }
            Operation::Call(f, a, b) => self.call(value, f, a, b),
        }
    }

    fn two(&mut self, value: Value, two: Two, a: Value, b: Value) {
        let commutes = !matches!(two, Two::Sub | Two::Div);
        let swaps = commutes && self.register[a.0 as usize].is_none() && self.register[b.0 as usize].is_some();
        let (a, b) = if swaps { (b, a) } else { (a, b) };
        // operations on bits read more than a slot
        let whole = !matches!(two, Two::And | Two::Or | Two::Xor);
        let (first, second) = (self.fetch(a), self.operand(b, whole));
        let to = self.result(value, &[a, b]);
        self.bytes.two(two, to, first, second);
        self.keep(value, to);
    }

    /// A value in a register that stays there for this operation.
    fn fetch(&mut self, value: Value) -> Register {
        let register = match self.register[value.0 as usize] {
            Some(register) => register,
            None => {
                let register = self.room();
                let Some(home) = self.home[value.0 as usize] else { unreachable!("a value is somewhere") };
                self.bytes.load(register, home);
                self.take(value, register);
                register
            }
        };
        self.pinned |= 1 << register;
        register
    }

    /// A value as the last operand: from memory if it is needed only here.
    fn operand(&mut self, value: Value, may_be_slot: bool) -> Operand {
        let is_last = self.uses.0[value.0 as usize].len() <= 1;
        match (self.register[value.0 as usize], self.home[value.0 as usize]) {
            (None, Some(place @ Place::Pool(_))) => Operand::Memory(place),
            (None, Some(place)) if may_be_slot && is_last => Operand::Memory(place),
            _ => Operand::Register(self.fetch(value)),
        }
    }

    fn take(&mut self, value: Value, register: Register) {
        self.holds[register as usize] = Some(value);
        self.register[value.0 as usize] = Some(register);
    }

    fn registers(&self) -> std::ops::Range<usize> {
        0..if self.width == Width::Eight { REGISTERS } else { REGISTERS / 2 }
    }

    /// A free register; if there is none, the value in one leaves (1).
    fn room(&mut self) -> Register {
        if let Some(register) = self.registers().find(|&r| self.holds[r].is_none() && self.pinned & (1 << r) == 0) {
            return register as Register;
        }
        let latest = self.registers().filter(|&r| self.pinned & (1 << r) == 0).max_by_key(|&r| {
            let held = self.holds[r].and_then(|value| self.uses.next(value));
            held.unwrap_or(u32::MAX)
        });
        let Some(register) = latest else { unreachable!("an operation needs three registers") };
        self.leave(register as Register);
        register as Register
    }

    /// The value in a register goes home.
    fn leave(&mut self, register: Register) {
        let Some(value) = self.holds[register as usize].take() else { return };
        self.register[value.0 as usize] = None;
        if self.is_needed(value) && self.home[value.0 as usize].is_none() {
            let place = self.on_stack();
            self.bytes.store(place, register);
            self.home[value.0 as usize] = Some(place);
        }
    }

    fn on_stack(&mut self) -> Place {
        let size = 8 * self.width.floats() as i32;
        Place::Stack(self.free.pop().unwrap_or_else(|| {
            self.stack += size;
            self.stack - size
        }))
    }

    /// The operation at hand is a use of these: what nobody needs any more makes room, then the result gets a register.
    fn result(&mut self, value: Value, arguments: &[Value]) -> Register {
        self.used(arguments);
        let to = self.room();
        self.take(value, to);
        to
    }

    fn used(&mut self, arguments: &[Value]) {
        for &argument in arguments {
            self.uses.0[argument.0 as usize].pop();
        }
        for &argument in arguments.iter().filter(|&&argument| self.uses.next(argument).is_none()) {
            if let Some(register) = self.register[argument.0 as usize].take() {
                self.holds[register as usize] = None;
                self.pinned &= !(1 << register);
            }
            if let Some(Place::Stack(place)) = self.home[argument.0 as usize].take() {
                self.released.push(place);
            }
        }
    }

    /// After a value was made in a register: it is written where it is wanted.
    fn keep(&mut self, value: Value, register: Register) {
        for slot in self.written.remove(&value).into_iter().flatten() {
            let place = self.slot(slot);
            self.bytes.store(place, register);
            self.home[value.0 as usize] = Some(place);
        }
        if !self.is_needed(value) {
            self.holds[register as usize] = None;
            self.register[value.0 as usize] = None;
        }
    }

    /// What is in memory from the beginning and wanted in a slot.
    fn copies(&mut self, value: Value) {
        for slot in self.written.remove(&value).into_iter().flatten() {
            let (register, place) = (self.fetch(value), self.slot(slot));
            self.bytes.store(place, register);
        }
    }

    /// A call: registers keep nothing, so that all go home before.
    fn call(&mut self, value: Value, f: Called, a: Value, b: Value) {
        let places = [a, b].map(|argument| self.at_home(argument));
        self.registers().for_each(|register| self.leave(register as Register));
        let to = match self.written.get(&value).and_then(|slots| slots.first()) {
            Some(&slot) => self.slot(slot),
            None => self.on_stack(),
        };
        if self.width != Width::One {
            self.bytes.raw(&[0xc5, 0xf8, 0x77]); // vzeroupper
        }
        self.bytes.raw(&[0x48, 0xbf]); // mov rdi, f
        self.bytes.number(f as usize as u64);
        for (register, place) in [(6, to), (2, places[0]), (1, places[1])] {
            self.bytes.address(register, place);
        }
        self.bytes.raw(&[0x41, 0xb8, self.width.floats() as u8, 0, 0, 0]); // mov r8d, lanes
        self.bytes.raw(&[0x48, 0xb8]); // mov rax, helper
        self.bytes.number(self.helper);
        self.bytes.raw(&[0xff, 0xd0]); // call rax
        self.used(&[a, b]);
        self.home[value.0 as usize] = Some(to);
        if let Some(slots) = self.written.remove(&value) {
            for &slot in &slots[1..] {
                let (register, place) = (self.fetch(value), self.slot(slot));
                self.bytes.store(place, register);
            }
        }
    }

    /// Where a value is in memory; it is put there if it is not.
    fn at_home(&mut self, value: Value) -> Place {
        if let Some(place) = self.home[value.0 as usize] {
            return place;
        }
        let Some(register) = self.register[value.0 as usize] else { unreachable!("a value is somewhere") };
        let place = self.on_stack();
        self.bytes.store(place, register);
        self.home[value.0 as usize] = Some(place);
        place
    }

    /// Entry, code, exit, pool; nothing if the stack would grow too much.
    fn finish(self) -> Option<Vec<u8>> {
        if self.stack > MOST_STACK {
            return None;
        }
        let mut all = Bytes::new(self.width);
        all.raw(&[0x55, 0x48, 0x89, 0xe5, 0x53, 0x50]); // push rbp; mov rbp, rsp; push rbx; push rax
        all.raw(&[0x48, 0x81, 0xec]); // sub rsp, size
        all.raw(&((self.stack + 63) & !63).to_le_bytes());
        all.raw(&[0x48, 0x83, 0xe4, 0xc0]); // and rsp, -64
        all.raw(&[0x48, 0x89, 0xfb]); // mov rbx, rdi
        let mut body = self.bytes;
        body.raw(&[0xc5, 0xf8, 0x77]); // vzeroupper
        body.raw(&[0x48, 0x8d, 0x65, 0xf0]); // lea rsp, [rbp - 16]
        body.raw(&[0x58, 0x5b, 0x5d, 0xc3]); // pop rax; pop rbx; pop rbp; ret
        Some(all.followed_by(body).finish(&self.pool))
    }
}
