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
                anchor
                and where in pages
                and anchor not in pages[where].anchors
                and where != "playground.html"  # its fragment is what it shows
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
    "name",
    [
        "index",
        "proofs",
        "catalogue/index",
        "catalogue/theorems/zcdp_to_approx",
        "published-statements",
        "api/commands",
        "guides/dp-sgd",
        "guides/histogram",
        "glossary",
        "catalogue/mechanisms/laplace",
    ],
)
def test_a_page_is_no_wider_than_the_screen(page, address, name, width):
    page.show(width, 900)
    page.open(f"{address}/{name}.html")
    cut = "[...document.querySelectorAll('CUT')].filter(x => x.scrollWidth > x.clientWidth + 1).length"

    assert page.value("document.documentElement.scrollWidth") <= width
    assert page.value(cut.replace("CUT", ".table-wrapper")) == 0  # a wide table is set smaller, or becomes a list
    assert page.value(cut.replace("CUT", ".highlight pre:not(:has(.go-Columns))")) == 0  # lines are broken
    assert page.value(
        "[...document.querySelectorAll('article .verdict')].every(x => x.getBoundingClientRect().right <= innerWidth)"
    )


@pytest.mark.needs("chromium")
def test_the_map_leads_to_the_theorems(page, address):
    page.show(1280, 900)
    page.open(f"{address}/catalogue/index.html")
    arrows = page.value("document.querySelectorAll('.route-map a.arrow').length")
    conversions = [
        t for t in catalogue.theorems().values()
        if t.setting.name == "SAME" and len(t.premises) == 1 and t.premises[0].definition is not t.conclusion.definition
    ]  # fmt: skip
    page.value("location.href = document.querySelector('.route-map a[href$=\"/zcdp_to_approx.html\"]').href.baseVal")

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


FAINT = """(() => {
  document.querySelectorAll('details').forEach(part => part.open = true);
  const brush = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const known = new Map();
  const colour = name => {
    if (!known.has(name)) {
      brush.clearRect(0, 0, 1, 1); brush.fillStyle = name; brush.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = brush.getImageData(0, 0, 1, 1).data;
      known.set(name, [[r, g, b], a / 255]);
    }
    return known.get(name);
  };
  const over = ([ink, share], ground) => ink.map((part, i) => share * part + (1 - share) * ground[i]);
  const above = node => node ? [...above(node.parentElement), node] : [];
  const light = rgb => rgb.map(part => part / 255)
    .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, i) => sum + [0.2126, 0.7152, 0.0722][i] * part, 0);
  const faint = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text; text = texts.nextNode();) {
    const node = text.parentElement, place = document.createRange();
    place.selectNodeContents(text);
    if (!text.data.trim() || !place.getBoundingClientRect().width) continue;
    if (!node.checkVisibility({opacityProperty: true, visibilityProperty: true})) continue;
    const around = above(node).map(each => getComputedStyle(each));
    const ground = around.reduce((below, style) => over(colour(style.backgroundColor), below), [255, 255, 255]);
    const opacity = around.reduce((product, style) => product * style.opacity, 1);
    const [ink, share] = colour(node.ownerSVGElement ? around.at(-1).fill : around.at(-1).color);
    const [dark, bright] = [light(ground), light(over([ink, share * opacity], ground))].sort((a, b) => a - b);
    const ratio = (bright + 0.05) / (dark + 0.05);
    if (ratio < LEAST) faint.push(`${ratio.toFixed(2)} ${node.className} ${text.data.trim().slice(0, 40)}`);
  }
  return faint.slice(0, 10);
})()""".replace("LEAST", "4.5")  # what the guidelines of the W3C ask of text at level AA


@pytest.mark.needs("chromium")
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_no_text_is_faint(page, address, dark):
    page.show(1280, 900, dark=dark)
    for name in (
        "index", "guides/dp-sgd", "tutorial", "python", "glossary", "proofs", "published-statements", "api/commands",
        "catalogue/index", "catalogue/mechanisms/gaussian", "catalogue/theorems/zcdp_to_approx", "adding/mechanism",
        "catalogue/bibliography", "catalogue/notebooks/from_mechanism_to_budget", "search",
    ):  # fmt: skip
        page.open(f"{address}/{name}.html")

        assert (name, page.value(FAINT)) == (name, [])


@pytest.mark.needs("chromium")
def test_no_request_leaves_the_site(page, address):
    page.asked.clear()
    page.failed.clear()
    for name in (
        "index",
        "catalogue/index",
        "catalogue/mechanisms/gaussian",
        "api/deriving",
        "guides/teaching",
        "search",
    ):
        page.open(f"{address}/{name}.html")

    assert [u for u in page.asked if not u.startswith((address, "data:"))] == []
    assert [u for u in page.failed if not u.endswith("/favicon.ico")] == []
    assert any(u.startswith(address) for u in page.asked)


