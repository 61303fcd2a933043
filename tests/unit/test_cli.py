"""The command line: what it prints, what it exits with, and that no input gets a traceback out of it."""

import json
import time
from decimal import Decimal
from fractions import Fraction

import pytest

from dpsym.cli import run
from kit.work import work_at_most


@pytest.fixture
def dpsym(capfd):
    """Run the command line in this process: status, standard output, standard error."""

    def call(*arguments):
        status = run(arguments)
        out, err = capfd.readouterr()
        return status, out, err

    return call


def enclosed(bounds, value):
    return Decimal(bounds["lower"]) <= Decimal(value) <= Decimal(bounds["upper"])


# --- help


@pytest.mark.parametrize("command", ["derive", "evaluate", "prove", "list", "show", "plot"])
def test_every_command_explains_itself(dpsym, command):
    status, out, err = dpsym(command, "--help")

    assert (status, err) == (0, "")
    assert f"dpsym {command}" in out


# --- evaluate


@pytest.mark.parametrize("digits", [1, 15, 60])
def test_evaluate_encloses_to_the_digits_asked(dpsym, digits):
    status, out, err = dpsym("evaluate", "sqrt(2)", "--digits", str(digits), "--json")
    answer = json.loads(out)
    lower, upper = Decimal(answer["lower"]), Decimal(answer["upper"])

    assert (status, err) == (0, "")
    assert Fraction(lower) ** 2 < 2 < Fraction(upper) ** 2
    assert Fraction(upper) - Fraction(lower) <= Fraction(10) ** (1 - digits) * Fraction(lower)
    assert answer["expression"] == "sqrt(2)"
    assert answer["digits"] == digits


def test_evaluate_takes_decimals_exactly(dpsym):
    status, out, _ = dpsym("evaluate", "x - 1/10", "--at", "x=0.1", "--json")
    answer = json.loads(out)

    assert status == 0
    assert Decimal(answer["lower"]) == Decimal(answer["upper"]) == 0


def test_evaluate_says_when_it_could_not_tell(dpsym):
    zero = "sqrt(2)*sqrt(3) - sqrt(6)"  # is zero, which no number of digits shows unless it is seen exactly
    status, out, err = dpsym("evaluate", f"exp({zero}) - exp(sqrt(5 + 2*sqrt(6)) - sqrt(2) - sqrt(3))")

    assert status in (0, 3)
    assert (status == 3) == bool(err)
    assert (status == 0) == bool(out)


# --- prove


@pytest.mark.parametrize(
    ("claim", "options", "status", "verdict"),
    [
        ("rho + 2*sqrt(rho*L) >= rho", ["--let", "rho > 0", "--let", "L > 0"], 0, "proved"),
        ("sqrt(x^2) = x", ["--let", "x: real"], 1, "refuted"),
        ("x/x = 1", ["--let", "x: real"], 1, "refuted"),
        ("x/x = 1", ["--let", "x > 0"], 0, "proved"),
        ("-x^2 <= 0", ["--let", "x: real"], 0, "proved"),
        ("-1/2 < x", ["--let", "-1 < x"], 1, "refuted"),
        ("c = x^2", ["--let", "x: real", "--where", "c = x*x"], 0, "proved"),
        ("x <= 1", ["--let", "x > 0", "--assume", "x < 1/2"], 0, "proved"),
        ("x <= 1/4", ["--let", "x > 0", "--assume", "x < 1/2"], 1, "refuted"),
        ("x < x + 1 < x + 2", ["--let", "x: real"], 0, "proved"),
        ("x < x + 1 < x", ["--let", "x: real"], 1, "refuted"),
        ("gaussian(sigma, Delta) satisfies zcdp(Delta^2/(2*sigma^2))", [], 0, "proved"),
        ("gaussian(sigma, Delta) satisfies zcdp(Delta^2/(3*sigma^2))", [], 1, "refuted"),
        ("gaussian(sigma) ** k satisfies zcdp(k/(2*sigma^2))", [], 0, "proved"),
        ("gaussian(sigma) ** k satisfies zcdp(sqrt(k)/(2*sigma^2))", [], 1, "refuted"),
        ("gaussian(sigma) satisfies rdp(alpha, alpha/(2*sigma^2))", [], 0, "proved"),
        ("gaussian(sigma) satisfies rdp(alpha, (alpha-1)/(2*sigma^2))", [], 1, "refuted"),
        ("gaussian(sigma) satisfies pure(1000/sigma)", [], 1, "refuted"),
        ("laplace(b) satisfies pure(1/b)", [], 0, "proved"),
        ("laplace(b) satisfies pure(1/(2*b))", [], 1, "refuted"),
        ("randomized_response(epsilon) satisfies pure(epsilon)", [], 0, "proved"),
        ("geometric(b) satisfies pure(1/b)", [], 0, "proved"),
    ],
)
def test_prove_decides(dpsym, claim, options, status, verdict):
    found, out, err = dpsym("prove", claim, *options, "--json")
    answer = json.loads(out)

    assert (found, answer["verdict"], err) == (status, verdict, "")
    assert answer["claim"] == claim
    assert (answer["witness"] is None) == (verdict != "refuted")


