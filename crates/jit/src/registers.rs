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
    let ends = program.operations.iter().map(|operation| match operation {
        Operation::Read(slot) => slot.saturating_add(1),
        Operation::Dot(a, b, fours) => (*a).max(*b).saturating_add(fours.saturating_mul(4)),
        _ => 0,
    });
    let slots = ends.chain(program.writes.iter().map(|write| write.0.saturating_add(1))).max().unwrap_or(0);
    if program.operations.len() > MOST_OPERATIONS || slots > MOST_MEMORY {
        return None;
    }
    if width != Width::One && program.operations.iter().any(|operation| matches!(operation, Operation::Dot(..))) {
        return None;
    }
    let mut written: Vec<(Value, u32)> = program.writes.iter().map(|&(slot, value)| (value, slot)).collect();
    written.sort_by_key(|one| one.0);
    let mut writer = Writer {
        program,
        uses,
        written,
        next_written: 0,
        taken: 0,
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
    for number in 0..program.operations.len() as u32 {
        writer.operation(Value(number));
    }
    Some((writer.finish()?, slots as usize))
}

/// When each value is needed: those of all values side by side, for each the last first.
struct Uses {
    times: Vec<u32>,
    /// For each value where its times begin, and how many are left.
    begins: Vec<u32>,
    left: Vec<u32>,
}

impl Uses {
    fn of(program: &Program) -> Uses {
        let count = program.operations.len();
        let (mut begins, mut left) = (vec![0; count + 1], vec![0; count]);
        let all = || program.operations.iter().map(|operation| arguments(*operation).into_iter().flatten());
        all().flatten().for_each(|value| begins[value.0 as usize + 1] += 1);
        (0..count).for_each(|k| begins[k + 1] += begins[k]);
        let mut times = vec![0; begins[count] as usize];
        for (time, operation) in program.operations.iter().enumerate().rev() {
            for value in arguments(*operation).into_iter().flatten() {
                let value = value.0 as usize;
                times[(begins[value] + left[value]) as usize] = time as u32;
                left[value] += 1;
            }
        }
        Uses { times, begins, left }
    }

    /// When it is needed next, if at all.
    fn next(&self, value: Value) -> Option<u32> {
        let value = value.0 as usize;
        let left = self.left[value].checked_sub(1)?;
        Some(self.times[(self.begins[value] + left) as usize])
    }

    /// Whether it is needed once more at most.
    fn is_last(&self, value: Value) -> bool {
        self.left[value.0 as usize] <= 1
    }

    /// One use is over.
    fn pop(&mut self, value: Value) {
        let left = &mut self.left[value.0 as usize];
        *left = left.saturating_sub(1);
    }
}

fn arguments(operation: Operation) -> [Option<Value>; 3] {
    match operation {
        Operation::Read(_) | Operation::Constant(_) | Operation::Dot(..) => [None; 3],
        Operation::Sqrt(a) | Operation::Round(a) | Operation::Shift(a, _) => [Some(a), None, None],
        Operation::Two(_, a, b) | Operation::Compare(_, a, b) | Operation::Call(_, a, b) => [Some(a), Some(b), None],
        Operation::Choose(a, b, c) => [Some(a), Some(b), Some(c)],
    }
}

