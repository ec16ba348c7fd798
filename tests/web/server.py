#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the server of `brazier view --web` with raw requests, hostile ones as well.

usage: server.py [TEST...]
"""
import json
import os
import pathlib
import re
import resource
import signal
import socket
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
import common  # noqa: E402

PATIENCE = 60  # seconds after which a test fails that waits for something


class Server:
    """A running `brazier view --web`."""

    def __init__(self, folder, *words, **variables):
        self.process = subprocess.Popen(
            [common.BRAZIER, "--no-config", "view", "--web", "--no-open", *words], cwd=folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **variables})
        self.address = self.process.stdout.readline().strip()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/", self.address)
        if found is None:
            raise AssertionError(f"no address: {self.address!r} {self.process.communicate()}")
        self.port, self.token = int(found[1]), found[2]
        self.host = f"127.0.0.1:{self.port}"

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)

    def raw(self, data):
        """Sends bytes, and returns all that is answered until the server closes the connection."""
        answer = b""
        with self.connect() as s:
            try:
                s.sendall(data)
                s.shutdown(socket.SHUT_WR)
                while piece := s.recv(65536):
                    answer += piece
            except OSError:  # closed before all was read or sent
                pass
        return answer

    def ask(self, path, method="GET", host=None, more=""):
        """Returns (status, headers, body)."""
        answer = self.raw(f"{method} {path} HTTP/1.1\r\nHost: {host or self.host}\r\nConnection: close\r\n{more}\r\n".encode())
        head, _, body = answer.partition(b"\r\n\r\n")
        lines = head.decode("latin1").split("\r\n")
        headers = {k.lower(): v for k, _, v in (line.partition(": ") for line in lines[1:])}
        return int(lines[0].split()[1]) if lines[0] else None, headers, body

    def get(self, name, **more):
        return self.ask(f"/{self.token}/{name}", **more)

    def events(self):
        """Opens a stream of events, and returns a file to read it."""
        s = self.connect()
        s.sendall(f"GET /{self.token}/events HTTP/1.1\r\nHost: {self.host}\r\n\r\n".encode())
        return s, s.makefile("rb")

    def end(self):
        self.process.send_signal(signal.SIGINT)
        out, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out, err


def next_version(stream):
    """Returns the number of the next event, among beats and chunk sizes."""
    while line := stream.readline():
        if line.startswith(b"data: "):
            return int(line[6:])
    return None


class Web(common.Case):
    def setUp(self):
        super().setUp()
        self.write("x.folded", common.STACKS)

    def start(self, *words, **variables):
        server = Server(self.dir, *(words or ("x.folded",)), **variables)
        self.addCleanup(server.process.stdout.close)
        self.addCleanup(server.process.stderr.close)
        self.addCleanup(server.process.wait)
        self.addCleanup(server.process.kill)
        return server

    # ---- what is there

    def test_the_page_is_that_of_run(self):
        server = self.start()
        page = subprocess.run([common.BRAZIER, "--no-config", "run", "x.folded", "-t", "html"], cwd=self.dir,
                              capture_output=True, check=True).stdout
        self.assertEqual(page, server.get("page")[2])
        self.assertIn(b"<iframe", server.get("")[2])
        self.assertEqual({"editor": "vscode://file{file}:{line}", "folder": os.path.realpath(self.dir)},
                         json.loads(server.get("settings")[2]))

    def test_options_of_the_page_and_comparisons_are_possible(self):
        self.write("y.folded", common.STACKS.replace("40", "50"))
        server = self.start("x.folded", "y.folded", "--title", "Before and after")
        self.assertIn(b"<title>Before and after", server.get("page")[2])

    def test_an_interrupt_ends_it(self):
        server = self.start()
        server.events()
        self.assertEqual((130, ""), server.end()[:2])

    @unittest.skipIf(os.environ.get("BRAZIER_SANITIZE") == "thread", "ThreadSanitizer needs files of its own")
    def test_a_file_for_the_browser_that_cannot_be_written_is_removed(self):
        (self.dir / "run").mkdir()
        p = subprocess.Popen(
            [common.BRAZIER, "--no-config", "view", "--web", "x.folded"], cwd=self.dir, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "BROWSER": "true", "XDG_RUNTIME_DIR": str(self.dir / "run")},
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)))
        self.assertTrue(p.stdout.readline().startswith("http://127.0.0.1:"))
        p.send_signal(signal.SIGINT)
        self.assertIn("no browser is started", p.communicate(timeout=PATIENCE)[1])
        self.assertEqual([], list((self.dir / "run").iterdir()))

    def test_it_ends_when_the_last_page_is_closed(self):
        server = self.start()
        first, second = server.events(), server.events()
        for _, stream in (first, second):
            self.assertEqual(1, next_version(stream))
        for s, stream in (first, second):
            stream.close()
            s.close()
        self.assertEqual(0, server.process.wait(timeout=PATIENCE))

    def test_nothing_is_served_of_a_file_that_cannot_be_read(self):
        for words, status in ((["none.folded"], 1), (["x.folded", "--editor", "idaa"], 2), (["x.folded", "-o", "y.svg"], 2)):
            p = self.brazier("view", "--web", "--no-open", *words)
            self.assertEqual((status, ""), (p.code, p.out), p)
        self.assertIn("idea", self.brazier("view", "--web", "x.folded", "--editor", "idaa").err)
        self.assertIn("--web", self.brazier("view", "x.folded", "--editor", "idea").err)

    def test_the_editor_is_that_of_the_option_or_else_of_the_variable(self):
        for words, variable, want in (([], "idea", "idea://open?file={file}&line={line}"),
                                      (["--editor", "vscode"], "idea", "vscode://file{file}:{line}"),
                                      ([], "my://{file}", "my://{file}")):
            server = self.start("x.folded", *words, BRAZIER_EDITOR_URL=variable)
            self.assertEqual(want, json.loads(server.get("settings")[2])["editor"])
        p = self.brazier("view", "--web", "--no-open", "x.folded", env={"BRAZIER_EDITOR_URL": "javascript:{file}"})
        self.assertEqual(2, p.code)

    # ---- following

    def test_a_changed_file_is_announced_and_served(self):
        server = self.start()
        _, stream = server.events()
        self.assertEqual(1, next_version(stream))
        self.write("x.folded", common.STACKS + "main;fresh_function 7\n")
        self.assertEqual(2, next_version(stream))
        self.assertIn(b"fresh_function", server.get("page")[2])

    def test_a_file_that_is_replaced_is_followed(self):
        server = self.start()
        _, stream = server.events()
        self.assertEqual(1, next_version(stream))
        self.write("new.folded", "main;other 1\n")
        os.rename(self.dir / "new.folded", self.dir / "x.folded")
        self.assertEqual(2, next_version(stream))

    def test_a_file_that_cannot_be_read_leaves_the_page(self):
        server = self.start("--from", "folded", "x.folded")
        _, stream = server.events()
        next_version(stream)
        before = server.get("page")[2]
        self.write("x.folded", "broken\n" * 20)
        while "no samples" not in (line := server.process.stderr.readline()) and line:
            pass
        self.assertEqual(before, server.get("page")[2])
        self.write("x.folded", "main;again 3\n")
        self.assertEqual(2, next_version(stream))
        self.assertIn(b"again", server.get("page")[2])

    # ---- strangers

    def test_only_the_loopback_address_listens(self):
        server = self.start()
        for line in pathlib.Path(f"/proc/{server.process.pid}/net/tcp").read_text().splitlines()[1:]:
            local, state = line.split()[1], line.split()[3]
            if state == "0A" and int(local.split(":")[1], 16) == server.port:
                self.assertEqual("0100007F", local.split(":")[0])
        with self.assertRaises(OSError), socket.socket() as s:
            s.connect(("127.0.0.2", server.port))

    def test_who_does_not_know_the_token_gets_nothing(self):
        server = self.start()
        wrong = server.token[:-1] + ("0" if server.token[-1] != "0" else "1")
        for path in ("/", "/page", f"/{wrong}/page", f"/{server.token}", f"/{server.token.upper()}x/page", "/favicon.ico",
                     f"/{server.token}/../../../etc/passwd", f"/{server.token}/%2e%2e/x.folded", f"/{server.token}/x.folded",
                     f"//{server.token}/page", f"/{server.token}//page", f"/{server.token}/page%00", "*"):
            status, _, body = server.ask(path)
            self.assertIn(status, (400, 404), path)
            self.assertNotIn(b"main", body)

    def test_other_hosts_are_refused(self):
        server = self.start()
        for host in ("evil.example", f"evil.example:{server.port}", "127.0.0.1", f"[::1]:{server.port}", f"127.0.0.1:{server.port}0"):
            self.assertEqual(421, server.get("page", host=host)[0], host)
        self.assertEqual(200, server.get("page", host=f"localhost:{server.port}")[0])

    def test_methods_that_write_are_refused(self):
        server = self.start()
        for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "CONNECT", "TRACE", "BREW"):
            status, headers, body = server.get("page", method=method)
            self.assertEqual((405, "GET, HEAD"), (status, headers.get("allow")), method)
        status, headers, body = server.get("page", method="HEAD")
        self.assertEqual((200, b""), (status, body))
        self.assertGreater(int(headers["content-length"]), 1000)

    def test_all_answers_have_the_headers_of_a_closed_page(self):
        server = self.start()
        for path in ("", "shell.js", "shell.css", "settings", "page", "none"):
            _, headers, _ = server.get(path)
            self.assertIn("default-src 'none'", headers["content-security-policy"], path)
            self.assertIn("frame-ancestors 'self'" if path == "page" else "frame-ancestors 'none'",
                          headers["content-security-policy"])
            self.assertEqual(("nosniff", "no-referrer", "no-store", "same-origin"),
                             tuple(headers[h] for h in ("x-content-type-options", "referrer-policy", "cache-control",
                                                        "cross-origin-resource-policy")))
            self.assertNotIn("access-control-allow-origin", headers)

    def test_hostile_requests_get_no_page_and_the_server_goes_on(self):
        server = self.start()
        path = f"/{server.token}/page"
        good = f"GET {path} HTTP/1.1\r\nHost: {server.host}\r\n"
        for data in (b"", b"\r\n" * 1000, b"\0" * 5000, b"GET", b"GET / HTTP/9.9\r\n\r\n", b"GET /" + b"a" * 100000 + b" HTTP/1.1\r\n\r\n",
                     f"GET {path} HTTP/1.1\r\n\r\n".encode(), f"GET {path}\r\n".encode(),
                     f"GET {path} HTTP/1.1\r\nHost: a\r\nHost: {server.host}\r\n\r\n".encode(),
                     (good + "X: " + "y" * 100000 + "\r\n\r\n").encode(), (good + "X: y\r\n" * 20000 + "\r\n").encode(),
                     f"GET http://evil.example{path} HTTP/1.1\r\nHost: evil.example\r\n\r\n".encode(),
                     f"POST {path} HTTP/1.1\r\nHost: {server.host}\r\nContent-Length: 99999999999999999999\r\n\r\nx".encode(),
                     f"POST {path} HTTP/1.1\r\nHost: {server.host}\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n".encode(),
                     b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"z" * 500):
            self.assertNotIn(b'id="profile"', server.raw(data), data[:80])
            self.assertEqual(200, server.get("page")[0], data[:80])

    def test_many_connections_and_streams_are_bounded(self):
        server = self.start()
        streams = [server.events() for _ in range(16)]
        for _, stream in streams:
            self.assertEqual(1, next_version(stream))
        s, more = server.events()
        self.assertIsNone(next_version(more))
        s.close()
        idle = [server.connect() for _ in range(100)]
        for s in idle:
            s.close()
        while b"HTTP/1.1 200 OK" not in server.raw(  # places become free when the server sees the ends
                f"GET /{server.token}/page HTTP/1.1\r\nHost: {server.host}\r\nConnection: close\r\n\r\n".encode()):
            pass
        self.assertIsNone(server.process.poll())


if __name__ == "__main__":
    common.main()
