"""The documentation site: built with warnings as errors, then looked at in a real browser.

Run by `pytest -m site -n0`; needs the extra `docs`, and Chromium for the second half.
"""

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import pytest

from dpsym import catalogue

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(Path(__file__).parent))

from browser import browsing, served  # noqa: E402

pytestmark = [pytest.mark.site, pytest.mark.needs("docs")]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    if built_before := os.environ.get("DPSYM_SITE"):  # a folder of HTML, to look at it without building it again
        return Path(built_before)
    folder = tmp_path_factory.mktemp("site")
    built = subprocess.run(  # noqa: S603 - our own
        [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-j", "2", "-b", "html",
         "-d", str(folder / "doctrees"), str(ROOT / "docs"), str(folder / "html")],
        capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert built.returncode == 0, built.stderr
    return folder / "html"


@pytest.fixture(scope="module")
def address(site):
    with served(site) as found:
        yield found


@pytest.fixture(scope="module")
def page():
    with browsing() as found:
        yield found


class _Seen(HTMLParser):
    """The links, anchors and loaded resources of a page."""

    def __init__(self):
        super().__init__()
        self.links, self.anchors, self.loaded, self.mathematics = [], set(), [], 0

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.anchors.update(found[name] for name in ("id", "name") if found.get(name))
        if tag == "a" and found.get("href"):
            self.links.append(found["href"])
        if tag in {"script", "img", "iframe", "source", "video"} and found.get("src"):
            self.loaded.append(found["src"])
        if tag == "link" and found.get("rel") in {"stylesheet", "icon", "preload", "prefetch"}:
            self.loaded.append(found["href"])
        self.mathematics += tag == "math"


def read(path):
    seen = _Seen()
    seen.feed(path.read_text(encoding="utf-8"))
    return seen


@pytest.fixture(scope="module")
def pages(site):
    return {path.relative_to(site).as_posix(): read(path) for path in site.rglob("*.html")}


def test_every_link_leads_to_a_page_and_every_anchor_exists(pages, site):
    broken = []
    for name, seen in pages.items():
        for link in seen.links:
            target, anchor = urldefrag(unquote(link))
            if urlsplit(target).scheme in {"http", "https", "mailto"}:
                continue
            where = urljoin(f"/{name}", target).lstrip("/") if target else name
            if where.endswith("/") or not where:
                where += "index.html"
            if (where not in pages and not (site / where).is_file()) or (
                anchor and where in pages and anchor not in pages[where].anchors
            ):
                broken.append((name, link))

    assert broken == []


def test_nothing_is_loaded_from_another_address(pages, site):
    foreign = re.compile(r"^(?:https?:)?//")
    styles = "".join(path.read_text(encoding="utf-8") for path in site.rglob("*.css"))

    assert [(name, x) for name, seen in pages.items() for x in seen.loaded if foreign.match(x)] == []
    assert re.findall(r"url\([\"']?(?:https?:)?//[^)]*\)", styles) == []
    assert "@import" not in styles


def test_every_entry_has_a_page_with_its_formulas_and_the_worth_of_its_proof(pages, site):
    for folder, entries in (("definitions", catalogue.definitions()), ("mechanisms", catalogue.mechanisms())):
        for name in entries:
            assert pages[f"catalogue/{folder}/{name}.html"].mathematics > 0
    for result in catalogue.results():
        assert pages[f"catalogue/results/{result}.html"].mathematics > 0
    for theorem in catalogue.theorems().values():
        text = (site / f"catalogue/theorems/{theorem.id}.html").read_text(encoding="utf-8")

        assert f'<span class="verdict {catalogue.status(theorem)}">' in text
        assert pages[f"catalogue/theorems/{theorem.id}.html"].mathematics > 0


def test_each_line_of_a_proof_shows_what_was_recorded_for_it(site):
    for theorem in catalogue.theorems().values():
        record, file = catalogue.record_of(theorem), catalogue.proof_of(theorem)
        if record is None or file.suffix != ".md":
            continue
        text = (site / f"catalogue/theorems/{theorem.id}.html").read_text(encoding="utf-8")
        for verdict in {step.verdict for step in record.steps}:
            lines = {step.line for step in record.steps if step.verdict is verdict}
            shown = len(re.findall(rf'<mtext class="verdict {verdict}">', text))
            reasons = len(re.findall(rf'<td><p><span class="verdict {verdict}">', text))

            assert reasons == sum(step.verdict is verdict for step in record.steps)
            assert 0 < shown <= len(lines)


def test_every_command_is_described(site):
    text = (site / "api/commands.html").read_text(encoding="utf-8")

    for name in ("derive", "prove", "check", "evaluate", "show", "list", "plot epsilon", "proofs", "verify"):
        assert f"Usage: dpsym {name}" in text


@pytest.mark.needs("chromium")
def test_search_finds_an_entry(page, address):
    page.open(f"{address}/search.html?q=advanced+composition")

    found = page.until("[...document.querySelectorAll('ul.search a')].map(a => a.getAttribute('href')).join(' ')")
    assert "catalogue/theorems/advanced_composition.html" in found


@pytest.mark.needs("chromium")
def test_search_that_finds_nothing_says_so(page, address):
    page.open(f"{address}/search.html?q=zyxwvut")

    assert page.until("document.querySelector('#search-results .search-summary, #search-results p')?.innerText")
    assert page.value("document.querySelectorAll('ul.search a').length") == 0


@pytest.mark.needs("chromium")
@pytest.mark.parametrize(
    "name", ["catalogue/theorems/zcdp_to_approx", "catalogue/mechanisms/gaussian", "catalogue/theorems/pure_to_gdp"]
)
def test_mathematics_is_drawn_in_the_font_of_the_site(page, address, name):
    page.show(1280, 900)
    page.open(f"{address}/{name}.html")
    page.value("document.querySelectorAll('details').forEach(d => d.open = true)")
    page.value("document.fonts.ready.then(() => 1)")

    assert page.value("document.fonts.check('16px \"LM Math Subset\"')")
    assert page.value(
        "[...document.querySelectorAll('math')].every(m => { const r = m.getBoundingClientRect();"
        " return r.width > 0 && r.height > 0; })"
    )
    stacked = "(m => m.querySelector('mfrac').firstChild.getBoundingClientRect().bottom <="
    stacked += " m.querySelector('mfrac').lastChild.getBoundingClientRect().top + 1)"
    assert page.value(f"[...document.querySelectorAll('math')].filter(m => m.querySelector('mfrac')).every({stacked})")
    assert "$$" not in page.value("document.querySelector('article').innerText")


@pytest.mark.needs("chromium")
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize(
    "name", ["index", "catalogue/index", "catalogue/theorems/zcdp_to_approx", "published-statements", "api/commands"]
)
def test_a_page_is_no_wider_than_the_screen(page, address, name, width):
    page.show(width, 900)
    page.open(f"{address}/{name}.html")

    assert page.value("document.documentElement.scrollWidth") <= width


@pytest.mark.needs("chromium")
def test_the_map_leads_to_the_theorems(page, address):
    page.show(1280, 900)
    page.open(f"{address}/catalogue/index.html")
    arrows = page.value("document.querySelectorAll('.route-map a.arrow').length")
    conversions = [
        t for t in catalogue.theorems().values()
        if t.setting.name == "SAME" and len(t.premises) == 1 and t.premises[0].definition is not t.conclusion.definition
    ]  # fmt: skip
    page.value("location.href = document.querySelector('.route-map a[href*=\"zcdp_to_approx\"]').href.baseVal")

    assert arrows == len(conversions)
    assert page.until("document.querySelector('h1')?.innerText.startsWith('zCDP implies approximate DP')")


@pytest.mark.needs("chromium")
def test_the_page_is_dark_where_the_screen_is(page, address):
    def brightness(script):
        return sum(map(int, re.findall(r"\d+", page.value(script))[:3]))

    for dark in (False, True):
        page.show(390, 900, dark=dark)
        page.open(f"{address}/catalogue/theorems/zcdp_to_approx.html")
        ground = brightness("getComputedStyle(document.body).backgroundColor")
        ink = brightness("getComputedStyle(document.querySelector('math')).color")

        assert (ink - ground > 350) if dark else (ground - ink > 350)


@pytest.mark.needs("chromium")
def test_no_request_leaves_the_site(page, address):
    page.asked.clear()
    page.failed.clear()
    for name in ("index", "catalogue/index", "catalogue/mechanisms/gaussian", "api/deriving", "search"):
        page.open(f"{address}/{name}.html")

    assert [u for u in page.asked if not u.startswith((address, "data:"))] == []
    assert [u for u in page.failed if not u.endswith("/favicon.ico")] == []
    assert any(u.startswith(address) for u in page.asked)