struct Writer<'p> {
    program: &'p Program,
    uses: Uses,
    /// Values that go to slots, in their order.
    written: Vec<(Value, u32)>,
    next_written: usize,
    /// Registers that hold something, as bits, and what.
    taken: u32,
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
            Operation::Dot(a, b, fours) => {
                let to = self.result(value, &[]);
                self.pinned |= 1 << to;
                let other = self.room();
                self.bytes.dot(to, other, (a as i32 * 8, b as i32 * 8), fours as i32);
                self.keep(value, to);
            }
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
        let is_last = self.uses.is_last(value);
        match (self.register[value.0 as usize], self.home[value.0 as usize]) {
            (None, Some(place @ Place::Pool(_))) => Operand::Memory(place),
            (None, Some(place)) if may_be_slot && is_last => Operand::Memory(place),
            _ => Operand::Register(self.fetch(value)),
        }
    }

    fn take(&mut self, value: Value, register: Register) {
        self.holds[register as usize] = Some(value);
        self.taken |= 1 << register;
        self.register[value.0 as usize] = Some(register);
    }

    fn registers(&self) -> std::ops::Range<usize> {
        0..if self.width == Width::Eight { REGISTERS } else { REGISTERS / 2 }
    }

    /// The registers that there are, a bit each.
    fn some(&self) -> u32 {
        if self.width == Width::Eight { u32::MAX } else { u32::MAX >> (REGISTERS / 2) }
    }

    /// A free register; if there is none, the value in one leaves (1).
    fn room(&mut self) -> Register {
        let free = !(self.taken | self.pinned) & self.some();
        if free != 0 {
            return free.trailing_zeros() as Register;
        }
        let (mut latest, mut then) = (None, 0);
        for register in self.registers().filter(|&r| self.pinned & (1 << r) == 0) {
            let next = self.holds[register].and_then(|value| self.uses.next(value)).unwrap_or(u32::MAX);
            if latest.is_none() || next >= then {
                (latest, then) = (Some(register as Register), next);
            }
        }
        let Some(register) = latest else { unreachable!("an operation needs three registers") };
        self.leave(register);
        register
    }

    /// The value in a register goes home.
    fn leave(&mut self, register: Register) {
        let Some(value) = self.holds[register as usize].take() else { return };
        self.taken &= !(1 << register);
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
            self.uses.pop(argument);
        }
        for &argument in arguments.iter().filter(|&&argument| self.uses.next(argument).is_none()) {
            if let Some(register) = self.register[argument.0 as usize].take() {
                self.holds[register as usize] = None;
                (self.taken, self.pinned) = (self.taken & !(1 << register), self.pinned & !(1 << register));
            }
            if let Some(Place::Stack(place)) = self.home[argument.0 as usize].take() {
                self.released.push(place);
            }
        }
    }

    /// After a value was made in a register: it is written where it is wanted.
    fn keep(&mut self, value: Value, register: Register) {
        for k in self.wanted(value) {
            let place = self.slot(self.written[k].1);
            self.bytes.store(place, register);
            self.home[value.0 as usize] = Some(place);
        }
        if !self.is_needed(value) {
            self.holds[register as usize] = None;
            self.taken &= !(1 << register);
            self.register[value.0 as usize] = None;
        }
    }

    /// What is in memory from the beginning and wanted in a slot.
    fn copies(&mut self, value: Value) {
        for k in self.wanted(value) {
            let (register, place) = (self.fetch(value), self.slot(self.written[k].1));
            self.bytes.store(place, register);
        }
    }

    /// Where it stands among the values that go to slots; values are asked for in their order.
    fn wanted(&mut self, value: Value) -> std::ops::Range<usize> {
        let is = |place: usize, found: std::cmp::Ordering| {
            self.written.get(place).is_some_and(|one| one.0.cmp(&value) == found)
        };
        let mut first = self.next_written;
        while is(first, std::cmp::Ordering::Less) {
            first += 1;
        }
        let mut end = first;
        while is(end, std::cmp::Ordering::Equal) {
            end += 1;
        }
        self.next_written = end;
        first..end
    }

    /// A call: registers keep nothing, so that all go home before.
    fn call(&mut self, value: Value, f: Called, a: Value, b: Value) {
        let places = [a, b].map(|argument| self.at_home(argument));
        self.registers().for_each(|register| self.leave(register as Register));
        let wanted = self.wanted(value);
        let to = match self.written[wanted.clone()].first() {
            Some(&(_, slot)) => self.slot(slot),
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
        for k in wanted.skip(1) {
            let (register, place) = (self.fetch(value), self.slot(self.written[k].1));
            self.bytes.store(place, register);
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
