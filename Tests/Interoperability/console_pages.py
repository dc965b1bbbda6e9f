#!/usr/bin/env python3
"""Uses the console in a headless Chromium, driven by Playwright: as an operator who looks and one who acts, by keyboard, on a
desktop and a phone, in light and dark, in English and Korean, and while a service stands still. Ends with 0 when everything
was as it should be, and with 1 and a sentence that says what was not.

    make up
    python3 Tests/Interoperability/console_pages.py [FOLDER]

A FOLDER gets a picture of each page. Needs Chromium (apt-get install --no-install-recommends chromium fonts-noto-cjk) and the
package playwright. Environment: MADANG_URL (http://127.0.0.1:8080), STACK (.build/release/stack), LOCAL (.local), CHROMIUM
(chromium).
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

try:
    from playwright.sync_api import sync_playwright
except ImportError:
    sys.exit("Playwright is not installed. Install it with\n  pip install playwright")

GATEWAY = os.environ.get("MADANG_URL", "http://127.0.0.1:8080")
STACK = os.environ.get("STACK") or os.path.join(os.environ.get("BUILD_DIR", ".build"), "release", "stack")
LOCAL = os.environ.get("LOCAL", ".local")
FOLDER = sys.argv[1] if len(sys.argv) > 1 else None
BROWSER = shutil.which(os.environ.get("CHROMIUM", "chromium"))
if not BROWSER:
    sys.exit("Chromium is not installed. Install it with\n  apt-get install --no-install-recommends chromium")

PAGES = ["now", "story", "people", "live", "money", "events", "outside", "api", "data", "acts"]
# Pages that others lead to, if there is anything: where the link is, and what its address begins with.
FURTHER = [
    ("live", "live/train/"), ("live", "live/room/"), ("live", "live/map"), ("money", "money/orders/"),
    ("money", "money/differences"), ("api", "api/moup"), ("api/moup", "api/moup/createRoutine"),
]
LARGEST_PAGE, LARGEST_INTERFACE = 100_000, 200_000
# Seconds after which a story that is not complete is missing something.
LONGEST_WAIT = 60

# Elements with a text of their own whose contrast to what is behind is too small (WCAG 2.2, 1.4.3), and fields without a label.
FAULTS = """() => {
  const faults = [];
  const parse = (text) => {
    const values = (text.match(/[\\d.]+/g) || []).map(Number);
    return text.startsWith("color(srgb") ? values.map((v, i) => (i < 3 ? v * 255 : v)) : values;
  };
  const luminance = (color) => {
    const [r, g, b] = color.slice(0, 3).map((v) => v / 255)
      .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const color = parse(getComputedStyle(one).backgroundColor);
      if (color.length === 3 || color[3] > 0) return color;
    }
    return [255, 255, 255];
  };
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!own || !element.getClientRects().length || element.closest("svg")) continue;
    const [a, b] = [luminance(parse(getComputedStyle(element).color)), luminance(behind(element))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) faults.push(`contrast ${contrast.toFixed(1)}: ${element.textContent.trim().slice(0, 40)}`);
  }
  for (const field of document.querySelectorAll("input:not([type=hidden]), select, textarea")) {
    if (!field.labels.length && !field.ariaLabel) faults.push(`no label: ${field.outerHTML.slice(0, 80)}`);
  }
  for (const picture of document.querySelectorAll("main svg")) {
    if (!picture.getAttribute("aria-label")) faults.push("a picture without a name");
  }
  const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
  if (new Set(ids).size < ids.length) faults.push("an id twice");
  if (document.querySelectorAll("h1").length !== 1) faults.push("not one h1");
  if (document.scrollingElement.scrollWidth > innerWidth) {
    faults.push(`wider than the screen: ${document.scrollingElement.scrollWidth} > ${innerWidth}`);
  }
  return faults;
}"""


class Wrong(Exception):
    pass


def require(holds, sentence):
    if not holds:
        raise Wrong(sentence)


def address(role):
    run = subprocess.run([STACK, "console", "--local", LOCAL, "--name", f"{role}er", "--role", role], capture_output=True, text=True)
    require(run.returncode == 0, f"no address to sign in with: {run.stderr.strip()}; start the stack with `make up`")
    return run.stdout.strip()


class Visitor:
    """An operator in a browser."""

    def __init__(self, browser, role, width=1280, scheme="light", language="en"):
        self.name = f"{role}-{width}-{scheme}-{language}"
        context = browser.new_context(
            viewport={"width": width, "height": 800}, color_scheme=scheme, locale={"en": "en-US", "ko": "ko-KR"}[language]
        )
        self.page = context.new_page()
        self.faults = []
        self.page.on("console", lambda message: message.type in ("error", "warning") and self.faults.append(message.text))
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        start = address(role)
        self.origin = "{0.scheme}://{0.netloc}".format(urllib.parse.urlparse(start))
        self.page.on("request", lambda request: self.check_address(request.url))
        self.page.goto(start)
        self.page.get_by_role("button", name={"en": "Sign in", "ko": "로그인"}[language]).click()
        self.page.wait_for_url(f"{self.origin}/console/now")

    def check_address(self, url):
        if not url.startswith((self.origin, "data:")):
            self.faults.append(f"a request to {url}")

    def open(self, path, expected=200):
        start = time.monotonic()
        answer = self.page.goto(f"{self.origin}/console/{path}", wait_until="load")
        took, size = time.monotonic() - start, len(answer.body())
        self.check(path, answer.status, expected, size)
        return took, size

    def check(self, path, status=200, expected=200, size=0):
        require(status == expected, f"{self.name}: /{path} answers {status}")
        require(size <= LARGEST_PAGE, f"{self.name}: /{path} has {size} bytes")
        faults = self.page.evaluate(FAULTS) + (self.faults if expected == 200 else [])
        require(not faults, f"{self.name}: /{path}: {'; '.join(faults[:5])}")
        if FOLDER and expected == 200:
            os.makedirs(FOLDER, exist_ok=True)
            name = path.split("?")[0].replace("/", "-").replace("#", "-")
            self.page.screenshot(path=os.path.join(FOLDER, f"{name}-{self.name}.png"), full_page=True)


def refused_request():
    """A sign-in with a wrong password; its request id."""
    request = urllib.request.Request(
        f"{GATEWAY}/v1/users/login",
        json.dumps({"email": "none@madang.kr", "password": "wrong-1234!"}).encode(),
        {"SeSACKey": "anlaka-dev-key", "Content-Type": "application/json"},
    )
    try:
        urllib.request.urlopen(request, timeout=10)
    except urllib.error.HTTPError as error:
        return error.headers["x-request-id"]
    raise Wrong("a wrong password signs in")


def complete_story(visitor, path, part):
    """Waits until the story at an address has a part that comes last."""
    start = time.monotonic()
    while True:
        answer = visitor.page.request.get(f"{visitor.origin}/console/{path}")
        if "/console/story/" in answer.url and part in answer.text():
            return
        require(time.monotonic() - start < LONGEST_WAIT, f"/{path} does not have {part} after {LONGEST_WAIT} s")
        time.sleep(0.02)


def time_until_complete(visitor):
    """Seconds from the end of a request until its story has the part of the last program."""
    request, ended = refused_request(), time.monotonic()
    complete_story(visitor, f"story?q={request}", "AccountStore")
    return time.monotonic() - ended


def find_by_keyboard(visitor):
    """From the first page to the story of a request, without a mouse."""
    request = refused_request()
    page = visitor.page
    visitor.open("now")
    page.keyboard.press("Tab")
    require(page.evaluate("document.activeElement.className") == "skip", "the first Tab does not reach the skip link")
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "q":
            break
    require(page.evaluate("document.activeElement.id") == "q", "Tab does not reach the search")
    complete_story(visitor, f"story?q={request}", "AccountStore")
    page.keyboard.type(request)
    page.keyboard.press("Enter")
    page.wait_for_url("**/console/story/*")
    visitor.check("story/found")
    text = page.inner_text("main")
    for expected in ["gateway", "auth", "Why it was refused", "AccountStore"]:
        require(expected in text, f"the story of a refused sign-in does not have {expected}: {text[:500]}")
    require("wrong-1234!" not in page.content(), "the story has the password")


def while_a_service_stands_still(visitor):
    with open(os.path.join(LOCAL, "run", "chat.pid")) as file:
        process = int(file.read().split()[0])
    os.kill(process, signal.SIGSTOP)
    try:
        visitor.open("events")
        require("chat" in visitor.page.inner_text("main p.failed"), "the page does not name the service that stands still")
        for path in PAGES:
            visitor.open(path)
    finally:
        os.kill(process, signal.SIGCONT)


def acting(visitor, looking):
    """Ends a session as one operator, which the other cannot."""
    for one, mayAct in [(visitor, True), (looking, False)]:
        one.open("people?q=1")
        forms = one.page.locator("main form[method=post]").count()
        require(mayAct or forms == 0, "an operator who looks is offered an act")


def further_pages(visitor):
    """Follows the links to pages about one train, room, order and so on."""
    for path, target in FURTHER:
        visitor.open(path)
        link = visitor.page.locator(f'main a[href*="/console/{target}"]').first
        if link.count():
            found = urllib.parse.urlparse(link.get_attribute("href"))
            visitor.open(f"{found.path.removeprefix('/console/')}{'?' + found.query if found.query else ''}")


def try_call(visitor):
    """Sends a call as a person of the initial data, and opens its story."""
    visitor.open("api/anlaka/listTodayEstates")
    page = visitor.page
    page.get_by_label("Reason").fill("interoperability")
    page.get_by_role("button", name="Send").click()
    page.wait_for_selector("main section h2")
    visitor.check("api/anlaka/listTodayEstates#answer")
    require("200" in page.inner_text("main section h2"), f"the call is answered {page.inner_text('main section h2')}")
    link = page.get_by_role("link", name="Its story")
    complete_story(visitor, link.get_attribute("href").removeprefix("/console/"), "estate")
    link.click()
    page.wait_for_url("**/console/story/*")
    visitor.check("story/of-a-call")


def bad_day(visitor):
    """Has a provider fail, and work again."""
    visitor.open("outside")
    page = visitor.page
    form = page.locator("form.row")
    form.get_by_label("Provider").select_option("apple")
    form.get_by_label("Reason").fill("interoperability")
    form.get_by_role("button", name="Begin").click()
    page.wait_for_selector("tr.failed td:text-is('apple')")
    visitor.check("outside#bad-day")
    page.locator("tr.failed", has_text="apple").get_by_label("Reason").fill("interoperability")
    page.locator("tr.failed", has_text="apple").get_by_role("button", name="End").click()
    page.wait_for_selector("tr.failed td:text-is('apple')", state="detached")
    visitor.open("acts")
    text = page.inner_text("main")
    require("begin bad day" in text and "end bad day" in text, "the bad day is not among the acts")


def interface(visitor):
    sizes = [len(visitor.page.request.get(f"{visitor.origin}/console/{name}").body()) for name in ("style.css", "console.js")]
    return sum(sizes)


def main():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        looking, acts = Visitor(browser, "look"), Visitor(browser, "act")
        times = sorted(time_until_complete(looking) for _ in range(5))
        print(f"story complete {times[2]:.2f} s after its request ended (median of 5, {times[0]:.2f} to {times[-1]:.2f})")
        find_by_keyboard(looking)
        for visitor in [looking, acts, Visitor(browser, "act", 320, "dark", "ko"), Visitor(browser, "look", 320, "light", "ko")]:
            for path in PAGES:
                took, size = visitor.open(path)
                print(f"{visitor.name:22} /{path:7} {size / 1000:6.1f} kB {took * 1000:5.0f} ms")
            further_pages(visitor)
        looking.open("story/0123456789abcdef0123456789abcdef", expected=404)
        looking.faults.clear()
        acting(acts, looking)
        try_call(acts)
        bad_day(acts)
        while_a_service_stands_still(acts)
        size = interface(acts)
        require(size <= LARGEST_INTERFACE, f"style and script have {size} bytes")
        print(f"style and script: {size / 1000:.1f} kB")
        browser.close()


try:
    main()
except Wrong as wrong:
    sys.exit(f"console: {wrong}")
