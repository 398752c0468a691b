# SPDX-License-Identifier: Apache-2.0
"""Uses boards as a person would, over a bad network, and looks whether anything is lost.

usage: test_live.py PROGRAM BROWSER FOLDER [TEST...]
PROGRAM is the built example Boards, BROWSER a Chromium, FOLDER where screenshots are kept.
PROSCENIUM_SLOW=3 in the environment gives everything three times as long.
"""

import contextlib
import http.server
import json
import os
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from browser import eventually
from desk import (CALM, POPUP, SAME_TAB, SLOW, Desk, add, check, click, expect, expect_kept, go,
                  is_alive, press, show, shown, write)


def test_plug(desk, _):
    """While a person types, lines are cut and the process is killed."""
    first = desk.first()
    second = desk.tab(first, POPUP)
    check(shown(first)["path"] != shown(second)["path"], "expected that two tabs have two boards")
    old = shown(first)["process"]
    text = " ".join(f"{number:02}" for number in range(40))
    click(first, "#draft")
    with desk.outage():
        for place, sign in enumerate(text):
            press(first, sign)
            if place == 60:
                click(second, "#press-plug")
            elif place % 9 == 0 and not 60 < place < 70:
                desk.proxy.cut()
            time.sleep(0.01)
        found = expect(first, "what was typed", **CALM, draft=text)
        check(found["process"] != old, "expected another process")
        press(first, "Enter")
        desk.proxy.cut()
        expect(first, "a note", **CALM, draft="", notes=[text])
        click(first, "#title")
        times = []
        while len(times) < 10:
            # The supervisor leaves a host dead that dies five times before it has run for a second.
            time.sleep(0 if len(times) % 4 else 1.1)
            times.append(recover(first, second))
        expect_kept(desk, first, draft="", notes=[text], title="." * 10)
    print("from the kill to connected, in s:", *(f"{one:.2f}" for one in times))
    check(max(times) <= SLOW, f"expected at most {SLOW} s")


def recover(first, second):
    """How long two tabs are not connected after their host was killed."""
    old = shown(first)["process"]
    begun = time.monotonic()
    os.kill(old, signal.SIGKILL)
    press(first, ".")
    for page in (first, second):
        eventually("a new process", lambda one=page: shown(one)["process"] not in (old, None)
                   and CALM.items() <= shown(one).items(), 10 * SLOW, 0.005)
    return time.monotonic() - begun


def test_history(desk, _):
    """A reload, back and forward keep the session; patches keep what was not sent."""
    page = desk.first()
    add(page, "one")
    write(page, "#draft", "half")
    before = expect(page, "a note and a draft", **CALM, notes=["one"], draft="half")
    client = "JSON.parse(sessionStorage['live:' + location.pathname.slice(3)]).client"
    name = page.ask(client)
    kept = {key: before[key] for key in ("path", "notes", "draft")}
    for way in ("location.reload()", "location = 'about:blank'", "location = '/live.css'"):
        go(page, way)
        if "reload" not in way:
            page.ask("history.back()")
        expect(page, f"the page after {way}", **CALM, **kept)
        check(page.ask(client) == name, f"expected the same client after {way}")
    with desk.outage():
        desk.proxy.go_offline("swallow")
        write(page, "#draft", "+")
        check(shown(page)["pending"] > 0, "expected a change that waits")
        desk.proxy.mode = "forward"
        go(page, "location.reload()")
        expect(page, "what had not arrived before a reload", **CALM, notes=["one"], draft="half+")
    page.ask("document.getElementById('draft').removeAttribute('data-input')")
    write(page, "#draft", "!")
    write(page, "#title", "Name")
    expect(page, "a patch that leaves a text alone", **CALM, title="Name", draft="half+!")
    click(page, "#done-1")
    expect(page, "a second patch", **CALM, done=[True], draft="half+!")
    write(page, "#draft", "?", "Enter")
    expect_kept(desk, page, path=kept["path"], notes=["one", "half+!?"], draft="", title="Name")


def test_copy(desk, _):
    """A copied tab has a session of its own."""
    page = desk.first()
    write(page, "#draft", "one", "Enter")
    path = expect(page, "a note", **CALM, notes=["one"])["path"]
    copy = desk.tab(page, "window.open(location.href) && 1", notes=[])
    expect(copy, "a board of its own", **CALM, others=["in the background"])
    check(shown(copy)["path"] != path, "expected that a copied tab has another address")
    write(copy, "#draft", "two", "Enter")
    expect_kept(desk, copy, notes=["two"])
    show(page)
    write(page, "#draft", "three", "Enter")
    expect_kept(desk, page, path=path, notes=["one", "three"])