def test_exit_status_3_for_what_stays_undecided(dpsym):
    # Robin-like: holds at every sampled point, and no rule proves it
    status, out, _ = dpsym(
        "prove", "sin(x)^2 + cos(x)^2 + 10^(-40) > 1", "--let", "x: real", "--time-limit", "2", "--json"
    )

    assert (status, json.loads(out)["verdict"]) in [
        (0, "proved"),
        (0, "certified"),
        (3, "supported"),
        (3, "open"),
    ]


# --- bad input: one line on standard error, status 2, nothing on standard output, at once

MONSTER = "1" + "+1" * 50_000
BAD = {
    "sigma is negative": ["derive", "gaussian(sigma=-1)", "--to", "zcdp"],
    "sigma is zero": ["derive", "gaussian(sigma=0)", "--to", "approx"],
    "sigma is zero by --at": ["derive", "gaussian(sigma)", "--to", "zcdp", "--at", "sigma=0"],
    "delta is 2": ["derive", "gaussian(sigma=1)", "--to", "approx", "--at", "delta=2"],
    "delta is 0": ["derive", "gaussian(sigma=1)", "--to", "approx", "--at", "delta=0"],
    "delta is 1 in the target": ["derive", "gaussian(sigma=1)", "--to", "approx(delta=1)"],
    "delta is negative": ["derive", "zcdp(1/2)", "--to", "approx", "--at", "delta=-1e-5"],
    "alpha is 1": ["derive", "rdp(1, epsilon)", "--to", "approx"],
    "alpha is 1 in the target": ["derive", "gaussian(sigma=1)", "--to", "rdp(alpha=1)"],
    "alpha is below 1": ["derive", "rdp(1/2, epsilon)", "--to", "approx"],
    "k is negative": ["derive", "gaussian(sigma=1) ** -3", "--to", "approx"],
    "k is 1.5": ["derive", "gaussian(sigma=1) ** 1.5", "--to", "approx"],
    "k is 1.5 by --at": ["derive", "gaussian(sigma=1) ** k", "--to", "zcdp", "--at", "k=1.5"],
    "nan": ["derive", "gaussian(sigma=nan)", "--to", "approx"],
    "NaN by --at": ["derive", "gaussian", "--to", "approx", "--at", "sigma=NaN"],
    "infinity": ["derive", "gaussian(sigma=oo)", "--to", "approx"],
    "inf by --at": ["derive", "gaussian", "--to", "approx", "--at", "sigma=inf"],
    "an unknown mechanism": ["derive", "gausian(sigma=1)", "--to", "approx"],
    "an unknown definition": ["derive", "gaussian(sigma=1)", "--to", "aprox"],
    "an unknown definition given": ["derive", "zdcp(rho)", "--to", "approx"],
    "a missing parameter": ["derive", "gaussian()", "--to", "approx"],
    "an extra parameter": ["derive", "gaussian(1, 2, 3)", "--to", "approx"],
    "an unknown parameter": ["derive", "gaussian(sigma=1, tau=2)", "--to", "approx"],
    "a parameter twice": ["derive", "gaussian(sigma=1, sigma=2)", "--to", "approx"],
    "an incomplete guarantee": ["derive", "approx(1)", "--to", "fdp"],
    "conditions that contradict": [
        "derive",
        "zcdp(rho)",
        "--to",
        "approx",
        "--assume",
        "rho > 1",
        "--assume",
        "rho < 0",
    ],
    "a condition against the domain": ["derive", "gaussian(sigma)", "--to", "zcdp", "--assume", "sigma < 0"],
    "a condition that is none": ["derive", "zcdp(rho)", "--to", "approx", "--assume", "rho"],
    "no route": ["derive", "approx(epsilon, delta)", "--to", "zcdp"],
    "no route to pure": ["derive", "gaussian(sigma=1)", "--to", "pure"],
    "an unknown name for --for": ["derive", "gaussian", "--to", "zcdp(rho)", "--for", "tau"],
    "an unknown name for --at": ["derive", "gaussian(sigma=1)", "--to", "zcdp", "--at", "tau=1"],
    "no digits": ["evaluate", "1", "--digits", "0"],
    "no number of digits": ["evaluate", "1", "--digits", "many"],
    "an undeclared name": ["prove", "x > 0"],
    "no claim": ["prove", "x + 1", "--let", "x: real"],
    "claim conditions that contradict": ["prove", "x > 0", "--let", "x > 1", "--let", "x < 0"],
    "a declaration that is none": ["prove", "x > 0", "--let", "x is positive"],
    "no domain of a mechanism": ["prove", "gaussian(sigma=-1) satisfies zcdp(1)"],
    "half a satisfies": ["prove", "gaussian(sigma) satisfies"],
    "satisfies an unknown": ["prove", "gaussian(sigma) satisfies gpd(1)"],
    "satisfies a goal": ["prove", "gaussian(sigma) satisfies approx(epsilon)"],
    "satisfies with a stray name": ["prove", "gaussian(sigma) satisfies zcdp(c/sigma^2)"],
    "no time": ["prove", "1 > 0", "--time-limit", "0"],
    "an unknown entry": ["show", "zcpd_to_approx"],
    "an unknown kind": ["list", "lemmas"],
    "an unknown format": ["show", "zcdp", "--format", "pdf"],
    "a definition has no code": ["show", "zcdp", "--format", "python"],
    "no value": ["evaluate", "x + 1"],
    "a value that is none": ["evaluate", "x", "--at", "x"],
    "a value twice": ["evaluate", "x", "--at", "x=1", "--at", "x=2"],
    "an undefined value": ["evaluate", "log(x)", "--at", "x=-1"],
    "a division by zero": ["evaluate", "1/x", "--at", "x=0"],
    "an unknown command": ["derrive", "gaussian"],
    "no arguments": ["derive"],
    "an unknown option": ["evaluate", "1", "--precision", "3"],
    "an empty text": ["evaluate", ""],
    "a null character": ["evaluate", "1\x00"],
    "unbalanced": ["evaluate", "(" * 500],
    "a comparison": ["evaluate", "1 < 2"],
}
EVERYWHERE = {
    "import": "__import__('os')",
    "a call": "().__class__",
    "a tower": "9**9**9",
    "a monster": MONSTER,
    "a factorial": "factorial(10^9)",
    "digits": "1e999999999",
    "deep": "(" * 5_000 + "1" + ")" * 5_000,
    "a lambda": "lambda: 0",
    "a string": "'1'",
}
ENTRY_POINTS = {
    "derive SOURCE": lambda text: ["derive", text, "--to", "approx"],
    "derive a parameter": lambda text: ["derive", f"gaussian(sigma={text})", "--to", "approx"],
    "derive a count": lambda text: ["derive", f"gaussian(sigma=1) ** ({text})", "--to", "approx"],
    "derive --to": lambda text: ["derive", "gaussian(sigma=1)", "--to", text],
    "derive --for": lambda text: ["derive", "gaussian", "--to", "zcdp(rho)", "--for", text],
    "derive --at": lambda text: ["derive", "gaussian", "--to", "zcdp", "--at", f"sigma={text}"],
    "derive --assume": lambda text: ["derive", "gaussian", "--to", "zcdp", "--assume", f"sigma > {text}"],
    "evaluate EXPRESSION": lambda text: ["evaluate", text],
    "evaluate --at": lambda text: ["evaluate", "x", "--at", f"x={text}"],
    "prove CLAIM": lambda text: ["prove", f"{text} > 0"],
    "prove satisfies": lambda text: ["prove", f"gaussian(sigma) satisfies zcdp({text})"],
    "prove --let": lambda text: ["prove", "x > 0", "--let", f"x > {text}"],
    "prove --where": lambda text: ["prove", "c > 0", "--where", f"c = {text}"],
    "prove --assume": lambda text: ["prove", "x > 0", "--let", "x: real", "--assume", f"x > {text}"],
    "list KIND": lambda text: ["list", text],
    "show ID": lambda text: ["show", text],
    "COMMAND": lambda text: [text],
}


