# SPDX-License-Identifier: Apache-2.0
"""Opens the report and the live page as a person would, and looks whether they show what they should.

usage: test_pages.py PROGRAM BROWSER FOLDER
PROGRAM is the built program, BROWSER a Chromium, FOLDER where screenshots are kept.
"""

import json
import os
import re
import subprocess
import sys
import threading

from browser import Browser, eventually

SIZES = [(1300, 900), (420, 900)]

# The size in pixels of every line that a chart has drawn, and of every chart.
DRAWN = """JSON.stringify(Array.from(document.querySelectorAll('figure.chart')).map(figure => ({
  id: figure.id, width: figure.querySelector(':scope > svg').getBoundingClientRect().width,
  lines: Array.from(figure.querySelectorAll(':scope > svg polyline')).map(line => {
    const box = line.getBoundingClientRect();
    return [box.width, getComputedStyle(line).stroke];
  })})))"""


def check(condition, sentence):
    """Ends the test with a sentence, unless a condition holds."""
    if not condition:
        raise AssertionError(sentence)


def check_charts(browser, least):
    """Every chart is as wide as it can be, and has lines across it that can be seen."""
    charts = json.loads(browser.ask(DRAWN))
    check(len(charts) >= least, f"expected {least} charts or more, found {len(charts)}")
    for chart in charts:
        check(chart["width"] > 250, f"{chart['id']} is {chart['width']} pixels wide")
        check(chart["lines"], f"{chart['id']} has no line")
        for width, stroke in chart["lines"]:
            check(width > chart["width"] / 3, f"{chart['id']} has a line of {width} pixels")
            check(stroke.startswith("rgb"), f"{chart['id']} has a line without a colour")


def check_page(browser, what):
    """Nothing lies outside of the window, and the console has nothing to complain of."""
    width, window = browser.ask("document.documentElement.scrollWidth"), browser.ask("innerWidth")
    check(width <= window, f"{what} is {width} pixels wide in a window of {window}")
    check(not browser.console, f"the console of {what} says {browser.console}")


def test_report(program, browser, folder):
    """The report of a load test."""
    page = os.path.join(folder, "report.html")
    subprocess.run(
        [program, "load", "--sessions", "500", "--connected", "200", "--rate", "1000",
         "--duration", "5s", "--warmup", "0s", "--disconnects", "50", "--store", "memory",
         "--quiet", "--report", page], check=True, stdout=subprocess.DEVNULL)
    for width, height in SIZES:
        browser.open("file://" + os.path.abspath(page), width, height)
        check_charts(browser, 6)
        check(browser.ask("document.querySelector('.verdict.held').textContent") == "✓ held",
              "the report does not show its verdict")
        check(browser.ask("document.querySelectorAll('rect.strip').length") > 2,
              "the report does not show the faults")
        check(browser.ask("""Array.from(document.querySelectorAll('figure.chart > svg')).every(svg =>
            svg.getAttribute('aria-labelledby').split(' ').every(id =>
                document.getElementById(id)?.textContent.length > 5))"""),
              "a chart has no title or no sentence")
        check_page(browser, "the report")
        browser.screenshot(os.path.join(folder, f"report-{width}.png"))
    print("the report: charts, verdict and faults are shown")


def test_dashboard(program, browser, folder):
    """The live page of a load test that goes on until the test ends it."""
    load = subprocess.Popen(
        [program, "load", "--sessions", "200", "--connected", "200", "--rate", "200",
         "--duration", "10m", "--warmup", "0s", "--disconnects", "0", "--discards", "0",
         "--mix", "message=1", "--store", "memory", "--dashboard"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    # A process that hangs is ended.
    watchdog = threading.Timer(120, load.kill)
    watchdog.start()
    try:
        found = {}
        while "token" not in found:
            line = load.stdout.readline()
            check(line, "the program ended without a page")
            match = re.match(r"(dashboard|token for its buttons): (\S+)", line)
            if match:
                found[match[1].split()[0]] = match[2]
        for width, height in SIZES:
            browser.open(found["dashboard"], width, height)
            eventually("charts", lambda: browser.ask(
                "document.querySelectorAll('figure.chart polyline').length") > 10)
            eventually("lines of several seconds", lambda: browser.ask(
                "document.querySelector('figure.chart > svg polyline')"
                "?.getAttribute('points').split(' ').length >= 4"))
            check_charts(browser, 5)
            check_moves(browser)
            strike(browser, found["token"])
            check_page(browser, "the live page")
            browser.screenshot(os.path.join(folder, f"dashboard-{width}.png"))
        load.send_signal(2)
        rest = load.stdout.read()
        check(load.wait() == 0 and rest.endswith("\nheld, stopped early\n"),
              f"the load test ended with {rest!r}")
    finally:
        watchdog.cancel()
        load.kill()
        load.wait()
    print("the live page: charts move, and an injected disconnect is shown")


def check_moves(browser):
    """The charts are drawn again."""
    points = "document.querySelector('figure.chart > svg polyline').getAttribute('points')"
    before = browser.ask(points)
    eventually("a chart that moves", lambda: browser.ask(points) != before)


def strike(browser, token):
    """Disconnects the scene of a card with its button, and waits until the page says so."""
    browser.ask(f"document.getElementById('db-token').value = '{token}'")
    button = "document.querySelector('button[data-action=disconnect]')"
    session = eventually("a card", lambda: browser.ask(f"{button}?.dataset.session"))
    browser.ask(f"{button}.click()")
    eventually("an answer", lambda: browser.ask(
        "document.getElementById('db-answer').textContent"))
    name = session[-8:]
    eventually(f"the end of scene {name}", lambda: browser.ask(
        f"""Array.from(document.querySelectorAll('#db-events li')).some(item =>
            item.textContent.includes('{name}')
            && item.textContent.includes('disconnected: by the system'))"""))


def main():
    """Runs all tests."""
    program, chromium, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    for test in (test_report, test_dashboard):
        with Browser(chromium) as browser:
            test(program, browser, folder)
    print(f"2 passed, 0 failed; screenshots are in {folder}")


if __name__ == "__main__":
    try:
        main()
    except AssertionError as error:
        sys.exit(f"test-browser: {error}")