def test_switcher(desk, _):
    """The switcher tells where the scene of another tab is."""
    first = desk.first()
    write(first, "#title", "First")
    add(first, "one")
    write(first, "#draft", "half")
    second = desk.tab(first)
    expect(first, "the first tab behind", isSeen=False)
    expect(second, "the first scene behind", isSeen=True, others=["in the background"])
    show(first)
    expect(second, "the second tab behind", isSeen=False)
    expect(first, "the second scene behind", others=["in the background"])
    third = desk.tab(first, POPUP)
    expect(third, "a window next to a tab", others=["in the background", "in the foreground"])
    expect(first, "a tab next to a window", isSeen=True)
    click(first, "#press-disconnect")
    expect(third, "the first scene disconnected", others=["in the background", "not in memory"])
    write(first, "#draft", "!")
    expect(third, "the first scene again", others=["in the background", "in the foreground"])
    expect(first, "what was typed", **CALM, scene=2, title="First", notes=["one"], draft="half!")
    expect_kept(desk, first, title="First", notes=["one"], draft="half!")


def test_takeover(desk, folder):
    """The same session in another tab takes it from the first one."""
    first = desk.first()
    write(first, "#draft", "one", "Enter")
    path = expect(first, "a note", **CALM, notes=["one"])["path"]
    second = desk.tab(first, SAME_TAB, path=path, notes=["one"])
    taken = "This page is open in another tab. Use it here"
    expect(first, "the first tab", state="stopped", status=taken)
    write(second, "#draft", "two", "Enter")
    expect(second, "both notes", **CALM, notes=["one", "two"])
    show(first)
    first.screenshot(os.path.join(folder, "taken-over.png"))
    click(first, "#live-status button")
    expect(first, "the first tab that was taken back", **CALM, notes=["one", "two"])
    expect(second, "the second tab", state="stopped", status=taken)
    write(first, "#draft", "three", "Enter")
    expect_kept(desk, first, path=path, notes=["one", "two", "three"])


def test_offline(desk, folder):
    """What is typed while the network is away arrives later."""
    page = desk.first()
    write(page, "#title", "Far")
    write(page, "#draft", "zero", "Enter")
    notes = ["zero"]
    expect(page, "a note", **CALM, title="Far", notes=notes)
    for mode in ("swallow", "refuse"):
        with desk.outage():
            desk.proxy.go_offline(mode)
            begun = time.time()
            write(page, "#draft", mode, "Enter", *"next", "Enter")
            write(page, "#title", "!")
            count = expect(page, "an offline page", notes=notes, state="connecting")["pending"]
            check(count > 2, f"expected 3 changes that wait or more, found {count}")
            expect(page, "an offline page", status=f"Reconnecting… {count} changes wait.")
            page.screenshot(os.path.join(folder, "reconnecting.png"))
            check(mode == "refuse" or time.time() > begun + 4, "expected more than the grace")
            desk.proxy.go_online()
            notes = notes + [mode, "next"]
            expect(page, "a page that is online", **CALM, notes=notes, draft="")
    expect_kept(desk, page, title="Far!!", notes=notes, draft="")


def test_release(desk, _):
    """Another release shows what the first one has kept."""
    page = desk.first(release=1)
    write(page, "#title", "Old")
    add(page, "one", "two")
    write(page, "#draft", "half")
    kept = {"title": "Old", "notes": ["one", "two"], "draft": "half"}
    expect(page, "two notes", **CALM, **kept, done=[])
    with desk.outage():
        desk.stop()
        desk.start("--release", "2")
        expect(page, "the second release", **CALM, **kept, done=[False, False], release=2)
    click(page, "#done-2")
    expect_kept(desk, page, **kept, done=[False, True], release=2)


