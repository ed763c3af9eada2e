//! Which systems are built in? The files under `models/`, by name.

use model::Declaration;

use crate::BadInput;

/// A built-in model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// Its name: `gallery:NAME`.
    pub name: &'static str,
    /// Its family: the folder it lies in.
    pub family: &'static str,
    /// The file.
    pub text: &'static str,
}

macro_rules! examples {
    ($($family:literal: $($name:literal)+;)+) => {
        &[$($(Example {
            name: $name,
            family: $family,
            text: include_str!(concat!("../../../models/", $family, "/", $name, ".mech")),
        },)+)+]
    };
}

/// All built-in models, by family.
pub const GALLERY: &[Example] = examples! {
    "contact": "billiard-ball" "bouncing-ball" "caught-rod" "locking-elbow" "painleve-rod" "rocking-block" "rough-dumb-bell" "rough-incline" "rough-ring" "sliding-ladder" "sphere-on-incline" "taut-rope";
    "machines": "atwood" "four-bar" "governor" "pulleys" "rod-on-discs" "wedge";
    "nonholonomic": "acceleration-program" "appell-hamel" "chaplygin-sleigh" "dobronravov" "rheonomic-knife" "sled" "velocity-cone" "velocity-cone-rocket";
    "particles": "cube-root" "cylinder" "ellipsoid" "great-circle" "line" "parabola" "plane" "rotating-parabola";
    "pendulums": "cart-pendulum" "chain" "double-pendulum" "spherical-pendulum";
    "rigid": "euler-top" "gyroframe" "gyroscope" "inertia-wrench";
    "rolling": "ball-on-turntable" "bicycle" "hoop" "hoop-contact" "rolling-disc" "rolling-disc-contact" "two-wheeled-robot";
    "statics": "ellipsoid-in-field" "neutral-curve" "rhombus" "seven-rods" "table-edge" "thread-on-sphere" "three-charges" "triangle-slots" "two-rods-couple";
};

impl Example {
    /// What the model calls itself.
    pub fn title(&self) -> String {
        let model = model::parse(self.name, self.text).model;
        let title = model.iter().flat_map(|model| &model.lines).find_map(|line| match &line.declaration {
            Declaration::System(text) => Some(text.texts.join(" ")),
            _ => None,
        });
        title.unwrap_or_default()
    }
}

/// A built-in file of claims about a built-in model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClaimFile {
    /// Its name: `gallery:NAME` after the model.
    pub name: &'static str,
    /// The model that the claims are about.
    pub model: &'static str,
    /// The file.
    pub text: &'static str,
}

macro_rules! claim_files {
    ($($model:literal: $($name:literal)+;)+) => {
        &[$($(ClaimFile {
            name: $name,
            model: $model,
            text: include_str!(concat!("../../../claims/", $name, ".claims")),
        },)+)+]
    };
}

impl ClaimFile {
    /// Its first comment.
    pub fn title(&self) -> &'static str {
        self.text.lines().next().map_or("", |line| line.trim_start_matches('#').trim())
    }
}

