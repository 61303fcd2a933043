"""The language server, driven by a client as an editor would."""

import asyncio
import sys

import pytest
from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

from dpsym.editing import diagnostics, path_of

TRUE, FALSE = "$$ \\sqrt{4} \\le 2 $$\n", "$$ 3 \\le 2 $$\n"


class Client(LanguageClient):
    def __init__(self):
        super().__init__("test", "1")
        self.published = asyncio.Queue()
        self.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda said: self.published.put_nowait(said))  # noqa: PLW0108 - pygls marks what it is given


async def session(folder, talk):
    client = Client()
    await client.start_io(sys.executable, "-m", "dpsym", "lsp", "--time-limit", "5")
    await client.initialize_async(lsp.InitializeParams(capabilities=lsp.ClientCapabilities(), root_uri=folder.as_uri()))
    client.initialized(lsp.InitializedParams())
    try:
        return await asyncio.wait_for(talk(client), 120)
    finally:
        await client.shutdown_async(None)
        client.exit(None)
        await client.stop()


def test_an_editor_is_told_what_a_check_finds_and_again_when_the_text_changes(tmp_path):
    uri = (tmp_path / "paper.md").as_uri()

    async def talk(client):
        document = lsp.TextDocumentItem(uri, "markdown", 1, f"Text\n\n{TRUE}\n{FALSE}\n")
        client.text_document_did_open(lsp.DidOpenTextDocumentParams(document))
        first = await client.published.get()
        (refuted,) = [d for d in first.diagnostics if d.code == "refuted"]
        assert (first.uri, refuted.range.start.line) == (uri, 4)
        assert refuted.severity is lsp.DiagnosticSeverity.Error
        assert "at every point" in refuted.message

        here = lsp.TextDocumentIdentifier(uri)
        whole = lsp.Range(lsp.Position(0, 0), lsp.Position(9, 0))
        hints = await client.text_document_inlay_hint_async(lsp.InlayHintParams(here, whole))
        assert {h.position.line: h.label.split()[-1] for h in hints} == {2: "proved", 4: "refuted"}
        hover = await client.text_document_hover_async(lsp.HoverParams(here, lsp.Position(2, 5)))
        assert hover.contents.value.startswith("proved")

        now = lsp.VersionedTextDocumentIdentifier(2, uri)
        change = lsp.TextDocumentContentChangeWholeDocument(f"Text\n\n{TRUE}")
        client.text_document_did_change(lsp.DidChangeTextDocumentParams(now, [change]))
        assert not [d for d in (await client.published.get()).diagnostics if d.code == "refuted"]
        client.text_document_did_close(lsp.DidCloseTextDocumentParams(here))
        assert not (await client.published.get()).diagnostics

    asyncio.run(session(tmp_path, talk))


def test_what_cannot_be_read_at_all_is_said_at_its_line():
    (only,) = diagnostics({"problem": "line 3: it says", "line": 3}, "a\nb\nc\n")
    assert (only.range.start.line, only.severity) == (2, lsp.DiagnosticSeverity.Error)


@pytest.mark.parametrize(
    ("uri", "name"), [("file:///a%20b/c.tex", "/a b/c.tex"), ("untitled:Untitled-1.md", "Untitled-1.md")]
)
def test_the_file_of_a_document(uri, name):
    assert str(path_of(uri)) == name
