"""Every verb answers as the command line does."""

import json
import pickle
import zipfile

import numpy as np
import pytest

import anholon

SWING = """
system "A swing"
param m = 2 kg, l = 0.5 m, g = 9.81 m/s^2
coord phi : rad
point P = l*(sin(phi), -cos(phi)) mass m
gravity (0, -g)
observe height = P.y
start phi = 0.5 rad
"""


def test_a_model_is_read_from_text_file_and_gallery(tmp_path):
    path = tmp_path / "swing.mech"
    path.write_text(SWING)
    swing = anholon.load(path, l=2)
    assert (swing.title, swing.coordinates, swing.observes) == ("A swing", ["phi"], ["height"])
    assert swing.parameters == {"m": 2.0, "l": 2.0, "g": 9.81}
    assert swing.with_({"phi": "10 deg"}, l=1).parameters["l"] == 1.0
    assert swing.with_(m=3).parameters == {"m": 3.0, "l": 2.0, "g": 9.81}
    assert swing.with_(declarations="observe twice = 2*phi").observes == ["height", "twice"]
    assert anholon.gallery("sled").file == "gallery:sled"
    assert any(one["name"] == "sled" for one in anholon.gallery().models)
    assert "A swing" in repr(anholon.Model(SWING))


def test_every_verb_has_its_page_and_its_keys():
    sled = anholon.gallery("sled")
    for answer, key in [
        (sled.check(), "degrees_of_freedom"),
        (sled.derive("kane"), "equations"),
        (sled.prove(["kane", "appell"]), "verdict"),
        (sled.evaluate(), "accelerations"),
        (sled.linearize(), "states"),
        (sled.equilibria(), "equilibria"),
        (sled.integrals(), "integrals"),
        (sled.solve(), "solutions"),
        (sled.export("numpy"), "files"),
        (sled.simulate(0.5), "energy_drift"),
        (anholon.forms(), "forms"),
        (anholon.explain("kane"), "form"),
        (anholon.same("sin(2*x)", "2*sin(x)*cos(x)"), "verdict"),
    ]:
        assert key in answer.data and hasattr(answer, key), key
        assert repr(answer) == answer.page and answer.page
        bundle = answer._repr_mimebundle_()
        assert bundle["text/plain"] == answer.page and "<" in bundle["text/html"]


def test_an_answer_is_true_only_if_it_says_yes():
    dobronravov = anholon.gallery("dobronravov")
    assert dobronravov.audit("gallery:dobronravov-combined")
    wrong = dobronravov.audit("gallery:dobronravov-lagrange")
    assert not wrong and wrong.exit_code == 1
    assert not anholon.same("x", "y") and anholon.same("x + x", "2*x")


def test_options_are_keyword_arguments():
    swing = anholon.Model(SWING)
    found = swing.evaluate({"phi": 0.25, "phi'": 1})
    assert found.state["phi"] == 0.25
    assert found.accelerations["phi''"] == pytest.approx(-9.81 / 0.5 * np.sin(0.25), rel=1e-14)
    assert swing.evaluate(at="phi = 0.25", set={"l": 1}).accelerations["phi''"] == pytest.approx(-9.81 * np.sin(0.25))
    all_forms = swing.derive("all")
    assert len(all_forms.forms) > 5
    assert swing.derive(steps=True).steps[0].title
    with pytest.raises(TypeError):
        swing.derive(fom="kane")
    with pytest.raises(anholon.ModelError, match="knows no `fom`"):
        swing.ask("derive", fom="kane")


def test_equations_are_formulas():
    derived = anholon.Model(SWING).derive("kane")
    assert str(derived.equations[0]) == "l*phi'' = -g*sin(phi)"
    assert derived.equations[0].mathml.startswith("<math")
    assert "<math" in derived._repr_mimebundle_()["text/html"]


def test_a_form_that_does_not_apply_has_no_answer():
    with pytest.raises(anholon.NoAnswer) as told:
        anholon.gallery("sled").derive("lagrange-2")
    assert told.value.answer.data["reason"] in str(told.value)