/// All built-in claims, by model.
pub const CLAIMS: &[ClaimFile] = claim_files! {
    "atwood": "atwood-inertia" "atwood-right" "atwood-tension";
    "cart-pendulum": "cart-centripetal" "cart-coupling" "cart-force" "cart-potential" "cart-right";
    "velocity-cone": "cone-cartesian" "cone-lagrange" "cone-lost-dot" "cone-right";
    "cylinder": "cylinder-pendulum";
    "dobronravov": "dobronravov-combined" "dobronravov-half" "dobronravov-hamel" "dobronravov-lagrange" "dobronravov-own-multiplier" "dobronravov-pair" "dobronravov-reaction-sign" "dobronravov-tzenoff" "dobronravov-vakonomic";
    "double-pendulum": "double-pendulum-tzenoff";
    "ellipsoid": "ellipsoid-force";
    "euler-top": "euler-gyroscopic-sign" "euler-naive" "euler-vector" "euler-work-sign";
    "governor": "governor-half";
    "great-circle": "great-circle-force" "great-circle-printed" "great-circle-right";
    "gyroframe": "gyroframe-commuting" "gyroframe-right";
    "hoop": "hoop-gravity" "hoop-hamel" "hoop-lagrange" "hoop-not-turning" "hoop-right";
    "line": "line-forces";
    "acceleration-program": "program-direction" "program-mass" "program-right" "program-tzenoff";
    "pulleys": "pulleys-printed" "pulleys-two-weights";
    "velocity-cone-rocket": "rocket-absolute" "rocket-momentum" "rocket-no-thrust";
    "rod-on-discs": "rod-mass-printed";
    "two-rods-couple": "rods-rest-printed" "rods-rest-wrong";
    "sled": "sled-no-incline" "sled-reaction" "sled-right";
    "chaplygin-sleigh": "sleigh-ellipse" "sleigh-hamel" "sleigh-right";
    "spherical-pendulum": "spherical-force-sign";
    "rolling-disc": "sympy-disc-kane" "sympy-disc-lagrange";
    "wedge": "wedge-bar-forgotten" "wedge-printed" "wedge-right";
};

/// The built-in claims of that name; a wrong name is answered with the nearest one.
pub fn claims(name: &str) -> Result<&'static ClaimFile, BadInput> {
    CLAIMS.iter().find(|file| file.name == name).ok_or_else(|| {
        let hint = match syntax::nearest(name, CLAIMS.iter().map(|file| file.name)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`anholon gallery claims` lists them".to_owned(),
        };
        BadInput(format!("error: the gallery has no claims `{name}`\nhint: {hint}"))
    })
}

/// The built-in model of that name; a wrong name is answered with the nearest one.
pub fn example(name: &str) -> Result<&'static Example, BadInput> {
    GALLERY.iter().find(|example| example.name == name).ok_or_else(|| {
        let names = GALLERY.iter().map(|example| example.name);
        let hint = match syntax::nearest(name, names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`anholon gallery` lists the models".to_owned(),
        };
        BadInput(format!("error: the gallery has no model `{name}`\nhint: {hint}"))
    })
}

/// A model file in canonical form; comments are kept.
pub fn format(file_name: &str, text: &str) -> Result<String, BadInput> {
    model::format(text).map_err(|diagnostics| {
        let source = syntax::Source::new(file_name, text);
        let all: Vec<String> = diagnostics.iter().map(|diagnostic| diagnostic.render(&source)).collect();
        BadInput(all.join("\n"))
    })
}

/// A commented template for a new model.
pub fn template() -> &'static str {
    model::template()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gallery_is_what_lies_under_models() {
        // leave a file out of the list and this fails
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
        let mut files: Vec<String> = Vec::new();
        for family in std::fs::read_dir(root).unwrap() {
            let family = family.unwrap().path();
            let models = std::fs::read_dir(&family).unwrap();
            files.extend(models.map(|file| file.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned()));
        }
        files.sort();
        let mut names: Vec<&str> = GALLERY.iter().map(|example| example.name).collect();
        names.sort();
        assert_eq!(names, files);
    }

    #[test]
    fn every_model_is_read_without_a_complaint_lowered_and_formatted() {
        for example in GALLERY {
            let parsed = model::parse(example.name, example.text);
            let model = parsed.model.as_ref().unwrap_or_else(|| panic!("{}", parsed.render()));
            assert!(parsed.diagnostics.is_empty(), "{}", parsed.render());
            assert!(!example.title().is_empty(), "{} has no title", example.name);
            assert_eq!(format(example.name, example.text).unwrap(), example.text, "{}", example.name);
            let _scope = expr::Scope::enter();
            let system = mechanics::lower(model).unwrap_or_else(|errors| panic!("{}: {errors:?}", example.name));
            let start = mechanics::start(&system);
            assert!(start.is_consistent(), "{}: {:?}", example.name, start.contradictions);
        }
    }
}
