//! From which side is a mechanism drawn? A plane one in its plane, bodies included, with gravity pulling down.

use anholon::picture::{Film, film};
use anholon::{Alone, Settings, Simulate, open, simulate};

fn drawn(settings: &Settings) -> Film {
    let model = open(settings).unwrap();
    let wanted = Simulate { duration: Some(0.2), every: Some(0.1), ..Simulate::default() };
    let found = simulate(&model, &wanted, &mut Alone).unwrap();
    film(&model, &found, 3).unwrap()
}

/// What stands at the axes of a model of the gallery.
fn axes(model: &str) -> [&'static str; 2] {
    drawn(&Settings::gallery(model).unwrap()).axes
}

#[test]
fn plane_mechanisms_with_bodies_are_drawn_in_their_plane() {
    for model in ["table-edge", "chaplygin-sleigh", "four-bar", "trailer", "slider-crank"] {
        assert_eq!(axes(model), ["x (m)", "y (m)"], "{model}");
    }
    assert_eq!(axes("robot-arm"), ["x (m)", "z (m)"]);
}

#[test]
fn what_moves_in_space_is_drawn_obliquely() {
    for model in ["euler-top", "rolling-disc", "spherical-pendulum"] {
        assert_eq!(axes(model), ["to the right (m)", "up (m)"], "{model}");
    }
}

/// A rod that hangs from the origin in the plane of x and y, with gravity along one of the axes.
fn hanging(gravity: &str) -> Film {
    let text = format!(
        "system \"Rod\"\nparam m = 1 kg, l = 1 m, g = 9.81 m/s^2\ncoord a : rad\nframe R = N rotated z by a\n\
         body B mass m at l*R.x frame R inertia m*l^2\ngravity {gravity}\nstart a = 0.1\n"
    );
    drawn(&Settings::new("rod.mech", &text))
}

#[test]
fn gravity_pulls_down_on_the_sheet() {
    let down = |film: &Film| film.frames[0].dots.iter().map(|dot| dot[1]).fold(0.0, f64::min);
    let film = hanging("(g, 0)");
    assert_eq!(film.axes, ["y (m)", "-x (m)"]);
    // the mass centre hangs below the origin
    assert!(down(&film) < -0.9, "{:?}", film.frames[0].dots);
    assert_eq!(hanging("(0, g)").axes, ["x (m)", "-y (m)"]);
    assert_eq!(hanging("(0, -g)").axes, ["x (m)", "y (m)"]);
}

#[test]
fn axes_of_bodies_have_the_size_of_the_mechanism() {
    // a rod of a millimetre: its axes were drawn 12 centimetres long
    let text = "system \"Rod\"\nparam m = 1 kg, l = 0.001 m\ncoord a : rad\nframe R = N rotated z by a\n\
         body B mass m at l*R.x frame R inertia m*l^2\nstart a' = 1 rad/s\n";
    let film = drawn(&Settings::new("rod.mech", text));
    assert!(film.bounds.iter().all(|edge| edge.abs() < 0.002), "{:?}", film.bounds);
}