def test_an_entry_begins_with_a_sentence_and_a_formula_and_names_what_is_like_it(site):
    for name in ("laplace", "gaussian", "geometric", "discrete_gaussian"):
        text = (site / f"catalogue/mechanisms/{name}.html").read_text(encoding="utf-8")
        article = text[text.index("<h1>") :]
        after = re.findall(r"<(p|h2|div class=\"display\")[ >]", article)

        assert after[:2] == ["p", 'div class="display"']
        assert "<h2>See also" in article
        assert re.search(
            rf'current-page"><a class="current reference internal" href="#">{name[:5]}', text, re.IGNORECASE
        )
    approximate = (site / "catalogue/theorems/zcdp_to_approx.html").read_text(encoding="utf-8")
    assert "<h2>See also" in approximate
    better = (site / "catalogue/theorems/rdp_to_approx_improved.html").read_text(encoding="utf-8")
    assert "<h2>Tighter than" in better


def test_no_fraction_is_set_as_small_as_an_exponent(site):
    exponent = re.compile(r"<msup>(?:(?!<msup>|</msup>).)*<mfrac>(?:(?!<msup>|</msup>).)*</msup>", re.DOTALL)
    for page in (site / "catalogue" / "mechanisms").glob("*.html"):
        closed_forms = page.read_text(encoding="utf-8").split("<h2>Output distributions")[0]
        shown = re.sub(r"<details.*?</details>", "", closed_forms, flags=re.DOTALL)  # proofs are as they were written
        for power in exponent.findall(shown):
            base, _, raised = power.rpartition("</mrow>")
            assert "<mfrac>" not in raised, page.name
            assert base


def test_what_a_command_prints_is_no_prompt(site):
    prompts = set()
    for page in site.rglob("*.html"):
        for block in re.findall(r'<div class="highlight-console.*?</pre>', page.read_text(encoding="utf-8"), re.DOTALL):
            prompts |= set(re.findall(r'<span class="gp">(.*?)</span>', block))

    assert prompts == {"$ "}


def test_words_of_the_glossary_lead_to_it(pages, site):
    terms = {anchor for anchor in pages["glossary.html"].anchors if anchor.startswith("term-")}
    tutorial = (site / "tutorial.html").read_text(encoding="utf-8")

    assert {"term-discharged", "term-nothing-lost", "term-root", "term-dominating-pair"} <= terms
    assert re.search(r'<a class="term" href="glossary.html#term-discharged">discharged</a>', tutorial)
    assert sum(any("glossary.html#term-" in link for link in seen.links) for seen in pages.values()) > len(pages) / 2


def test_each_guide_is_offered_as_a_notebook(site):
    guides = {path.stem for path in (ROOT / "docs" / "guides").glob("*.md")} - {"index"}

    assert len(guides) >= 8
    for name in guides:
        page = (ROOT / "docs" / "guides" / f"{name}.md").read_text(encoding="utf-8")
        assert "\n![" in page and "```python\n>>> " in page, f"a picture and Python in {name}"
        text = (site / f"guides/{name}.html").read_text(encoding="utf-8")
        (notebook,) = re.findall(r'href="\.\./(_downloads/[^"]*\.ipynb)"', text)
        assert '"nbformat": 4' in (site / notebook).read_text(encoding="utf-8")


def first_result(page, address, words):
    page.open(f"{address}/search.html?q={words.replace(' ', '+')}")
    return page.until("document.querySelector('ul.search a')?.getAttribute('href')")


@pytest.mark.needs("chromium")
@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("laplace", "catalogue/mechanisms/laplace.html"),
        ("gaussian", "catalogue/mechanisms/gaussian.html"),
        ("zcdp", "catalogue/definitions/zcdp.html"),
        ("DP-SGD", "guides/dp-sgd.html"),
        ("histogram", "guides/histogram.html"),
        ("Mir17", "catalogue/bibliography.html"),
        ("advanced composition", "catalogue/theorems/advanced_composition.html"),
    ],
)
def test_search_finds_first_what_is_called_so(page, address, words, found):
    assert first_result(page, address, words).partition("#")[0] == found


