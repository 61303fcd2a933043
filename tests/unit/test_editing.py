"""The language server, driven by a client as an editor would."""

import asyncio
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

from dpsym import editing
from dpsym.editing import diagnostics, path_of

EDITORS = Path(__file__).parents[2] / "docs"
TRUE, FALSE = "$$ \\sqrt{4} \\le 2 $$\n", "$$ 3 \\le 2 $$\n"


class Client(LanguageClient):
    def __init__(self):
        super().__init__("test", "1")
        self.published = asyncio.Queue()
        self.version = 0
        self.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda said: self.published.put_nowait(said))  # noqa: PLW0108 - pygls marks what it is given

    def opens(self, uri, text, language="markdown"):
        self.version = 1
        document = lsp.TextDocumentItem(uri, language, 1, text)
        self.text_document_did_open(lsp.DidOpenTextDocumentParams(document))

    def changes(self, uri, text):
        self.version += 1
        now = lsp.VersionedTextDocumentIdentifier(self.version, uri)
        change = lsp.TextDocumentContentChangeWholeDocument(text)
        self.text_document_did_change(lsp.DidChangeTextDocumentParams(now, [change]))

    async def told(self):
        """What is found of the latest text, when all of it was checked."""
        while True:
            said = await self.published.get()
            whole = not any(d.message.startswith("the check was interrupted") for d in said.diagnostics)
            if said.version == self.version and whole:
                return said.diagnostics

    async def actions(self, uri, found):
        here, context = lsp.TextDocumentIdentifier(uri), lsp.CodeActionContext([found])
        return await self.text_document_code_action_async(lsp.CodeActionParams(here, found.range, context))


async def _session(folder, talk):
    client = Client()
    env = {"XDG_CACHE_HOME": str(folder / "cache"), "PYTHONPATH": ":".join(sys.path), "PATH": "", "HOME": str(folder)}
    await client.start_io(sys.executable, "-m", "dpsym", "lsp", "--time-limit", "5", env=env)
    await client.initialize_async(lsp.InitializeParams(capabilities=lsp.ClientCapabilities(), root_uri=folder.as_uri()))
    client.initialized(lsp.InitializedParams())
    try:
        return await asyncio.wait_for(talk(client, (folder / "paper.md").as_uri()), 120)
    finally:
        await client.shutdown_async(None)
        client.exit(None)
        await client.stop()


@pytest.fixture
def session(tmp_path):
    return lambda talk: asyncio.run(_session(tmp_path, talk))


def kept(folder):
    return {path.name: path.stat().st_mtime_ns for path in (folder / "cache").rglob("*.json")}


@pytest.mark.slow
def test_an_editor_is_told_what_a_check_finds_and_again_when_the_text_changes(session):
    async def talk(client, uri):
        client.opens(uri, f"Then\n\n{TRUE}\n{FALSE}\n")
        (refuted,) = [d for d in await client.told() if d.code == "refuted"]
        assert (refuted.range.start.line, refuted.severity) == (4, lsp.DiagnosticSeverity.Error)
        assert "at every point" in refuted.message

        here = lsp.TextDocumentIdentifier(uri)
        whole = lsp.Range(lsp.Position(0, 0), lsp.Position(9, 0))
        hints = await client.text_document_inlay_hint_async(lsp.InlayHintParams(here, whole))
        assert {h.position.line: h.label.split()[-1] for h in hints} == {2: "proved", 4: "refuted"}
        hover = await client.text_document_hover_async(lsp.HoverParams(here, lsp.Position(2, 5)))
        assert hover.contents.value.startswith("proved")

        client.changes(uri, f"Then\n\n{TRUE}")
        assert not [d for d in await client.told() if d.code == "refuted"]
        client.text_document_did_close(lsp.DidCloseTextDocumentParams(here))
        while (await client.published.get()).diagnostics:
            pass

    session(talk)


@pytest.mark.slow
def test_a_suggestion_is_put_in_and_then_holds(session):
    text = "Let $q \\in (0, 1)$; $𝔼𝔼$ and then $$ q \\leq q^2. $$\n"

    async def talk(client, uri):
        client.opens(uri, text)
        (failing,) = [d for d in await client.told() if d.code == "fails"]
        assert "at q = " in failing.message
        assert "suggestion: the reversed relation holds" in failing.message
        assert failing.range.start.character == len(text.partition("q \\leq")[0].encode("utf-16-le")) // 2
        (action,) = await client.actions(uri, failing)
        assert list(action.diagnostics) == [failing]
        (edit,) = action.edit.changes[uri]
        line = text.encode("utf-16-le")
        start, end = (2 * place.character for place in (edit.range.start, edit.range.end))
        assert line[start:end].decode("utf-16-le") == "\\leq"
        client.changes(uri, (line[:start] + edit.new_text.encode("utf-16-le") + line[end:]).decode("utf-16-le"))
        assert not [d for d in await client.told() if d.code in ("fails", "refuted")]

    session(talk)


