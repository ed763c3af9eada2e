//! What an answer cost: seconds on the wall and of the processors, counted from the end of the reading.

use std::sync::Mutex;
use std::time::Instant;

use cpu_time::ProcessTime;
use serde_json::{Map, Value, json};

/// When the reading of the last model ended; the wall's clock always, the processors' where the machine tells it.
static READ: Mutex<Option<(Instant, Option<ProcessTime>)>> = Mutex::new(None);

/// From now on the answer is computed.
pub fn start() {
    *READ.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some((Instant::now(), ProcessTime::try_now().ok()));
}

/// Adds `seconds`, unless the verb gave its own, and `cpu_seconds` to the answer about a model.
pub fn stamp(answer: &mut Map<String, Value>) {
    let began = *READ.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let Some((wall, processors)) = began.filter(|_| answer.contains_key("model")) else { return };
    answer.entry("seconds").or_insert_with(|| json!(wall.elapsed().as_secs_f64()));
    if let Some(spent) = processors.and_then(|began| began.try_elapsed().ok()) {
        answer.insert("cpu_seconds".to_owned(), json!(spent.as_secs_f64()));
    }
}
