# SPDX-License-Identifier: Apache-2.0
"""Boards in tabs of a browser, behind a proxy, and what a person does with them."""

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

from browser import Browser
from proxy import Proxy

SLOW = float(os.environ.get("PROSCENIUM_SLOW", "1"))

# What a page shows.
SHOWN = r"""(() => {
  const get = (query, key = "textContent") => document.querySelector(query)?.[key] ?? "";
  const all = (query, key = "textContent") =>
    [...document.querySelectorAll(query)].map((one) => one[key]);
  const life = /Scene (\d+) .* process (\d+), release (\d)/.exec(get("#life")) ?? [];
  return JSON.stringify({
    state: life.length || get("#live-status") ? document.body.dataset.state : "empty",
    status: get("#live-status"),
    pending: +(document.documentElement?.dataset.pending ?? 0),
    title: get("#title", "value"), draft: get("#draft", "value"),
    notes: all("#notes [type=text]", "value"), done: all("#notes [type=checkbox]", "checked"),
    others: all("#sessions li:not(:has([aria-current=page])) .state").sort(),
    scene: +life[1], process: +life[2], release: +life[3],
    path: location.pathname, isOld: window.isOld ?? false, isSeen: !document.hidden,
  });
})()"""
CALM = {"state": "connected", "status": "", "pending": 0}
POPUP = "window.open('/', '_blank', 'popup') && 1"  # a window that does not hide the other one
SAME_TAB = "window.open(location.href, '_blank', 'noopener')"  # without a copy of the storage

# What the browser itself says of a network that fails.
NETWORK = re.compile('"source": "network", "level": "error", "text": "(WebSocket connection to '
                     '\'[^\']*/line[^\']*\' failed: |Failed to load resource: net::ERR_)')


def check(condition, sentence):
    """Ends the test with a sentence, unless a condition holds."""
    if not condition:
        raise AssertionError(sentence)


class Desk:
    """A host with a folder, a proxy before it, and a browser whose tabs are watched."""

    def __init__(self, program, chromium, log, options):
        self.program = program
        self.log = log
        self.folder = tempfile.mkdtemp()
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.host = None
        self.outages = []
        self.proxy = Proxy(self.port)
        # A process that hangs is ended.
        self.watchdog = threading.Timer(60 * SLOW, self.kill)
        self.watchdog.start()
        try:
            self.start(*options)
            self.browser = Browser(chromium)
            self.pages = [self.browser]
        except BaseException:
            self.close()
            raise

    def close(self):
        """Ends everything."""
        self.watchdog.cancel()
        self.kill()
        self.proxy.close()
        if hasattr(self, "browser"):
            self.browser.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, *options):
        """Starts the host."""
        self.host = subprocess.Popen(
            [self.program, "--port", str(self.port), "--folder", self.folder, "--grace", "3",
             *options], stdout=subprocess.PIPE, stderr=self.log, text=True)
        check("boards are at" in self.host.stdout.readline(), "the host does not start")

    def children(self):
        """The processes that the host has started."""
        found = subprocess.run(
            ["pgrep", "-P", str(self.host.pid)], stdout=subprocess.PIPE, text=True, check=False)
        return [int(one) for one in found.stdout.split()]

    def stop(self):
        """Ends the host as a service is ended."""
        children = self.children()
        self.host.terminate()
        code = self.host.wait(timeout=10 * SLOW)
        check(code == 0, f"expected that the host ends with 0, not with {code}")
        check(len(children) == 1, f"expected one server, found {children}")
        check(not is_alive(children[0]), "the server lives longer than its supervisor")

    def kill(self):
        """Ends the host and what it has started."""
        if self.host and self.host.poll() is None:
            children = self.children()
            self.host.kill()
            self.host.wait()
            for child in children:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)

    def first(self, **wanted):
        """The first tab, with a new board."""
        self.browser.open(f"http://127.0.0.1:{self.proxy.port}/", 1200, 800)
        expect(self.browser, "a new board", **CALM, notes=[], **wanted)
        return self.browser

    def tab(self, page, expression="window.open('/') && 1", **wanted):
        """The tab that an expression opens in another one."""
        return self.opened(lambda: page.ask(expression, userGesture=True), **wanted)

    def opened(self, act, **wanted):
        """The tab that an act opens."""
        self.pages.append(self.browser.opened_by(act))
        expect(self.pages[-1], "a new tab", **{**CALM, **wanted})
        return self.pages[-1]

    @contextlib.contextmanager
    def outage(self):
        """While it lasts, the browser may complain of the network."""
        begun = time.time()
        yield
        self.outages.append((begun * 1000, time.time() * 1000))

    def check_consoles(self):
        """No console says anything but that the network failed while it did."""
        for page in self.pages:
            shown(page)
            for line in page.console:
                date = float(re.search(r'"timestamp": ([\d.]+)', line)[1])
                isOutage = any(begun <= date <= end for begun, end in self.outages)
                check(isOutage and NETWORK.search(line), f"the console of a tab says {line}")