def test_expiry(desk, _):
    """A session that is not used ends."""
    page = desk.first()
    write(page, "#draft", "one", "Enter")
    path = expect(page, "a note", **CALM, notes=["one"])["path"]
    go(page, "location = 'about:blank'")
    time.sleep(4)
    go(page, "history.back()")
    ended = "This session has ended. Start a new one"
    expect(page, "a tab without a session", state="stopped", status=ended, path=path)
    desk.tab(page, SAME_TAB, state="stopped", status=ended, path=path)
    show(page)
    page.ask("window.isOld = true")
    click(page, "#live-status button")
    new = expect(page, "a new board", **CALM, isOld=False, notes=[], draft="")
    check(new["path"] != path, "expected another session")


def test_pressure(desk, _):
    """Under memory pressure the scenes of tabs in the background go, and come again."""
    first = desk.first()
    add(first, "one")
    write(first, "#draft", "half")
    expect(first, "a note", **CALM, notes=["one"], draft="half")
    second = desk.tab(first)
    write(second, "#draft", "two", "Enter")
    third = desk.tab(second)
    expect(third, "two tabs behind", others=["in the background"] * 2)
    click(third, "#press-pressure")
    expect(third, "memory pressure", others=["not in memory"] * 2, scene=1)
    for page, notes, draft in ((first, ["one"], "half"), (second, ["two"], "")):
        show(page)
        expect(page, "a page that is here again", **CALM, scene=2, notes=notes, draft=draft)
        write(page, "#draft", "!")
        expect(page, "a scene that is here again", **CALM, scene=2, draft=draft + "!")
        expect_kept(desk, page, notes=notes, draft=draft + "!")


def test_keyboard(desk, _):
    """The page is used without a mouse, and has a name for all that is used."""
    page = desk.first()
    write(page, "#title", "Keys")
    press(page, "Tab", *"one", "Enter")
    expect(page, "a note", **CALM, notes=["one"], draft="")
    press(page, *"two", "Enter")
    expect(page, "two notes", **CALM, notes=["one", "two"], done=[False, False])
    page.ask("document.activeElement.blur()")
    go(page, "location.reload()")
    expect(page, "two notes", **CALM, notes=["one", "two"])
    order = []
    for _ in range(16):  # as many as there are below
        press(page, "Tab")
        order.append(page.ask("document.activeElement.id || document.activeElement.ariaLabel"
                              " || document.activeElement.textContent"))
    wanted = ["title", "draft", "Add", "done-1", "text-1", "Move up", "Remove", "done-2", "text-2",
              "Move up", "Remove", "Keys", "New board in a new tab", "press-disconnect",
              "press-pressure", "press-plug"]
    check(order == wanted, f"expected that the Tab key goes over {wanted}, not {order}")
    nodes = page.call("Accessibility.getFullAXTree")["nodes"]
    used = [(node["role"]["value"], node["name"]["value"]) for node in nodes if not node["ignored"]
            and node["role"]["value"] in ("button", "textbox", "checkbox", "link")]
    check(len(used) == len(wanted) and all(name for _, name in used),
          f"expected {len(wanted)} elements with names, found {used}")
    check(page.ask("document.querySelector('#notes[aria-live]') && document.querySelector("
                   "'#live-status[role=status]:empty') && 1"), "expected live regions")
    page.ask("document.getElementById('done-2').focus()")
    press(page, "Space", "Tab", "!", "Tab", "Enter")
    expect(page, "a note that was moved", **CALM, notes=["!", "one"], done=[True, False])
    check(page.ask("document.activeElement.ariaLabel") == "Move up", "the focus has moved")
    press(page, "Tab", "Space")
    expect(page, "a note that was removed", **CALM, notes=["one"])
    page.ask("document.getElementById('press-disconnect').focus()")
    press(page, "Enter")
    time.sleep(0.3)
    write(page, "#draft", "!")
    expect(page, "another scene", **CALM, scene=2, draft="!")
    page.ask("document.querySelector('#boards .more').focus()")
    new = desk.opened(lambda: press(page, "Enter"), notes=[])
    check(shown(new)["path"] != shown(page)["path"], "expected a board of its own")
    show(page)
    expect_kept(desk, page, notes=["one"], done=[False], title="Keys", draft="!")


