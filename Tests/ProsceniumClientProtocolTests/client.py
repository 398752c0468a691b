#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A client in another language: checks the page's examples, and talks to a host on a port.

usage: client.py PAGE PORT ADDRESS
"""
import socket, sys

def number(n):
    out = b""
    while n >= 0x80:
        out, n = out + bytes([n & 0x7F | 0x80]), n >> 7
    return out + bytes([n])

def take(data):
    n = shift = 0
    for place, byte in enumerate(data):
        n |= (byte & 0x7F) << shift
        if byte < 0x80:
            return n, data[place + 1:]
        shift += 7
    raise ValueError("half a number")

def hello(client, next, seen=None, address="", flags=1):
    seen_bytes = number(seen[0]) + number(seen[1]) if seen else b""
    flags |= 4 if seen else 0
    return bytes([1, 1]) + bytes.fromhex(client) + bytes([flags]) + number(next) + seen_bytes + address.encode()

def read(data):
    """A host's message as the page writes it."""
    kind, rest = data[0], data[1:]
    if kind == 17:
        epoch, rest = take(rest[1:])
        last, rest = take(rest)
        return f"welcome {epoch} last {last} reset {rest[0]}" + (" watches" if rest[1] else "")
    if kind == 18:
        epoch, rest = take(rest)
        count, rest = take(rest)
        return f'frame {epoch}/{count} "{rest.decode()}"'
    if kind == 19:
        return f"acknowledged {take(rest)[0]}"
    if kind == 20:
        return f'move "{rest.decode()}"'
    return " ".join(["end", str(rest[0])] + ([str(take(rest[1:])[0])] if rest[1:] else []))

CLIENT = "00112233445566778899aabbccddeeff"
page, port, address = sys.argv[1], int(sys.argv[2]), sys.argv[3]
for line in open(page, encoding="utf-8").read().split("## Examples")[1].split("```")[1].strip().split("\n"):
    text, digits = line.split("  ", 1)
    data = bytes.fromhex(digits.replace(" ", ""))
    if data[0] > 16:
        assert read(data) == text, (read(data), text)
assert hello(CLIENT, 300, (4294967297, 7), "a").hex() == "010100112233445566778899aabbccddeeff05ac0281808080100761"

def connect(first):
    line = socket.create_connection(("127.0.0.1", port)).makefile("rwb")
    send(line, first)
    return line

def send(line, message):
    line.write(number(len(message)) + message)
    line.flush()

def receive(line):
    length = shift = 0
    while True:
        byte = line.read(1)[0]
        length, shift = length | (byte & 0x7F) << shift, shift + 7
        if byte < 0x80:
            return read(line.read(length))

line = connect(hello(CLIENT, 1, address=address))
welcome = receive(line)
epoch = int(welcome.split()[1])
print(welcome.replace(str(epoch), "E"), receive(line).replace(str(epoch), "E"), sep="\n")
for n in (1, 2, 2):
    send(line, bytes([2]) + number(n) + b"py"[n - 1:n])
got = []
while 'frame %d/3 "+y"' % epoch not in got or "acknowledged 2" not in got:
    got.append(receive(line))
line.close()
line = connect(hello(CLIENT, 3, (epoch, 2), address))
print(receive(line).replace(str(epoch), "E"), receive(line).replace(str(epoch), "E"), sep="\n")
