"""The playground in a real browser: the answers that dpsym gives here, nothing asked of anybody else.

Run by `pytest -m site -n0` where `python docs/_playground/build.py` was run before; its links need Sphinx alone.
"""

import contextlib
import io
import json
import re
import shlex
import shutil
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlencode

import pytest

ROOT = Path(__file__).parents[2]
BUILT = ROOT / "docs" / "_build" / "playground" / "site"
sys.path.insert(0, str(Path(__file__).parent))

from browser import browsing  # noqa: E402

pytestmark = pytest.mark.site
playground = pytest.mark.needs("playground", "chromium")

PATIENCE = 240.0  # seconds: others may use the machine
OWN_ALONE = "default-src 'self'; script-src 'self' 'unsafe-eval'; style-src 'self' 'unsafe-inline'"
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Playground</title><div id="live-playground" data-home="_playground/"></div>
<link rel="stylesheet" href="_playground/page.css"><script type="module" src="_playground/page.js"></script></html>"""
WRONG = """---
let:
  q: 0 < q < 1
  epsilon: epsilon > 0
---

$$\\log(1 + q(e^\\epsilon - 1)) = \\log(q e^\\epsilon + 1 - q)$$

$$\\log(1 + q(e^\\epsilon - 1)) \\le \\epsilon$$

