//! How is a report written as HTML? One file: styles, formulas as MathML, pictures and a film inside it.

use anholon::answer::StepLine;
use anholon::picture::Film;

use super::broken::{broken, fits};
use super::{Part, Section, Shown};
use crate::folding::folded;

const STYLE: &str = "
:root { color-scheme: light; }
body { font: 16px/1.5 Georgia, 'Times New Roman', serif; color: #1a1a1a; background: #fff; max-width: 50rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.7rem; line-height: 1.2; } h2 { font-size: 1.25rem; margin: 2.2rem 0 .6rem; border-bottom: 1px solid #ccc; }
h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
pre { font: 13px/1.4 ui-monospace, Menlo, Consolas, monospace; white-space: pre-wrap; overflow-wrap: anywhere; margin: .4rem 0; }
pre.long { margin-left: 1.2rem; text-indent: 0; }
.formula { margin: .35rem 0 .35rem 1.2rem; overflow-x: auto; }
.doubt { color: #a33; font-size: .85rem; }
details { margin: .2rem 0 .2rem 1.2rem; font-size: .85rem; color: #555; } details pre { user-select: all; }
svg { max-width: 100%; height: auto; } figure { margin: 1rem 0; }
canvas { width: 100%; height: auto; border: 1px solid #ddd; } button { font: inherit; } input[type=range] { width: 60%; vertical-align: middle; }
nav { font-size: .9rem; } nav a { color: inherit; margin-right: .9rem; }
@media print { nav, .film, details { display: none; } body { max-width: none; padding: 0; font-size: 11pt; } h2, h3 { break-after: avoid; } .formula, figure { break-inside: avoid; overflow: visible; } pre { font-size: 9pt; } }
";

/// Plays a film: one pose after the other, as fast as the motion is.
const PLAYER: &str = "
(function () {
  var root = document.currentScript.parentNode, film = JSON.parse(root.querySelector('script[type]').textContent);
  var canvas = root.querySelector('canvas'), g = canvas.getContext('2d'), slider = root.querySelector('input');
  var button = root.querySelector('button'), label = root.querySelector('span'), b = film.bounds;
  var w = Math.max(b[2] - b[0], 1e-9), h = Math.max(b[3] - b[1], 1e-9), m = 24;
  if (h < w / 4) { b[1] -= (w / 4 - h) / 2; h = w / 4; } if (w < h / 4) { b[0] -= (h / 4 - w) / 2; w = h / 4; }
  var scale = Math.min((960 - 2 * m) / w, (640 - 2 * m) / h); canvas.width = w * scale + 2 * m; canvas.height = h * scale + 2 * m;
  function x(p) { return m + (p[0] - b[0]) * scale; } function y(p) { return canvas.height - m - (p[1] - b[1]) * scale; }
  function draw(k) {
    var f = film.frames[k]; g.clearRect(0, 0, canvas.width, canvas.height); g.lineWidth = 2; g.strokeStyle = '#0072b2'; g.fillStyle = '#111';
    f.lines.forEach(function (l) { g.beginPath(); l.forEach(function (p, i) { if (i) g.lineTo(x(p), y(p)); else g.moveTo(x(p), y(p)); }); g.stroke(); });
    f.dots.forEach(function (p) { g.beginPath(); g.arc(x(p), y(p), 4, 0, 7); g.fill(); });
    slider.value = k; label.textContent = 't = ' + f.t.toFixed(2) + ' s';
  }
  var k = 0, playing = false, last = 0, n = film.frames.length, span = n > 1 ? (film.frames[n - 1].t - film.frames[0].t) / (n - 1) : 1;
  function step(now) { if (!playing) return; if (now - last >= 1000 * span) { last = now; k = (k + 1) % n; draw(k); } requestAnimationFrame(step); }
  slider.max = n - 1; slider.oninput = function () { k = +slider.value; draw(k); };
  button.onclick = function () { playing = !playing; button.textContent = playing ? 'Pause' : 'Play'; if (playing) requestAnimationFrame(step); };
  draw(0);
})();
";

/// The page.
pub fn page(title: &str, sections: &[Section], viewer: Option<&str>) -> String {
    let links: String = sections
        .iter()
        .enumerate()
        .map(|(k, section)| format!("<a href=\"#s{k}\">{}</a> ", escaped(&section.heading)))
        .collect();
    let body: String = sections.iter().enumerate().map(|(k, section)| written(k, section)).collect();
    let title = escaped(title);
    let has_scene = sections.iter().flat_map(|section| &section.parts).any(|part| matches!(part, Part::Scene(_)));
    let viewer = viewer.filter(|_| has_scene).unwrap_or_default();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n\
         <body>\n<h1>{title}</h1>\n<nav>{links}</nav>\n{body}{viewer}</body>\n</html>\n"
    )
}

/// A page with one part and nothing around it.
pub fn alone(one: &Part, viewer: Option<&str>) -> String {
    let viewer = viewer.filter(|_| matches!(one, Part::Scene(_))).unwrap_or_default();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<style>{STYLE}</style>\n</head>\n<body>\n{}{viewer}</body>\n</html>\n",
        part(one)
    )
}

fn written(k: usize, section: &Section) -> String {
    let parts: String = section.parts.iter().map(part).collect();
    format!("<section>\n<h2 id=\"s{k}\">{}</h2>\n{parts}</section>\n", escaped(&section.heading))
}

fn part(part: &Part) -> String {
    match part {
        Part::Words(words) => format!("<p>{}</p>\n", escaped(words)),
        Part::Lines(lines) => format!("<pre>{}</pre>\n", escaped(lines)),
        Part::Picture(svg) => format!("<figure>{}</figure>\n", inside(svg)),
        Part::Film(film) => player(film),
        Part::Scene(scene) => format!(
            "<div class=\"film anholon-viewer\"><script type=\"application/json\">{}</script></div>\n",
            scene.replace('<', "\\u003c")
        ),
        Part::Formulas(list) => {
            let shown: String = list.iter().map(|one| formula(one, "")).collect();
            let latex: Vec<&str> = list.iter().map(|one| one.latex.as_str()).collect();
            shown + &copyable(&latex)
        }
        Part::Step(step) => {
            let lines: String = step.lines.iter().map(line).collect();
            let latex: Vec<&str> = step.lines.iter().map(|line| line.latex.as_str()).collect();
            format!("<h3>{}. {}</h3>\n{lines}{}", step.number, escaped(&step.title), copyable(&latex))
        }
    }
}

fn line(line: &StepLine) -> String {
    let doubt = if line.checked == Some(false) { " <span class=\"doubt\">(not checked)</span>" } else { "" };
    let shown = Shown { text: line.text.clone(), latex: line.latex.clone(), mathml: line.mathml.clone() };
    formula(&shown, doubt)
}

/// A formula: typeset, in several lines if it must be; as folded text where a line stays too long.
fn formula(one: &Shown, doubt: &str) -> String {
    if one.latex.starts_with(r"\text{") && one.latex.ends_with('}') && !one.latex[6..].contains('{') {
        return format!("<div class=\"formula\">{}{doubt}</div>\n", escaped(&one.text));
    }
    let lines = broken(&one.mathml);
    match fits(&lines) {
        true => format!("<div class=\"formula\">{}{doubt}</div>\n", lines.join("<br>\n&emsp;&emsp;")),
        false => format!("<pre class=\"long\">{}{doubt}</pre>\n", escaped(folded(&one.text).join("\n").trim_start())),
    }
}

fn copyable(latex: &[&str]) -> String {
    format!("<details><summary>LaTeX</summary><pre>{}</pre></details>\n", escaped(&latex.join(" \\\\\n")))
}

fn player(film: &Film) -> String {
    let rounded = |point: &[f64; 2]| point.map(|x| (x * 1e5).round() / 1e5);
    let frames: Vec<serde_json::Value> = film
        .frames
        .iter()
        .map(|frame| {
            let lines: Vec<Vec<[f64; 2]>> = frame.lines.iter().map(|line| line.iter().map(rounded).collect()).collect();
            let dots: Vec<[f64; 2]> = frame.dots.iter().map(rounded).collect();
            serde_json::json!({ "t": frame.t, "lines": lines, "dots": dots })
        })
        .collect();
    let data = serde_json::json!({ "bounds": film.bounds, "frames": frames });
    format!(
        "<div class=\"film\"><canvas></canvas><p><button type=\"button\">Play</button> <input type=\"range\" min=\"0\" \
         value=\"0\" aria-label=\"time\"> <span></span></p><script type=\"application/json\">{}</script><script>{PLAYER}</script></div>\n",
        data.to_string().replace('<', "\\u003c")
    )
}

/// A picture without the declaration before it.
fn inside(svg: &str) -> &str {
    svg.find("<svg").map_or(svg, |start| &svg[start..])
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
