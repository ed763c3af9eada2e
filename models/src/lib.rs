//! Which systems are built in? The model files of the gallery by family, and claims about them, as texts.
//!
//! ```
//! let sled = gallery::GALLERY.iter().find(|example| example.name == "sled").unwrap();
//! assert_eq!(sled.family, "nonholonomic");
//! assert!(sled.text.contains("constraint"));
//! ```

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

impl Example {
    /// What the model calls itself: the text of its line `system "…"`.
    ///
    /// ```
    /// assert_eq!(gallery::GALLERY[1].title(), "Bouncing ball");
    /// ```
    pub fn title(&self) -> &'static str {
        let quoted = |line: &'static str| line.strip_prefix("system \"")?.split('"').next();
        self.text.lines().find_map(quoted).unwrap_or_default()
    }

    /// Whether it stands for all systems of a shape: it has functions of which only the arguments are known, and what
    /// needs numbers refuses it.
    ///
    /// ```
    /// let theorems = gallery::GALLERY.iter().filter(|example| example.is_theorem());
    /// assert!(theorems.clone().count() > 10 && theorems.clone().all(|example| example.family == "theorems"));
    /// ```
    pub fn is_theorem(&self) -> bool {
        self.text.lines().any(|line| line.starts_with("function "))
    }
}

macro_rules! examples {
    ($($family:literal: $($name:literal)+;)+) => {
        &[$($(Example {
            name: $name,
            family: $family,
            text: include_str!(concat!("../", $family, "/", $name, ".mech")),
        },)+)+]
    };
}

/// All built-in models, by family.
pub const GALLERY: &[Example] = examples! {
    "contact": "billiard-ball" "bouncing-ball" "caught-rod" "locking-elbow" "painleve-rod" "rocking-block" "rough-dumb-bell" "rough-incline" "rough-ring" "sliding-ladder" "sphere-on-incline" "taut-rope";
    "everyday": "balancer" "cable-and-mass" "crane" "double-rod" "elastic-pendulum" "falling-chain" "gimbals" "muscle-arm" "robot-arm" "satellite" "slider-crank" "trailer";
    "machines": "atwood" "four-bar" "governor" "plate-on-springs" "pulleys" "rod-on-discs" "wedge";
    "nonholonomic": "acceleration-program" "appell-hamel" "chaplygin-sleigh" "dobronravov" "rheonomic-knife" "skate-on-slope" "sled" "velocity-cone" "velocity-cone-rocket";
    "particles": "cube-root" "cylinder" "ellipsoid" "great-circle" "line" "parabola" "plane" "rotating-parabola";
    "pendulums": "cart-pendulum" "chain" "double-pendulum" "spherical-pendulum";
    "rigid": "euler-top" "gyroframe" "gyroscope" "inertia-wrench" "skew-top";
    "rolling": "ball-on-turntable" "bicycle" "egg-on-tray" "hoop" "hoop-contact" "rolling-disc" "rolling-disc-contact" "two-wheeled-robot" "wheel-with-tyre";
    "statics": "ellipsoid-in-field" "neutral-curve" "rhombus" "seven-rods" "table-edge" "thread-on-sphere" "three-charges" "triangle-slots" "two-rods-couple";
    "theorems": "chaplygin-four-two" "chaplygin-three-one" "qiu-nonlinear" "qiu-variable-mass" "quasi-velocities" "romanov-four-one" "romanov-four-two" "romanov-three-one" "romanov-three-two" "tzenoff-any" "tzenoff-any-quasi" "tzenoff-energy" "tzenoff-particle" "tzenoff-quasi" "udwadia-kalaba" "udwadia-kalaba-two" "variable-mass";
};

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

impl ClaimFile {
    /// Its first comment.
    pub fn title(&self) -> &'static str {
        self.text.lines().next().map_or("", |line| line.trim_start_matches('#').trim())
    }
}

macro_rules! claim_files {
    ($($model:literal: $($name:literal)+;)+) => {
        &[$($(ClaimFile {
            name: $name,
            model: $model,
            text: include_str!(concat!("../claims/", $name, ".claims")),
        },)+)+]
    };
}

/// All built-in claims, by model.
pub const CLAIMS: &[ClaimFile] = claim_files! {
    "atwood": "atwood-inertia" "atwood-right" "atwood-tension";
    "cart-pendulum": "cart-centripetal" "cart-coupling" "cart-force" "cart-potential" "cart-right" "landau-cart";
    "velocity-cone": "cone-cartesian" "cone-lagrange" "cone-lost-dot" "cone-right" "qiu-53" "qiu-53-printed";
    "cylinder": "cylinder-pendulum";
    "dobronravov": "dobronravov-combined" "dobronravov-half" "dobronravov-hamel" "dobronravov-lagrange" "dobronravov-own-multiplier" "dobronravov-pair" "dobronravov-reaction-sign" "dobronravov-tzenoff" "dobronravov-vakonomic";
    "double-pendulum": "double-pendulum-tzenoff" "landau-double-pendulum" "sympy-double-pendulum";
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
    "quasi-velocities": "commuting";
    "qiu-nonlinear": "qiu-22" "qiu-22-printed" "qiu-32" "qiu-32-printed" "qiu-commuting";
    "romanov-three-one": "voronets-printed" "voronets-right";
    "tzenoff-any": "tzenoff-early" "tzenoff-thirteen";
    "tzenoff-energy": "nielsen-once" "tzenoff-operators";
    "tzenoff-particle": "tzenoff-four-printed" "tzenoff-identities" "tzenoff-nine-printed" "tzenoff-r-printed";
    "udwadia-kalaba-two": "zegzhda-43";
    "two-rods-couple": "rods-rest-printed" "rods-rest-wrong";
    "sled": "sled-no-incline" "sled-reaction" "sled-right";
    "chaplygin-sleigh": "sleigh-ellipse" "sleigh-hamel" "sleigh-right";
    "spherical-pendulum": "spherical-force-sign";
    "rolling-disc": "sympy-disc-kane" "sympy-disc-lagrange" "sympy-disc-place";
    "variable-mass": "mass-flows" "mass-mixed" "mass-slope";
    "wedge": "wedge-bar-forgotten" "wedge-printed" "wedge-right";
};

#[cfg(test)]
mod tests {
    use super::{CLAIMS, GALLERY};
    use std::path::{Path, PathBuf};

    /// The names of the files with this ending, in all folders.
    fn names(ending: &str) -> Vec<String> {
        let entries = |folder: &Path| -> Vec<PathBuf> {
            std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect()
        };
        let files = entries(Path::new(env!("CARGO_MANIFEST_DIR"))).into_iter().flat_map(|folder| entries(&folder));
        let files = files.filter(|file| file.extension().is_some_and(|it| it == ending));
        let mut names: Vec<String> = files.map(|it| it.file_stem().unwrap().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn every_file_is_in_its_table() {
        // leave a file out of a table and this fails
        let mut models: Vec<&str> = GALLERY.iter().map(|example| example.name).collect();
        models.sort();
        assert_eq!(models, names("mech"));
        let mut claims: Vec<&str> = CLAIMS.iter().map(|file| file.name).collect();
        claims.sort();
        assert_eq!(claims, names("claims"));
    }

    #[test]
    fn claims_are_about_models_that_are_there() {
        for file in CLAIMS {
            assert!(GALLERY.iter().any(|example| example.name == file.model), "{}", file.name);
            assert!(!file.title().is_empty(), "{}", file.name);
        }
    }
}
