#!/usr/bin/env python3
"""Reads the API's pages in a headless Chromium, on a desktop and a phone, in light and dark: signs in as a person of the
initial data of each app, and sends a call. Ends with 0 when everything was as it should be, and with 1 and a sentence that
says what was not.

    make up
    python3 Tests/Interoperability/docs_page.py [FOLDER]

A FOLDER gets a picture of each page. Environment: MADANG_URL (http://127.0.0.1:8080), CHROMIUM (chromium).
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

from chromium_pipe import Chromium, Wrong

GATEWAY = os.environ.get("MADANG_URL", "http://127.0.0.1:8080")
FOLDER = sys.argv[1] if len(sys.argv) > 1 else None
TIMEOUT = 40
# A call of each app that needs a user.
CALLS = {
    "seatcatcher": "getProfile", "moup": "getProfile", "anlaka": "getOwnProfile", "culture": "getOwnProfile",
    "withsuhyeon": "getProfile",
}
SCREENS = {"desktop": (1440, 900), "phone": (320, 700)}

BROWSER = shutil.which(os.environ.get("CHROMIUM", "chromium"))
if not BROWSER:
    sys.exit("Chromium is not installed. Install it with\n  apt-get install --no-install-recommends chromium")


def require(holds, sentence):
    if not holds:
        raise Wrong(sentence)


def document(app):
    """The app's API document."""
    try:
        with urllib.request.urlopen(f"{GATEWAY}/openapi.json?app={app}", timeout=TIMEOUT) as answer:
            return json.load(answer)
    except urllib.error.URLError as error:
        raise Wrong(f"no answer from {GATEWAY}: {error}; start the stack with `make up`") from None


class Page:
    """A page of the API on some screen."""

    def __init__(self, browser, path, screen="desktop", scheme="light"):
        self.name = f"{path.strip('/').replace('/', '-')}-{screen}-{scheme}"
        self.tab = browser.tab()
        width, height = SCREENS[screen]
        self.tab.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.tab.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"},
        ])
        self.tab.open(GATEWAY + path, {})

    def ask(self, script):
        return self.tab.ask(script)

    def picture(self, part):
        if FOLDER:
            self.tab.picture(os.path.join(FOLDER, f"{self.name}-{part}.png"))

    def close(self):
        """Closes the page, which must have called no other host and complained of nothing."""
        require(self.tab.complaints == [], f"{self.name}: the browser says {self.tab.complaints}")
        foreign = [url for url in self.tab.requests if not url.startswith((GATEWAY + "/", "data:"))]
        require(foreign == [], f"{self.name} called {foreign}")
        wide = self.ask("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        require(wide == 0, f"{self.name} is {wide} pixels wider than the screen")
        self.tab.close()

    def key(self, key):
        for kind in ("keyDown", "keyUp"):
            self.tab.call("Input.dispatchKeyEvent", type=kind, key=key, text=key if kind == "keyDown" else "")

    def sign_in(self):
        self.ask("document.getElementById('sign-in').click()")
        self.tab.until("document.getElementById('signed-in').textContent.startsWith('Signed in as')",
                       f"{self.name}: there is no sign-in: {self.ask('document.getElementById(`signed-in`).textContent')}")

    def send(self, operation, status):
        """Opens a call's form, sends it as it is, and expects a status."""
        part = f"document.querySelector('#{operation} .try')"
        self.ask(f"{part}.querySelector('.open').click()")
        self.ask(f"{part}.querySelector('button.send').click()")
        self.tab.until(f"!!{part}.querySelector('.outcome .status')", f"{self.name}: {operation} is not answered")
        outcome = self.ask(f"{part}.querySelector('.outcome').textContent")
        require(outcome.startswith(f"{status} "), f"{self.name}: {operation} is answered {outcome}")
        require(" ms" in outcome and "content-type: application/json" in outcome, f"{operation} shows {outcome}")
        self.ask(f"document.querySelector('#{operation}').scrollIntoView()")


def each_app(browser):
    """Each operation is on the page of its app, and a call of a person who is signed in is answered."""
    for app, call in CALLS.items():
        operations = [o for item in document(app)["paths"].values() for o in item.values() if "responses" in o]
        for screen in SCREENS:
            for scheme in ("light", "dark"):
                page = Page(browser, f"/docs/{app}", screen, scheme)
                shown = page.ask("document.querySelectorAll('article[data-call]').length")
                require(shown == len(operations), f"{page.name} has {shown} of {len(operations)} operations")
                page.picture("top")
                page.sign_in()
                page.send(call, 200)
                page.picture("call")
                page.close()
        print(f"  {app}: {len(operations)} operations")


def index(browser):
    """The first page leads to the apps."""
    page = Page(browser, "/docs")
    links = page.ask("[...document.querySelectorAll('.cards a')].map((a) => a.getAttribute('href'))")
    require(links == [f"/docs/{app}" for app in CALLS], f"the first page leads to {links}")
    page.picture("top")
    page.close()


def body(browser):
    """A call with the body of its example is answered."""
    page = Page(browser, "/docs/anlaka")
    page.send("checkEmail", 200)
    page.close()


def filtered(browser):
    """The filter is reached by a key, and leaves the operations with its words."""
    for screen in SCREENS:
        page = Page(browser, "/docs/moup", screen)
        page.key("/")
        page.tab.until("document.activeElement.id === 'filter'", f"{page.name}: the key does not reach the filter")
        for letter in "payslip":
            page.key(letter)
        shown = page.ask("[...document.querySelectorAll('article[data-call]:not([hidden])')].map((a) => a.id)")
        require(0 < len(shown) < 10 and "listPayslips" in shown, f"{page.name}: the filter leaves {shown}")
        page.picture("filter")
        page.close()


def without_script(browser):
    """The page can be read without a script."""
    page = Page(browser, "/docs/culture", "phone")
    page.tab.call("Emulation.setScriptExecutionDisabled", value=True)
    page.tab.open(GATEWAY + "/docs/culture?", {})
    text = page.ask("document.body.innerText")
    require("List sessions" in text and "Example" in text, "the page has no text without a script")
    require("Try it" not in text, "the page shows a form that does nothing")
    page.picture("plain")
    page.close()


def main():
    if FOLDER:
        os.makedirs(FOLDER, exist_ok=True)
    try:
        with tempfile.TemporaryDirectory() as profile, Chromium(BROWSER, profile) as browser:
            for scene in (index, each_app, body, filtered, without_script):
                scene(browser)
                print(f"✓ {scene.__name__}")
    except (Wrong, subprocess.SubprocessError) as error:
        sys.exit(f"✗ {error}")
    print("The API's pages work.")


if __name__ == "__main__":
    main()