def is_alive(process):
    """Whether a process has not ended."""
    found = subprocess.run(["ps", "-o", "stat=", "-p", str(process)],
                           stdout=subprocess.PIPE, text=True, check=False)
    return found.stdout.strip()[:1] not in ("", "Z")


def shown(page):
    """What a page shows."""
    return json.loads(page.ask(SHOWN))


def expect(page, what, **wanted):
    """Waits until a page shows what is wanted, and returns all that it shows."""
    end = time.monotonic() + 20 * SLOW
    while True:
        try:
            last = shown(page)
        except AssertionError as error:
            last = {"problem": error}  # The document is being replaced.
        found = {key: last.get(key) for key in wanted}
        if found == wanted:
            return last
        check(time.monotonic() < end, f"{what}: expected {wanted}, the page shows {found or last}")
        time.sleep(0.02)


def expect_kept(desk, page, **wanted):
    """The page, the page after a reload, and a new tab of its session show what is wanted."""
    expect(page, "the page", **CALM, **wanted)
    go(page, "location.reload()")
    path = expect(page, "the page after a reload", **CALM, **wanted)["path"]
    return desk.tab(page, SAME_TAB, **{**wanted, "path": path})


def go(page, expression):
    """Waits until an expression has replaced the document."""
    page.ask("window.isOld = true")
    page.ask(f"setTimeout(() => {expression}, 0) && 1")
    expect(page, expression, isOld=False)


def press(page, *keys):
    """Presses keys: signs, or names of keys."""
    texts = {"Enter": ("\r", 13), "Space": (" ", 32), "Tab": ("", 9)}
    for key in keys:
        text, code = texts.get(key, (key, 0))
        parts = {"key": text if key == "Space" else key, "windowsVirtualKeyCode": code}
        page.call("Input.dispatchKeyEvent", type="keyDown", text=text, **parts)
        page.call("Input.dispatchKeyEvent", type="keyUp", **parts)


def click(page, query):
    """Clicks where an element is, as far as something else is not there."""
    x, y = json.loads(page.ask(f"""(() => {{
        const one = document.querySelector("{query}");
        one.scrollIntoView({{ block: "center" }});
        const box = one.getBoundingClientRect();
        return JSON.stringify([box.x + box.width / 2, box.y + box.height / 2]); }})()"""))
    for kind in ("mousePressed", "mouseReleased"):
        page.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)


def write(page, query, text, *rest):
    """Types into a field, then presses other keys."""
    click(page, query)
    press(page, *text, *rest)


def add(page, *notes):
    """Adds notes to a board without notes."""
    for place, note in enumerate(notes):
        write(page, "#draft", note, "Enter")
        expect(page, "a note", **CALM, notes=list(notes[:place + 1]), draft="")


def show(page):
    """Brings a tab forward."""
    page.call("Page.bringToFront")
    expect(page, "a tab that was brought forward", isSeen=True)