@pytest.mark.slow
def test_what_was_decided_is_not_decided_again(session, tmp_path):
    async def talk(client, uri):
        client.opens(uri, TRUE + FALSE)
        await client.told()
        before = kept(tmp_path)
        assert len(before) == 2
        client.text_document_did_save(lsp.DidSaveTextDocumentParams(lsp.TextDocumentIdentifier(uri)))
        await client.told()
        assert kept(tmp_path) == before
        client.changes(uri, f"More.\n\n{FALSE}\n$$ 5 \\le 7 $$\n{TRUE}")
        await client.told()
        after = kept(tmp_path)
        assert len(after) == 3
        assert before.items() <= after.items()

    session(talk)


@pytest.mark.slow
def test_a_change_stops_the_check_of_the_text_before(session):
    long = "".join(f"$$ \\sum_{{n=1}}^{{\\infty}} \\frac{{\\sin(n^2 x)}}{{n^2}} \\le {c} $$\n" for c in range(2, 400))

    async def talk(client, uri):
        client.opens(uri, long)  # more than the session has time for
        await client.published.get()
        client.changes(uri, FALSE)
        assert [d.code for d in await client.told()] == ["refuted"]

    session(talk)


@pytest.mark.slow
def test_what_is_no_document_is_said_and_the_session_goes_on(session):
    async def talk(client, uri):
        client.opens(uri, "---\nlet:\n  - x > 1\n  - x < 0\n---\n\n$$ x = x $$\n")
        assert [d.code for d in await client.told()] == ["unreadable"]
        client.changes(uri, "a\0b")
        assert [d.code for d in await client.told()] == ["unreadable"]
        client.changes(uri, f"{FALSE}\n$$ \\foo{{\\{{}} = 1 $$ \n$$ x")
        assert {d.code for d in await client.told()} == {"refuted", "unread"}
        client.opens("untitled:Untitled-1", FALSE)
        assert [d.code for d in await client.told()] == ["refuted"]

    session(talk)


def test_what_cannot_be_read_at_all_is_said_at_its_line():
    (only,) = diagnostics({"problem": "line 3: it says", "line": 3}, "a\nb\nc\n")
    assert (only.range.start.line, only.severity) == (2, lsp.DiagnosticSeverity.Error)


@pytest.mark.parametrize(
    ("uri", "name"), [("file:///a%20b/c.tex", "/a b/c.tex"), ("untitled:Untitled-1.md", "Untitled-1.md")]
)
def test_the_file_of_a_document(uri, name):
    assert str(path_of(uri)) == name


def test_what_was_not_reached_is_not_shown_and_what_was_open_is_asked_once(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    editing._known.cache_clear()
    text = TRUE + "$$ \\sum_{n=1}^{\\infty} \\frac{\\sin(n^2 x)}{n^2} \\le 2 $$\n"
    first, second = (editing.checked(text, "a.md", 1.0) for _ in range(2))
    assert [s["verdict"] for s in first["steps"]] == [s["verdict"] for s in second["steps"]] == ["proved", "open"]
    assert [(s["cached"]) for s in second["steps"]] == [True, True]
    monkeypatch.setattr(editing, "_wanted", [7])
    assert editing.checked(text, "a.md", 1.0, slot=0, version=6) == {"interrupted": True}
    editing._known.cache_clear()


@pytest.mark.parametrize(("name", "text"), [("a.log", FALSE), ("requirements.txt", "numpy\nscipy >= 1.2 ; a\n")])
def test_of_a_text_that_is_no_derivation_nothing_is_said(name, text):
    assert diagnostics(editing.checked(text, name, 1.0), text) == []


SCRIPT = """
const started = [];
const modules = {
  vscode: { workspace: { getConfiguration: () => ({ get: () => %s }) } },
  "vscode-languageclient/node": { LanguageClient: class {
    constructor(id, server, client) { started.push({ id, server, client }); }
    start() {} stop() { started.push("stopped"); }
  } },
};
const load = require("module")._load;
require("module")._load = (name, ...rest) => modules[name] || load(name, ...rest);
const extension = require(%s);
extension.activate(); extension.deactivate();
console.log(JSON.stringify(started));
"""


@pytest.mark.needs("node")
def test_the_extension_starts_the_command_for_the_languages_that_wake_it():
    folder = EDITORS / "editors" / "vscode"
    package = json.loads((folder / "package.json").read_text())
    command = package["contributes"]["configuration"]["properties"]["dpsym.command"]["default"]
    script = SCRIPT % (json.dumps(command), json.dumps(str(folder / package["main"])))
    done = subprocess.run(["node", "-e", script], capture_output=True, text=True, timeout=60, check=True)  # noqa: S603, S607 - ours
    client, stopped = json.loads(done.stdout)
    assert [client["server"]["command"], *client["server"]["args"]] == command == ["dpsym", "lsp"]
    languages = {f"onLanguage:{one['language']}" for one in client["client"]["documentSelector"]}
    assert languages == set(package["activationEvents"])
    assert stopped == "stopped"


def test_the_command_in_the_page_for_editors_is_one():
    (command,) = re.findall(r'cmd = \{ "dpsym", "(\w+)" \}', (EDITORS / "editors.md").read_text())
    asked = [sys.executable, "-m", "dpsym", command, "--help"]
    done = subprocess.run(asked, capture_output=True, timeout=60, check=False)  # noqa: S603 - our own
    assert done.returncode == 0
