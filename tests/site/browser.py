"""A headless Chromium, spoken to over its debugging protocol, and a server of a folder."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
import threading
import time
from base64 import b64decode
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.request import urlopen

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PATIENCE = 120.0


def executable() -> str | None:
    """The browser, where there is one."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_arguments):
        """Say nothing."""


@contextmanager
def served(folder: Path):
    """The address under which the folder is served."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


class BetweenPages(RuntimeError):
    """A script could not run, since the tab was on its way from one page to another."""


class Page:
    """One tab; every address that it asks for is in `asked`."""

    def __init__(self, address: str) -> None:
        import websocket

        self._socket = websocket.create_connection(address, timeout=PATIENCE, suppress_origin=True)
        self._number = 0
        self.asked: list[str] = []
        self.failed: list[str] = []
        self._loaded = 0
        for domain in ("Page", "Network", "Runtime"):
            self.send(f"{domain}.enable")

    def send(self, method: str, **parameters: object) -> dict:
        """A command and its answer."""
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._socket.recv())
            if message.get("id") == self._number:
                if "error" in message:
                    left = re.search(r"context|navigated", str(message["error"]))
                    raise (BetweenPages if left else RuntimeError)(f"{method}: {message['error']}")
                return message["result"]
            self._note(message)

    def _note(self, message: dict) -> None:
        parameters = message.get("params", {})
        if message.get("method") == "Network.requestWillBeSent":
            self.asked.append(parameters["request"]["url"])
        elif message.get("method") == "Network.responseReceived" and parameters["response"]["status"] >= 400:
            self.failed.append(parameters["response"]["url"])
        elif message.get("method") == "Page.loadEventFired":
            self._loaded += 1

    def close(self) -> None:
        """Say nothing more."""
        self._socket.close()

    def open(self, address: str) -> None:
        """Go there and wait until it is loaded."""
        before = self._loaded
        self.send("Page.navigate", url=address)
        deadline = time.monotonic() + PATIENCE
        while self._loaded == before:
            if time.monotonic() > deadline:
                raise TimeoutError(address)
            with suppress(BetweenPages):
                self.value("1")
            time.sleep(0.02)

    def value(self, script: str) -> object:
        """What a script evaluates to."""
        found = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            raise RuntimeError(found["exceptionDetails"]["text"])
        return found["result"].get("value")

    def until(self, script: str) -> object:
        """The first value of the script that is true."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            with suppress(BetweenPages):
                if found := self.value(script):
                    return found
            time.sleep(0.05)
        raise TimeoutError(script)

    def show(self, width: int, height: int, *, dark: bool = False) -> None:
        """The size of the screen, and whether it is dark."""
        self.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 700
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[scheme])

    def picture(self, path: Path) -> None:
        """What is on the screen, as PNG."""
        path.write_bytes(b64decode(self.send("Page.captureScreenshot", format="png")["data"]))


@contextmanager
def browsing():
    """A tab of a browser of its own."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(  # noqa: S603 - the browser
            [
                executable(), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                "--no-first-run", "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
                "--remote-debugging-port=0", f"--user-data-dir={profile}", "about:blank",
            ],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        page = None
        try:
            page = Page(_first_tab(Path(profile) / "DevToolsActivePort"))
            yield page
        finally:
            if page is not None:
                page.close()
            process.terminate()
            process.wait(timeout=30)


def _first_tab(told: Path) -> str:
    deadline = time.monotonic() + PATIENCE
    while not (told.exists() and told.read_text().strip()):
        if time.monotonic() > deadline:
            raise TimeoutError("the browser did not start")
        time.sleep(0.05)
    port = told.read_text().splitlines()[0]
    while True:
        with urlopen(f"http://127.0.0.1:{port}/json/list", timeout=PATIENCE) as answer:
            tabs = [tab for tab in json.load(answer) if tab["type"] == "page"]
        if tabs:
            return tabs[0]["webSocketDebuggerUrl"]
        time.sleep(0.05)
