#!/usr/bin/env python3
"""Opens the page of Anlaka's attendance event in a headless Chromium, with a stand-in for the app around it.

The stand-in is what the app's web view is to the page: it adds the app's key and the access token to the request for the
page, has the message handlers that the page looks for, and calls the page back with the access token. It stands between
browser and gateway, so the page's own policy holds. Ends with 0 when everything was as it should be, and with 1 and a
sentence that says what was not.

    make up
    python3 Tests/Interoperability/attendance_page.py

Environment: MADANG_URL (http://127.0.0.1:8080), CHROMIUM (chromium).
"""

import http.server
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.request

GATEWAY = os.environ.get("MADANG_URL", "http://127.0.0.1:8080")
KEY = "anlaka-dev-key"
TIMEOUT = 60

BROWSER = shutil.which(os.environ.get("CHROMIUM", "chromium"))
if not BROWSER:
    sys.exit("Chromium is not installed. Install it with\n  apt-get install --no-install-recommends chromium")


class Wrong(Exception):
    """Something is not as it should be."""


def require(holds, sentence):
    if not holds:
        raise Wrong(sentence)


def call(method, path, headers=None, body=None):
    """Sends a request; returns status, headers and body of the answer."""
    request = urllib.request.Request(GATEWAY + path, data=body, method=method, headers=headers or {})
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()
    except urllib.error.URLError as error:
        raise Wrong(f"no answer from {GATEWAY}: {error.reason}; start the stack with `make up`") from None


def join():
    """Makes a person; returns the access token."""
    email = f"attendance{random.randrange(10**12)}@example.com"
    body = json.dumps({"email": email, "password": "abcd123!", "nick": "출석"}).encode()
    status, _, text = call("POST", "/v1/users/join", {"SeSACKey": KEY, "Content-Type": "application/json"}, body)
    require(status == 200, f"joining answered {status}: {text.decode()}")
    return json.loads(text)["accessToken"]


# What the app does around the page. A message is kept where the dumped document shows it.
NATIVE = """
const said = (name) => ({ postMessage: (value) => {
  document.documentElement.dataset[name] = JSON.stringify(value);
  if (name === "clicked") window.requestAttendance("%s");
} });
window.webkit = { messageHandlers: { click_attendance_button: said("clicked"), complete_attendance: said("completed") } };
"""
# A user who touches the button.
TOUCH = 'addEventListener("load", () => document.getElementById("attend").click());'


class StandIn(http.server.BaseHTTPRequestHandler):
    """Forwards requests to the gateway; the page comes back with the stand-in's script in it."""

    def do_GET(self):
        if self.path != "/event-application":
            return self.answer(404, "text/plain", b"")
        status, headers, body = call("GET", self.path, {"SeSACKey": KEY, "Authorization": self.server.token})
        nonce = re.search(r"nonce-([\w-]+)", headers.get("Content-Security-Policy", ""))
        if nonce:
            script = (NATIVE % self.server.token if self.server.has_bridge else "") + TOUCH
            body = body.replace(b"<head>", f'<head><script nonce="{nonce[1]}">{script}</script>'.encode(), 1)
        self.answer(status, headers["Content-Type"], body, headers.get("Content-Security-Policy"))

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        names = ("Content-Type", "X-Page-Token", "Authorization")
        status, headers, text = call("POST", self.path, {n: self.headers[n] for n in names if n in self.headers}, body)
        self.server.posts.append("Authorization" in self.headers)
        self.answer(status, headers["Content-Type"], text)

    def answer(self, status, content_type, body, policy=None):
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        if policy:
            self.send_header("Content-Security-Policy", policy)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def open_page(token, has_bridge):
    """Lets Chromium open the page and touch the button; returns the document, and which calls had an access token."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), StandIn)
    server.token, server.has_bridge, server.posts = token, has_bridge, []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as profile:
        command = [
            BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            f"--user-data-dir={profile}", "--virtual-time-budget=10000", "--dump-dom",
            f"http://127.0.0.1:{server.server_port}/event-application",
        ]
        try:
            document = subprocess.run(command, capture_output=True, timeout=TIMEOUT, text=True).stdout
        except subprocess.TimeoutExpired:
            raise Wrong("Chromium did not come to an end") from None
        finally:
            server.shutdown()
    return document, server.posts


def inside_the_app():
    """The button calls the app, which calls the page, which attends with the access token and tells the count."""
    token = join()
    for message in ("출석이 완료되었어요!", "오늘은 이미 출석했어요."):
        document, posts = open_page(token, has_bridge=True)
        require("data-clicked=" in document, "the button did not call click_attendance_button")
        require(posts == [True], f"the page made {len(posts)} calls, or none with the access token")
        require('data-completed="1"' in document, "complete_attendance did not get the count 1")
        require(message in document, f"the page does not say {message}")


def in_a_browser():
    """Without the app around it the page attends by its own token."""
    document, posts = open_page(join(), has_bridge=False)
    require(posts == [False], f"the page made {len(posts)} calls, or one with an access token")
    require("출석이 완료되었어요!" in document, "the page does not say that it is done")


def main():
    try:
        for scene in (inside_the_app, in_a_browser):
            scene()
            print(f"✓ {scene.__name__}")
    except Wrong as error:
        sys.exit(f"✗ {error}")
    print("The attendance page works.")


if __name__ == "__main__":
    main()