def test_errors_have_their_place():
    with pytest.raises(anholon.ModelError) as told:
        anholon.Model("coord y : m\npoint P = (0, z) mass 1 kg\n", file="fall.mech")
    first = told.value.diagnostics[0]
    assert (first.file, first.line, first.column) == ("fall.mech", 2, 15)
    assert "fall.mech:2:15" in str(told.value) and "^" in str(told.value)
    assert pickle.loads(pickle.dumps(told.value)).diagnostics == told.value.diagnostics
    with pytest.raises(anholon.ModelError, match="did you mean `sled`"):
        anholon.gallery("slet")
    with pytest.raises(anholon.ModelError) as told:
        anholon.Model(SWING).with_(k=1)
    assert told.value.field == "set"
    with pytest.raises(ValueError, match="no finite number"):
        anholon.Model(SWING, l=float("nan"))
    with pytest.raises(FileNotFoundError):
        anholon.load("no-such.mech")


def test_models_are_pickled_by_their_text():
    swing = anholon.Model(SWING, l=3)
    again = pickle.loads(pickle.dumps(swing))
    assert again.parameters == swing.parameters and again.derive().page == swing.derive().page


def test_matrices_are_arrays():
    cart = anholon.gallery("cart-pendulum")
    lin = cart.linearize(input="F", output=["phi"], coordinates=["x", "phi"])
    assert lin.A.shape == (4, 4) and lin.B.shape == (4, 1) and lin.C_out.shape == (1, 4)
    assert np.allclose(np.sort_complex(np.linalg.eigvals(lin.A)), np.sort_complex(lin.eigenvalues), atol=1e-9)


def test_a_certificate_is_replayed():
    sled = anholon.gallery("sled")
    proof = sled.prove(certificate=True)
    assert sled.verify(proof.certificate).accepted
    assert not anholon.gallery("hoop").verify(proof.certificate)


def test_files_are_written_whole(tmp_path):
    made = anholon.gallery("sled").export("c", what="all")
    paths = made.write(tmp_path / "out")
    assert [path.read_text() for path in paths] == list(made.files.values())
    with pytest.raises(FileExistsError):
        made.write(tmp_path / "out")
    made.write(tmp_path / "out", force=True)


def test_a_unit_is_one_archive(tmp_path):
    made = anholon.gallery("sled").export("fmu", fmi="2")
    [path] = made.write(tmp_path)
    names = zipfile.ZipFile(path).namelist()
    assert path.name == "sled.fmu" and {"modelDescription.xml", "sources/sled.c", "sources/fmi2.c"} <= set(names)
    with pytest.raises(FileExistsError):
        made.write(tmp_path)


def test_expressions_and_texts():
    assert anholon.simplify("sin(x)^2 + cos(x)^2").simplified == "1"
    assert anholon.diff("x^2", "x").derivative == "2*x"
    assert anholon.format("coord   x:m\npoint P=(x,0) mass 1 kg\n").startswith("coord x : m")
    assert "coord" in anholon.template()


def test_records_are_dictionaries_with_attributes():
    record = anholon.gallery("rhombus").equilibria().equilibria[0]
    assert dict(record)["values"] == record.values == record["values"]
    assert json.loads(json.dumps(record)) == record
    with pytest.raises(AttributeError, match="did you mean 'stability'"):
        record.stabilty


def test_answers_are_tables_in_a_notebook():
    sled, cart = anholon.gallery("sled"), anholon.gallery("cart-pendulum")
    shown = {
        "blade": sled.check(),
        "kane": sled.prove(),
        "wrong": sled.audit("x1'' = 0"),
        "multipliers": sled.evaluate(),
        "angular momentum": sled.integrals(),
        "stability": anholon.gallery("two-rods-couple").equilibria(),
        "Eigenvalues": cart.linearize(),
        "imaginary part": cart.linearize(periodic=None, input="F"),
    }
    for word, answer in shown.items():
        page = answer._repr_html_()
        assert "<table>" in page and word in page.split("<details>")[0], word
        assert answer._repr_mimebundle_()["text/plain"] == repr(answer)
    equation = cart.derive().equations[0]
    assert equation._repr_html_().startswith("<math") and equation._repr_latex_().startswith("$")


def test_what_a_table_cannot_show_is_still_told():
    # a motion without steady values, no places of rest, no integrals
    free = anholon.Model("param F = 1 N\ncoord x : m\npoint P = (x, 0) mass 1 kg\nforce (F + (1 N/s)*t, 0) on P\nstart x = 0 m\n")
    for answer in (free.check(), free.equilibria(), free.integrals(), free.prove(), free.solve()):
        assert "<pre>" in answer._repr_html_()
    floquet = anholon.Model("param m = 1 kg, k = 1 N/m\ncoord x : m\npoint P = (x, 0) mass m\nforce (-k*x, 0) on P\nstart x = 1 m\n")
    assert "<pre>" in floquet.linearize(periodic=6.283185307179586)._repr_html_()