$$\\log(1 + q(e^\\epsilon - 1)) \\le q\\epsilon$$
"""
RIGHT = WRONG.replace("\\le q", "\\ge q")
LISTENING = """window.begun = 0; window.Worker = class extends Worker { constructor(...of) { super(...of);
    this.addEventListener("message", ({ data }) => { if (data.post?.lines) window.begun += 1; }); } };"""


@contextmanager
def served(folder):
    """The address of a folder, and what was asked of it; its pages may ask nobody else for anything."""
    log = []

    class Logged(SimpleHTTPRequestHandler):
        def end_headers(self):
            self.send_header("Content-Security-Policy", OWN_ALONE)
            super().end_headers()

        def log_message(self, *_arguments):
            log.append(self.requestline)

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Logged, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", log
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    (folder / "index.html").write_text(PAGE)
    shutil.copytree(BUILT, folder / "_playground")
    with served(folder) as (address, log):
        yield f"{address}/index.html", log


@pytest.fixture(scope="module")
def tab(site):
    """A page in which dpsym is loaded."""
    with browsing() as found:
        found.show(1280, 900)
        found.open(site[0])
        until(found, "window.playground?.ready")
        yield found


def until(tab, script):
    """The first value of the script that is true."""
    deadline = time.monotonic() + PATIENCE
    while not (found := tab.value(script)):
        assert time.monotonic() < deadline, script
        time.sleep(0.2)
    return found


def verdicts(tab, text):
    """The lines and verdicts in the margin once this derivation is checked."""
    cards = "[...document.querySelectorAll('.pg-card')]"
    found = f"{cards}.map(c => [Number(c.dataset.line), c.querySelector('.verdict').innerText])"
    return until(tab, f"window.playground.checked === {json.dumps(text)} && {{ found: {found} }}")["found"]


def shown(tab, text):
    """The same of a derivation that a link brings."""
    tab.value(f"location.hash = {json.dumps(check_link(text))}")
    return verdicts(tab, text)


def written(tab, text):
    """The text as somebody would have changed it to."""
    change = f"{{ from: 0, to: window.playground.view.state.doc.length, insert: {json.dumps(text)} }}"
    tab.value(f"window.playground.view.dispatch({{ changes: {change} }})")


def check_link(text):
    from base64 import urlsafe_b64encode

    return urlencode({"check": urlsafe_b64encode(text.encode()).decode().rstrip("=")})


# --- the same answers


ASKED = """
dpsym derive "gaussian(sigma=200) ** 500" --to approx --at delta=1e-5 --digits 8
dpsym derive gaussian --to "zcdp(rho)" --for sigma
dpsym derive "zcdp(rho)" --to approx --all
dpsym derive "laplace(b=2)" --to pure --group 3
dpsym derive "laplace ** 100" --to "pure(1)" --for b
dpsym derive laplace --to rdp
dpsym derive gaussian --to gdp
dpsym derive geometric --to pure
dpsym derive randomized_response --to pure
dpsym derive exponential --to zcdp
dpsym derive "any(approx(log(2), 1/100))" --to "approx(3*log(2))" --group 3
dpsym derive "subsampled(laplace(b=2), q=1/5)" --to pure --digits 6
dpsym account "gaussian(sigma=1)" --at epsilon=2
dpsym account "subsampled(gaussian(sigma=1), q=1/100) ** 100" --at delta=1e-5 --digits 5
dpsym account "laplace(b=10) ** 20" --at epsilon=1 --digits 5
dpsym account "gaussian(sigma=100) ** T" --at epsilon=1 --at delta=1e-5 --for T
dpsym account "truncated_laplace(b=1, A=12) ** 3" --at delta=1e-4 --digits 4
dpsym account "partition_selection(epsilon=1, delta=1/1000000) ** 3" --at epsilon=2 --digits 4
dpsym prove "a*b <= (a^2 + b^2)/2" --let "a: real" --let "b: real"
dpsym prove "gaussian(sigma, Delta) satisfies zcdp(Delta^2/(2*sigma^2))"
dpsym prove "gaussian(sigma, Delta) satisfies zcdp(Delta^2/(3*sigma^2))"
dpsym prove "gaussian(22) ** 100 satisfies zcdp(1/10)"
dpsym prove "any(pure(epsilon)) satisfies zcdp(epsilon^2/2)"
dpsym prove "any(pure(epsilon)) satisfies zcdp(epsilon^2/3)"
dpsym prove "laplace(b=1/epsilon, query=sum(x)) satisfies pure(epsilon)" --let "x in [0,1]^n" --adjacent replace
dpsym prove "rho*alpha + L/(alpha-1) >= rho + 2*sqrt(rho*L)" --let "rho > 0" --let "L > 0" --let "alpha > 1"
dpsym prove "rho*alpha + L/(alpha-1) > rho + 2*sqrt(rho*L)" --let "rho > 0" --let "L > 0" --let "alpha > 1"
dpsym prove "exp(x) >= 1 + x + 1e-30" --let "x: real"
dpsym prove "sqrt(x^2) = x" --let "x: real"
dpsym prove "sqrt(x^2) = x" --let "x >= 0"
dpsym prove "log(x^2) = 2*log(abs(x))" --let "x != 0"
dpsym prove "x/x = 1" --let "x >= 0"
dpsym prove "log(1 - 10*x) <= 0" --let "0 < x < 1"
dpsym prove "sum(q^i, i, 0, k) <= 1/(1-q)" --let "0 < q < 1" --let "k: integer, k >= 1"
dpsym prove "limit((1 + t/x)^x, x, oo) = exp(-t)" --let "t: real"
dpsym prove "tanh(x) <= x" --let "x >= 0"
dpsym prove "exp(x) <= 1 + x + x^2" --let "0 <= x <= 1.8"
dpsym prove "x/2 >= tanh(x/2)" --let "x >= 0"
dpsym prove "log(1 + x) <= x" --let "x >= 0"
dpsym prove "exp(x) >= 1 + x" --let "-5 <= x <= 5"
dpsym evaluate "log(1/delta)" --at delta=1e-5
dpsym evaluate "Phi(2) - exp(1)*Phi(-3)" --digits 30
dpsym evaluate "1/4"
dpsym sensitivity "mean(x)" --let "x in [0,1]^n" --adjacent replace
dpsym sensitivity "variance(x)" --let "x in [a,b]^n" --let "a < b" --adjacent replace
dpsym sensitivity "histogram(x)" --let "x in categories(k)^n" --adjacent replace --norm L2
dpsym show zcdp_to_approx
dpsym show gaussian_zcdp
dpsym list --from zcdp --to approx
dpsym derive gauss --to approx
""".strip().splitlines()


def here(command):
    """What the command prints here, when it is done."""
    from dpsym.cli import run

    output, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        status = run(shlex.split(command)[1:])
    said = [line for line in errors.getvalue().splitlines(keepends=True) if " … (" not in line]  # no signs of progress
    return {"output": output.getvalue(), "errors": "".join(said), "status": status}


def limited(command):
    """With time enough for a clock that counts what others do."""
    verb = shlex.split(command)[1]
    return f"{command} --time-limit 120" if verb in {"account", "derive", "prove"} else command


@playground
def test_there_are_fifty_questions():
    assert len(set(ASKED)) == 50


@playground
@pytest.mark.parametrize("command", ASKED)
def test_an_answer_is_the_one_that_is_given_here(tab, command):
    found = tab.value(f"window.playground.ask({json.dumps(limited(command))})")
    expected = here(limited(command))

    assert {key: found[key] for key in expected} == expected


@playground
@pytest.mark.parametrize("name", ["wrong_squaring.txt", "right_laplace_tail.txt", "wrong_linear_amplification.md"])
def test_a_derivation_of_the_documentation_has_the_verdicts_that_it_has_here(tab, name):
    from dpsym.checking import check_document
    from dpsym.language import read_path

    report = check_document(read_path(str(ROOT / "tests" / "derivations" / name)), jobs=1, time_limit=60)
    expected = [[s.step.line, str(s.decision.verdict)] for chain in report.chains for s in chain.steps]
    tab.value(f"location.hash = 'open={name.partition('.')[0]}'")  # no event where it is open already

    assert verdicts(tab, (ROOT / "tests" / "derivations" / name).read_text(encoding="utf-8")) == expected


# --- what the page does


@playground
def test_a_wrong_line_shows_where_it_fails_and_what_would_be_true(tab):
    found = shown(tab, WRONG)
    card = tab.value("document.querySelector('.pg-card.refuted').innerText")

    assert found == [[7, "proved"], [9, "proved"], [11, "refuted"]]
    assert re.search(r"at epsilon = \S+, q = \S+", card)
    assert "left side = " in card and "right side = " in card
    assert "suggestion: " in card


@playground
def test_a_change_is_checked_and_what_did_not_change_stays(tab):
    shown(tab, WRONG)
    written(tab, RIGHT)

    assert verdicts(tab, RIGHT) == [[7, "proved"], [9, "proved"], [11, "proved"]]
    assert tab.value("location.hash") == f"#{check_link(RIGHT)}"


@pytest.fixture(params=["waiting", "not waiting"])
def anew(request, tmp_path):
    """A tab with nothing in it, and an address; in a browser whose WebAssembly can wait, and in one that cannot."""
    (tmp_path / "index.html").write_text(PAGE)
    shutil.copytree(BUILT, tmp_path / "_playground")
    if request.param == "not waiting":
        worker = tmp_path / "_playground" / "worker.js"
        without = "delete WebAssembly.Suspending; delete WebAssembly.promising;"
        (tmp_path / "_playground" / "without.js").write_text(without)
        worker.write_text(f'import "./without.js";\n{worker.read_text()}')
    with served(tmp_path) as (address, _), browsing() as found:
        found.send("Page.addScriptToEvaluateOnNewDocument", source=LISTENING)
        yield found, f"{address}/index.html"


@playground
def test_of_links_and_changes_in_quick_succession_the_last_is_answered(anew):
    tab, address = anew
    # the first link comes while dpsym is loading, the second while the first sample of a visit is checked
    tab.open(address)
    tab.value(f"location.hash = {json.dumps(check_link(WRONG))}")
    assert verdicts(tab, WRONG) == [[7, "proved"], [9, "proved"], [11, "refuted"]]
    tab.open("about:blank")
    tab.open(address)
    until(tab, "window.playground?.ready")
    tab.value(f"location.hash = {json.dumps(check_link(WRONG))}")
    assert verdicts(tab, WRONG) == [[7, "proved"], [9, "proved"], [11, "refuted"]]

    for factor in range(2, 6):  # each is sent while an earlier one may be checked
        changed = WRONG.replace("\\le q", f"\\ge \\frac{{1}}{{{factor}}} q")
        written(tab, changed)
        until(tab, f"location.hash === {json.dumps('#' + check_link(changed))}")
    assert verdicts(tab, changed)[:2] == [[7, "proved"], [9, "proved"]]
    written(tab, RIGHT)
    assert verdicts(tab, RIGHT) == [[7, "proved"], [9, "proved"], [11, "proved"]]

    # links that come while Python answers a question: the last alone is begun
    links = [check_link(text) for text in (changed, RIGHT, changed, WRONG)]
    begun = tab.value("window.begun")
    opening = "history.replaceState(null, '', `#${link}`); dispatchEvent(new HashChangeEvent('hashchange'));"
    tab.value(f"window.playground.ask('dpsym list'); for (const link of {json.dumps(links)}) {{ {opening} }}")
    assert verdicts(tab, WRONG) == [[7, "proved"], [9, "proved"], [11, "refuted"]]
    assert tab.value("window.begun") == begun + 1


@playground
def test_a_proof_that_comes_late_does_not_replace_what_was_opened_after_it(tab):
    tab.value("{ const get = fetch; window.fetch = async (...of) => { window.fetch = get; const got = await get(...of);"
              " await new Promise((then) => { window.release = then; }); return got; }; }")  # fmt: skip
    tab.value("location.hash = 'open=laplace_pure'")
    until(tab, "Boolean(window.release)")
    assert shown(tab, RIGHT) == [[7, "proved"], [9, "proved"], [11, "proved"]]
    tab.value("window.release(); new Promise((then) => setTimeout(then, 100))")
    assert tab.value("window.playground.view.state.doc.toString()") == RIGHT
    assert tab.value("location.hash") == f"#{check_link(RIGHT)}"


@playground
def test_conditions_that_nothing_satisfies_are_said_and_nothing_is_decided(tab):
    assert shown(tab, WRONG.replace("q: 0 < q < 1", "q: 0 < q < 0")) == []
    assert "no point" in tab.value("document.querySelector('.pg-summary').innerText")


@playground
def test_the_link_holds_a_question_and_its_plot(tab):
    state = {"run": 'dpsym account "gaussian(sigma=10) ** T" --at delta=1e-5 --at T=10', "form": "account",
             "f.mechanism": "gaussian(sigma=10) ** T", "f.at": "delta=1e-5, T=10", "f.plot": "T=10:1000"}  # fmt: skip
    tab.value(f"location.hash = {json.dumps(urlencode(state))}")
    until(tab, "document.querySelector('.pg-plot').dataset.state === 'there'")

    assert tab.value("document.querySelector('.pg-answer').innerText").strip() == here(state["run"])["output"].strip()
    assert tab.value("document.querySelectorAll('.pg-plot circle').length") == 11
    points = tab.value("[...document.querySelectorAll('.pg-plot circle title')].map(t => t.textContent)")
    last = json.loads(here('dpsym account "gaussian(sigma=10) ** 1000" --at delta=1e-5 --digits 4 --json')["output"])
    assert points[-1] == f"T = 1000: ε = {last['epsilon']['upper']}"


@playground
def test_stop_ends_what_is_computed_and_starts_anew(tab):
    tab.value("window.playground.ask('dpsym prove \"x^9 + y^9 + sin(x*y) >= -99\" --let \"x: real\" --let \"y: real\"')"
              " && document.querySelectorAll('.pg-right button')[1].click()")  # fmt: skip
    until(tab, "document.querySelector('.pg-state progress').hidden === false")
    until(tab, "document.querySelector('.pg-state progress').hidden")

    assert tab.value("window.playground.ask('dpsym evaluate 1/4')")["output"] == here("dpsym evaluate 1/4")["output"]


@playground
def test_nothing_is_asked_of_anybody_else(site, tab):
    address, log = site
    home = address.rpartition("/")[0]
    names = {re.match(r"GET (\S*) HTTP", line)[1] for line in log}

    assert [u for u in tab.asked if not u.startswith((home, "data:", "blob:"))] == []
    assert all(name.startswith(("/_playground/", "/index.html", "/favicon.ico")) for name in names)
    # what was computed since dpsym was loaded asked for nothing but modules that are needed seldom, and samples
    assert {"/_playground/native.bin", "/_playground/package.bin", "/_playground/pyodide.asm.wasm"} <= names
    assert all(line.startswith("GET ") and " HTTP/1.1" in line for line in log)


@playground
def test_samples_show_their_stored_answers_before_anything_is_loaded(site):
    with browsing() as found:
        found.show(390, 844)
        found.send("Network.setBlockedURLs", urls=["*pyodide*", "*.bin"])
        found.open(f"{site[0]}#open=wrong_linear_amplification")

        cards = "[...document.querySelectorAll('.pg-card .verdict')].map(v => v.innerText)"
        assert until(found, f"({cards}).length && {cards}") == ["proved", "refuted"]
        assert found.value("document.documentElement.scrollWidth") <= 390


@playground
def test_without_webassembly_the_page_says_so(site):
    with browsing() as found:
        found.send("Page.addScriptToEvaluateOnNewDocument", source="delete globalThis.WebAssembly")
        found.open(site[0])

        said = until(found, "document.querySelector('.pg-status')?.innerText")
        assert "no WebAssembly" in said
        assert "pip install dpsym" in said


# --- the links that lead to it


@pytest.mark.needs("docs", "playground")
def test_transcripts_lead_to_the_playground_where_they_need_no_files(tmp_path):
    (tmp_path / "conf.py").write_text(
        f"import sys\nsys.path[:0] = [{str(ROOT / 'docs' / '_extensions')!r}, {str(ROOT)!r}]\n"
        "extensions = ['myst_parser', 'playground']\nproject = 'x'\n"
    )
    blocks = [
        '$ dpsym derive "gaussian(sigma=2)" --to zcdp\n…',
        "$ dpsym check tests/derivations/wrong_squaring.txt\n…",
        "$ dpsym program docs/programs/mean.txt\n…",
        "$ dpsym plot renyi gaussian -o x.svg\n…",
    ]
    (tmp_path / "index.md").write_text("# x\n\n" + "\n\n".join(f"```console\n{b}\n```" for b in blocks))
    (tmp_path / "playground.md").write_text("---\norphan: true\n---\n# x\n\n<!-- playground -->\n")
    done = subprocess.run(  # noqa: S603 - our own
        [sys.executable, "-m", "sphinx", "-W", "-q", "-b", "html", str(tmp_path), str(tmp_path / "html")],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    links = re.findall(r'href="(playground\.html#[^"]*)"', (tmp_path / "html" / "index.html").read_text())

    assert links == [
        "playground.html#" + urlencode({"run": 'dpsym derive "gaussian(sigma=2)" --to zcdp'}),
        "playground.html#open=wrong_squaring",
    ]
    assert (tmp_path / "html" / "_playground" / "native.bin").is_file()
    assert 'id="live-playground"' in (tmp_path / "html" / "playground.html").read_text()


@pytest.mark.needs("docs")
def test_the_page_says_whether_it_was_built_and_is_never_left_from_before(tmp_path):
    made = tmp_path / "made"
    (tmp_path / "conf.py").write_text(
        f"import sys\nsys.path[:0] = [{str(ROOT / 'docs' / '_extensions')!r}, {str(ROOT)!r}]\n"
        f"from pathlib import Path\nimport playground\nplayground.SITE = Path({str(made)!r})\n"
        "playground.is_current = playground.SITE.exists\n"
        "extensions = ['myst_parser', 'playground']\nmyst_enable_extensions = ['colon_fence']\nproject = 'x'\n"
        "exclude_patterns = ['made', 'html']\n"
    )
    (tmp_path / "index.md").write_text('# x\n\n```console\n$ dpsym derive "gaussian(sigma=2)" --to zcdp\n```\n')
    text = (ROOT / "docs" / "playground.md").read_text(encoding="utf-8")
    (tmp_path / "playground.md").write_text(text.replace("hide-toc: true", "orphan: true"))

    def pages():
        done = subprocess.run(  # noqa: S603 - our own
            [sys.executable, "-m", "sphinx", "-W", "-q", "-b", "html", str(tmp_path), str(tmp_path / "html")],
            capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return [(tmp_path / "html" / f"{name}.html").read_text() for name in ("playground", "index")]

    def is_left_out():
        page, other = pages()
        assert "It was not built into this site" in page
        assert all(f'dpsym</span> <span class="pre">{verb}' in page for verb in ("check", "derive", "account", "prove"))
        assert "live-playground" not in page
        assert "playground.html#" not in other
        assert not (tmp_path / "html" / "_playground").exists()

    is_left_out()
    made.mkdir()
    (made / "samples.json").write_text('{"samples": []}')
    page, other = pages()
    assert 'id="live-playground"' in page
    assert "playground.html#" in other
    assert (tmp_path / "html" / "_playground" / "samples.json").is_file()
    shutil.rmtree(made)
    is_left_out()
