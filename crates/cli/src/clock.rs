//! What an answer cost: seconds on the wall and of the processors, counted from the end of the reading.

use std::sync::Mutex;
use std::time::Instant;

use cpu_time::ProcessTime;

/// When the reading of the last model ended; the wall's clock always, the processors' where the machine tells it.
static READ: Mutex<Option<(Instant, Option<ProcessTime>)>> = Mutex::new(None);

/// From now on the answer is computed.
pub fn start() {
    *READ.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some((Instant::now(), ProcessTime::try_now().ok()));
}

/// The answer about a model, as JSON, with `cpu_seconds` at its end, and `seconds` unless the verb gave its own.
pub fn stamped(answer: String) -> String {
    const MODEL: &str = "\n  \"model\": ";
    const SECONDS: &str = "\n  \"seconds\": ";
    let began = *READ.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let (Some((wall, processors)), Some(body)) = (began, answer.strip_suffix("\n}")) else { return answer };
    if !body.contains(MODEL) {
        return answer;
    }
    let seconds = (!body.contains(SECONDS)).then(|| wall.elapsed().as_secs_f64());
    let spent = processors.and_then(|began| began.try_elapsed().ok()).map(|spent| spent.as_secs_f64());
    let told = [(SECONDS, seconds), ("\n  \"cpu_seconds\": ", spent)];
    let keys: String = told.into_iter().filter_map(|(key, number)| Some(format!(",{key}{:?}", number?))).collect();
    format!("{body}{keys}\n}}")
}