@pytest.mark.needs("chromium")
@pytest.mark.parametrize(
    "words", ["privacy loss", "privacy loss distribution", "privacy budget", "dominating pair", "discharged"]
)
def test_search_finds_the_words_of_the_glossary(page, address, words):
    first_result(page, address, words)
    every = page.value(
        "[...document.querySelectorAll('ul.search a')].slice(0, 8).map(a => a.getAttribute('href')).join(' ')"
    )

    assert "glossary.html" in every


@pytest.mark.needs("chromium")
@pytest.mark.parametrize("words", ["privacy", "DP-SGD", "Mir17"])
def test_search_ends_and_shows_something_of_each_page(page, address, words):
    first_result(page, address, words)

    assert "Search finished" in page.until(
        "(said => said.startsWith('Search finished') && said)(document.querySelector('.search-summary').innerText)"
    )
    shown = "document.querySelectorAll('ul.search > li').length"
    assert 0 < page.value(shown) <= 40
    page.until(f"document.querySelectorAll('ul.search > li > :is(.context, span)').length >= {shown}")


@pytest.mark.needs("chromium")
def test_the_proofs_can_be_filtered_by_words_and_by_verdict(page, address):
    page.open(f"{address}/proofs.html")
    every = page.until("document.querySelectorAll('tbody tr').length")
    page.value("document.querySelector('.filter input').value = 'zcdp gaussian'")
    page.value("document.querySelector('.filter select').value = 'proved'")
    page.value("document.querySelector('.filter').dispatchEvent(new Event('input'))")
    left = page.value(
        "[...document.querySelectorAll('tbody tr')].filter(row => row.offsetHeight).map(r => r.innerText)"
    )

    assert 0 < len(left) < every
    assert all("proved" in row and "gaussian" in row.lower() and "zcdp" in row.lower() for row in left)
    assert page.value("document.querySelector('.filter output').value") == f"{len(left)} of {every} rows"


def test_the_first_page_speaks_of_differential_privacy_and_leads_to_dp_sgd(site):
    text = (site / "index.html").read_text(encoding="utf-8")
    first = re.search(r"<h1>.*?<p>(.*?)\.", text, re.DOTALL)

    assert "differential privacy" in re.sub(r"<[^>]*>|\s+", " ", first[1])
    assert re.search(r'class="cards doors">\s*<a href="guides/dp-sgd.html">', text)


@pytest.mark.needs("chromium")
def test_formulas_survive_in_what_a_search_shows(page, address):
    assert "catalogue/" in first_result(page, address, "zcdp implies approximate")
    page.until("document.querySelectorAll('ul.search .context').length > 0")

    assert page.until("document.querySelector('ul.search .context p + * msqrt') !== null")  # the formula below it
    assert page.value("[...document.querySelectorAll('ul.search .context [id]')].length") == 0


@pytest.mark.needs("chromium")
def test_a_command_is_copied_without_its_prompt_and_output(page, address):
    page.open(f"{address}/guides/reviewing.html")
    page.until("document.querySelector('.highlight-console button.copybtn') !== null")
    copied = page.value(
        "(() => { document.execCommand = () => { window.copied = document.querySelector('body > textarea').value;"
        " return true; }; document.querySelector('.highlight-console button.copybtn').click();"
        " return window.copied; })()"
    )

    assert copied.startswith("dpsym prove ")
    assert all(line.startswith("dpsym ") for line in copied.splitlines())


@pytest.mark.needs("chromium")
def test_a_radical_of_a_report_covers_what_is_below_it_in_the_font_that_it_carries(page, tmp_path):
    from dpsym.checking import check_document
    from dpsym.language.documents.document import read_document
    from dpsym.rendering.report_page import as_page

    paper = r"For $x > 0$: $$ \sqrt{\frac{x + 1}{x^2 + 1}} \le \sqrt{x + 1} $$"
    report = check_document(read_document(paper, kind="markdown"))
    (tmp_path / "report.html").write_text(as_page([report]), encoding="utf-8")
    with served(tmp_path) as folder:
        page.asked.clear()
        page.open(f"{folder}/report.html")
        page.value("document.fonts.load('16px \"LM Math Signs\"', '\\u221a').then(() => 1)")

        assert page.value(
            "[...document.fonts].filter(f => f.family.includes('LM Math Signs')).every(f => f.status == 'loaded')"
        )
        assert page.value("document.querySelectorAll('msqrt').length") > 0
        assert page.value(
            "[...document.querySelectorAll('msqrt')].every(r => { const a = r.getBoundingClientRect(),"
            " b = r.firstElementChild.getBoundingClientRect();"
            " return a.top <= b.top && a.bottom + 1 >= b.bottom && a.left < b.left && a.right + 1 >= b.right; })"
        )
        assert [u for u in page.asked if not u.startswith((folder, "data:"))] == []
