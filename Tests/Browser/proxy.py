# SPDX-License-Identifier: Apache-2.0
"""Stands between a browser and a host on 127.0.0.1, and fails as a network does."""

import socket
import struct
import threading


class Proxy:
    """Forwards a port to another one; `mode` is what happens to what comes.

    It is `forward`, `refuse` (new lines are reset), or `swallow` (nothing comes through, and the
    browser is not told).
    """

    def __init__(self, target):
        self.target = target
        self.mode = "forward"
        self.lines = set()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def close(self):
        """Ends all lines, and takes no more."""
        self.mode = "refuse"
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.cut()

    def cut(self):
        """Ends all lines, half of them by a reset."""
        for number, line in enumerate(list(self.lines)):
            line.end(isReset=number % 2 == 0)

    def go_offline(self, mode):
        """Nothing comes through any more; the host sees that its lines have ended."""
        self.mode = mode
        if mode == "refuse":
            self.cut()
        for line in list(self.lines):
            stop(line.host, socket.SHUT_RDWR)

    def go_online(self):
        """All is forwarded again, on new lines: the old ones have lost something."""
        self.mode = "forward"
        self.cut()

    def accept(self):
        """Takes lines until the listener is closed."""
        while True:
            try:
                browser = self.listener.accept()[0]
            except OSError:
                return
            browser.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            Line(self, browser).begin()

    def change(self, data, _):
        """What is forwarded instead of data that came; a test of the tests replaces it."""
        return data


class Line:
    """A connection of the browser, and the one to the host that belongs to it."""

    def __init__(self, proxy, browser):
        self.proxy = proxy
        self.browser = browser
        self.host = None
        self.pumps = []

    def begin(self):
        """Forwards in threads, unless the host cannot be reached."""
        try:
            if self.proxy.mode == "refuse":
                raise ConnectionRefusedError
            if self.proxy.mode == "forward":
                self.host = socket.create_connection(("127.0.0.1", self.proxy.target))
                self.host.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError:
            reset(self.browser)
            self.browser.close()
            return
        self.proxy.lines.add(self)
        ways = [(self.browser, self.host), (self.host, self.browser)]
        self.pumps = [
            threading.Thread(target=self.pump, args=way, daemon=True) for way in ways if way[0]]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        """Closes both sides when nothing more is read from either."""
        for pump in self.pumps:
            pump.start()
        for pump in self.pumps:
            pump.join()
        self.proxy.lines.discard(self)
        for side in filter(None, (self.browser, self.host)):
            side.close()

    def pump(self, source, sink):
        """Forwards what comes from one side, and its end."""
        try:
            while data := source.recv(1 << 16):
                if self.proxy.mode == "forward" and sink:
                    sink.sendall(self.proxy.change(data, source is self.browser))
        except OSError:
            reset(sink)
        if self.proxy.mode != "swallow":
            stop(sink, socket.SHUT_RDWR)

    def end(self, isReset):
        """Ends both sides."""
        for side in (self.browser, self.host):
            if isReset:
                reset(side)
                stop(side, socket.SHUT_RD)
            else:
                stop(side, socket.SHUT_RDWR)


def reset(side):
    """Lets the end of a side be a reset."""
    if side and side.fileno() >= 0:
        side.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def stop(side, how):
    """Wakes who reads from a side."""
    try:
        if side:
            side.shutdown(how)
    except OSError:
        pass  # It has ended already.
