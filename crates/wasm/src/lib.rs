//! How does a page talk to the engine? Bytes of JSON into a buffer, a call, bytes of JSON out of another.
//!
//! ```text
//! alloc(n)  → where the page writes n bytes of a request
//! run()     → how many bytes the answer has
//! out()     → where it stands, until the next call; after a trap, the message of the panic
//! ```
//!
//! The module imports nothing: it can do nothing but compute. `desk.rs` says what a request is.

mod desk;

use desk::Desk;

use std::cell::RefCell;
use std::panic;

thread_local! {
    static REQUEST: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static DESK: RefCell<Desk> = RefCell::new(Desk::new());
}

/// Room for a request of so many bytes; where it is.
#[allow(unsafe_code, reason = "a name that the page can call")]
#[unsafe(no_mangle)]
pub extern "C" fn alloc(length: usize) -> *mut u8 {
    REQUEST.with_borrow_mut(|request| {
        request.clear();
        request.resize(length, 0);
        request.as_mut_ptr()
    })
}

/// Answers the request; how many bytes the answer has.
#[allow(unsafe_code, reason = "a name that the page can call")]
#[unsafe(no_mangle)]
pub extern "C" fn run() -> usize {
    panic::set_hook(Box::new(|info| keep(info.to_string().into_bytes())));
    let request = REQUEST.with_borrow_mut(std::mem::take);
    let answer = DESK.with_borrow_mut(|desk| desk.answer(&request));
    let length = answer.len();
    keep(answer.into_bytes());
    length
}

/// Where the answer stands.
#[allow(unsafe_code, reason = "a name that the page can call")]
#[unsafe(no_mangle)]
pub extern "C" fn out() -> *const u8 {
    ANSWER.with_borrow(|answer| answer.as_ptr())
}

/// Puts bytes where the page reads them, with a zero behind them.
fn keep(mut bytes: Vec<u8>) {
    bytes.push(0);
    ANSWER.with(|answer| {
        if let Ok(mut answer) = answer.try_borrow_mut() {
            *answer = bytes;
        }
    });
}