def refused(dpsym, arguments):
    with work_at_most(8_000_000):  # most need a tenth of it
        status, out, err = dpsym(*arguments)

    assert status == 2, (status, out, err)
    assert out == ""
    assert err.count("\n") == 1, err
    assert err.startswith("dpsym")
    assert "Traceback" not in err
    assert "internal error" not in err
    assert len(err) < 900


@pytest.mark.parametrize("arguments", BAD.values(), ids=BAD)
def test_bad_input_gets_one_line_and_status_2(dpsym, arguments):
    refused(dpsym, arguments)


@pytest.mark.parametrize("text", EVERYWHERE.values(), ids=EVERYWHERE)
@pytest.mark.parametrize("entry", ENTRY_POINTS.values(), ids=ENTRY_POINTS)
def test_no_argument_takes_a_hostile_text(dpsym, entry, text):
    refused(dpsym, entry(text))


def test_an_interrupt_leaves_cleanly(dpsym, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("dpsym.numbers.enclose", interrupted)
    status, out, err = dpsym("evaluate", "sqrt(2)")

    assert (status, out) == (130, "")
    assert err.strip().splitlines()[-1] == "dpsym: interrupted"


def test_a_defect_is_undecided_and_never_a_verdict(dpsym, monkeypatch):
    def broken(*_, **__):
        raise ZeroDivisionError("boom")

    monkeypatch.setattr("dpsym.numbers.enclose", broken)
    status, out, err = dpsym("evaluate", "sqrt(2)")

    assert (status, out) == (3, "")
    assert "internal error" in err
    assert "boom" in err


def test_nothing_is_said_of_progress_where_no_terminal_is(capfd):
    from dpsym.rendering.progress import progress

    with progress("deriving", first_after=0.01):
        time.sleep(0.1)

    assert capfd.readouterr() == ("", "")


def test_account_finds_what_is_enough(dpsym):
    status, out, _ = dpsym(
        "account", "gaussian(sigma=100) ** T", "--at", "epsilon=1", "--at", "delta=1e-5", "--for", "T"
    )

    assert status == 0
    assert out == "T = 718\n(T = 718 is enough; closed form)\n"


def test_account_by_a_route_gives_an_upper_bound_only(dpsym):
    status, out, _ = dpsym("account", "gaussian(sigma=100) ** 500", "--at", "delta=1e-5", "--route", "zcdp")

    assert status == 0
    assert out.startswith("epsilon <= 0.896613335")
    assert dpsym("account", "gaussian(sigma=100)", "--at", "epsilon=1", "--route", "rdp")[0] == 2


def test_account_for_samples_of_fixed_size(dpsym):
    command = ("account", "subsampled(gaussian(sigma=1), q=1/100)", "--at", "delta=1e-5", "--digits", "4")
    status, out, _ = dpsym(*command, "--sampling", "fixed-size")

    assert status == 0
    assert out.startswith("0.19943")
    assert "from above" in out
    assert dpsym(*command, "--sampling", "fixed-size", "--route", "rdp")[0] == 2