def test_sizes(desk, folder):
    """Nothing lies outside of a wide and a narrow window."""
    page = desk.first()
    second = desk.tab(page)
    write(second, "#title", "W" * 100)
    show(page)
    write(page, "#title", "Groceries")
    notes = ["Bread", "Apples, if they are good", "A long note that does not fit " * 4 + "."]
    add(page, *notes)
    click(page, "#done-2")
    write(page, "#draft", "Tea")
    for width, height in ((1200, 800), (820, 800), (420, 900)):
        page.resize(width, height)
        expect(page, "the board", notes=notes, done=[False, True, False], draft="Tea")
        wide = page.ask("document.documentElement.scrollWidth")
        check(wide <= page.ask("innerWidth"), f"{wide} pixels in a window of {width}")
        page.screenshot(os.path.join(folder, f"boards-{width}.png"))
    expect_kept(desk, page, notes=notes, draft="Tea")


def test_safety(desk, _):
    """Pages of other origins, and scripts in a page, can do nothing."""
    page = desk.first()
    write(page, "#draft", "one", "Enter")
    before = expect(page, "a note", **CALM, notes=["one"])
    fields = page.ask("new URLSearchParams(new FormData(document.getElementById('do-plug'))) + ''")
    host = f"127.0.0.1:{desk.proxy.port}"
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Empty)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    foreign = desk.browser.opened_by(
        lambda: page.ask("window.open('about:blank', '_blank', 'noopener')", userGesture=True))
    for origin in (f"http://127.0.0.1:{server.server_port}/", "data:text/html,<title>x</title>"):
        foreign.open(origin, 800, 600)
        answer = foreign.ask(f"""new Promise((done) => {{
          const line = new WebSocket("ws://{host}/line");
          line.onopen = () => done("opened");
          line.onclose = () => done("failed"); }})""", awaitPromise=True)
        check(answer == "failed", f"{origin} has opened a line")
        foreign.ask(f"""{{
          const form = document.body.appendChild(document.createElement("form"));
          [form.method, form.action] = ["post", "http://{host}/do/plug"];
          for (const [name, value] of new URLSearchParams("{fields}")) {{
            Object.assign(form.appendChild(document.createElement("input")), {{ name, value }}); }}
          form.submit(); }}""")
        eventually("a refusal", lambda: foreign.ask("document.body?.textContent")
                   == "expected a request of a page of this host\n")
    server.shutdown()
    show(page)
    check(is_alive(before["process"]), "a page of another origin has pulled the plug")
    page.ask("""{
      const box = document.body.appendChild(document.createElement("div"));
      box.innerHTML = "<img src='x:' onerror='window.isHacked = 1'>";
      box.appendChild(document.createElement("script")).textContent = "window.isHacked = 1"; }""")
    eventually("a refused script", lambda: page.ask("1") and len(
        [line for line in page.console if "Content Security Policy" in line]) > 1)
    check(not page.ask("window.isHacked"), "an inline script runs")
    page.console = [line for line in page.console if "Content Security Policy" not in line]
    expect_kept(desk, page, notes=["one"], process=before["process"], scene=1)


class Empty(http.server.BaseHTTPRequestHandler):
    """Answers with an empty page."""

    def do_GET(self):
        """Answers a request."""
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()

    def log_message(self, *_):
        """Says nothing."""


# The first one measures times; of the others two run at once, those that wait for long first.
TESTS = {
    test_plug: [], test_offline: [], test_expiry: ["--expiry", "2", "--grace", "0"],
    test_release: ["--release", "1"], test_history: [], test_copy: [], test_switcher: [],
    test_takeover: [], test_pressure: [], test_keyboard: [], test_sizes: [], test_safety: [],
}


def run(test):
    """Runs a test with a host and a browser of its own."""
    program, chromium, folder = sys.argv[1:4]
    with open(os.path.join(folder, "boards.log"), "a", encoding="utf-8") as log, \
            contextlib.closing(Desk(program, chromium, log, TESTS[test])) as desk:
        try:
            test(desk, folder)
        except (AssertionError, OSError) as error:
            raise AssertionError(f"{test.__name__}: {error}") from error
        desk.check_consoles()
    print(test.__doc__, flush=True)


def main():
    """Runs all tests, or those that are named."""
    folder, *names = sys.argv[3:]
    os.makedirs(folder, exist_ok=True)
    first, *others = [test for test in TESTS if not names or test.__name__ in names]
    run(first)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(run, others))
    print(f"{len(others) + 1} passed, 0 failed; screenshots are in {folder}")


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("test-live: told to end"))
    try:
        main()
    except AssertionError as error:
        sys.exit(f"test-live: {error}")
