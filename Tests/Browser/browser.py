# SPDX-License-Identifier: Apache-2.0
"""Drives a headless Chromium through its debugging protocol, with the standard library alone."""

import base64
import json
import os
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import urllib.request


class Page:
    """A page; everything that its console says is kept."""

    def __init__(self, address):
        self.number = 0
        self.console = []
        self.link = Link(address)
        for domain in ("Runtime", "Log", "Page"):
            self.call(domain + ".enable")

    def call(self, method, **parameters):
        """Calls a method of the protocol, and returns its result."""
        self.number += 1
        self.link.send(json.dumps(
            {"id": self.number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.link.receive())
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise AssertionError(f"{method}: {answer['error']}")
                return answer["result"]
            self.note(answer)

    def note(self, event):
        """Keeps what the console says that is worse than a remark."""
        parameters = event.get("params", {})
        method = event.get("method")
        if method == "Runtime.exceptionThrown":
            self.console.append(json.dumps(parameters)[:400])
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.console.append(json.dumps(parameters["entry"])[:400])
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning"):
            self.console.append(json.dumps(parameters["args"])[:400])

    def resize(self, width, height):
        """Gives the window a size."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)

    def open(self, address, width, height):
        """Opens a page in a window of a size."""
        self.resize(width, height)
        self.call("Page.navigate", url=address)
        eventually("the page is loaded", lambda: self.ask("document.readyState") == "complete")

    def ask(self, expression, **parameters):
        """What an expression of the page's language is."""
        answer = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, **parameters)
        if "exceptionDetails" in answer:
            raise AssertionError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def screenshot(self, path):
        """Keeps what the window shows."""
        data = self.call("Page.captureScreenshot")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))


class Browser(Page):
    """A browser with its first page."""

    def __init__(self, program):
        self.folder = tempfile.mkdtemp()
        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--remote-debugging-port=0", "--user-data-dir=" + self.folder, "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.link = None
        try:
            self.port, pages = eventually("the browser has started", self.first_page, seconds=60)
            super().__init__((self.port, path_of(pages[0])))
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends the browser and removes what it has written."""
        if self.link:
            self.link.close()
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def first_page(self):
        """The port of the debugger and its pages, once there is one."""
        with open(os.path.join(self.folder, "DevToolsActivePort"), encoding="utf-8") as file:
            port = int(file.readline())
        pages = pages_at(port)
        return (port, pages) if pages else None

    def opened_by(self, act):
        """The page that an act opens."""
        before = {one["id"] for one in pages_at(self.port)}
        act()
        found = eventually("a new page", lambda: [
            one for one in pages_at(self.port) if one["id"] not in before])
        return Page((self.port, path_of(found[0])))


def pages_at(port):
    """The pages that a debugger knows."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/json", timeout=5) as answer:
        return [page for page in json.load(answer) if page["type"] == "page"]


def path_of(page):
    """The path at which a page's debugger is."""
    return page["webSocketDebuggerUrl"].split("/", 3)[3]


class Link:
    """The client's side of a web socket on 127.0.0.1."""

    def __init__(self, address):
        port, path = address
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((
            f"GET /{path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n").encode())
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += self.take(1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise AssertionError(f"the browser refused the connection: {head!r}")

    def close(self):
        """Ends the connection."""
        self.socket.close()

    def take(self, count):
        """The next bytes."""
        data = b""
        while len(data) < count:
            part = self.socket.recv(count - len(data))
            if not part:
                raise AssertionError("the browser has ended the connection")
            data += part
        return data

    def send(self, text):
        """Sends a text in one frame."""
        data = text.encode()
        mask = os.urandom(4)
        if len(data) < 126:
            length = bytes([0x80 | len(data)])
        elif len(data) < 1 << 16:
            length = bytes([0x80 | 126]) + struct.pack(">H", len(data))
        else:
            length = bytes([0x80 | 127]) + struct.pack(">Q", len(data))
        masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(data))
        self.socket.sendall(b"\x81" + length + mask + masked)

    def receive(self):
        """The next text, of as many frames as it has."""
        text = b""
        while True:
            first, length = self.take(2)
            length &= 0x7F
            if length == 126:
                length = struct.unpack(">H", self.take(2))[0]
            elif length == 127:
                length = struct.unpack(">Q", self.take(8))[0]
            data = self.take(length)
            if first & 0x0F < 8:
                text += data
                if first & 0x80:
                    return text.decode()


def eventually(what, ask, seconds=30, pause=0.1):
    """What a question is answered with, as soon as that is something."""
    end = time.monotonic() + seconds
    problem = None
    while time.monotonic() < end:
        try:
            answer = ask()
            if answer:
                return answer
        except (OSError, IndexError, ValueError) as error:
            problem = error
        time.sleep(pause)
    raise AssertionError(f"after {seconds} s: not {what} ({problem})")
