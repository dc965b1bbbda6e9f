#!/usr/bin/env python3
"""Pays on Anlaka's checkout page in a headless Chromium, as a person would, with the sandbox's pay window.

Chromium is driven over a pipe. What the app does around the page is done here: its key and the access token go along with
the page's first request, and nothing else does; the page's message handler is there. The sandbox's levers make the bad
days. Ends with 0 when everything was as it should be, and with 1 and a sentence that says what was not.

    make up
    python3 Tests/Interoperability/checkout_page.py

Environment: MADANG_URL (http://127.0.0.1:8080), SANDBOX_URL (http://127.0.0.1:8090), CHROMIUM (chromium), and
SHOTS, a folder for a picture of every state.
"""

import itertools
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

from chromium_pipe import Chromium, Wrong

GATEWAY = os.environ.get("MADANG_URL", "http://127.0.0.1:8080")
SANDBOX = os.environ.get("SANDBOX_URL", "http://127.0.0.1:8090")
SHOTS = os.environ.get("SHOTS")
KEY = "anlaka-dev-key"
TIMEOUT = 40
# Written by a user, as titles are.
TITLE = '햇살 좋은 원룸 <b onclick="x">&amp; "역세권"</b></script>'
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148"
# What the app has around the page. What is reported to it stands in the session, since a phone leaves the page and comes back.
NATIVE = """
window.webkit = { messageHandlers: { payment_result: { postMessage: (value) => {
  const reported = JSON.parse(sessionStorage.reported ?? "[]");
  sessionStorage.reported = JSON.stringify([...reported, value]);
} } } };
"""


def require(holds, sentence):
    if not holds:
        raise Wrong(sentence)


def call(url, body=None, headers=None, method=None):
    """Sends JSON; returns the answer's."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json", **(headers or {})}
    request = urllib.request.Request(url, data=data, headers=headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
            text = answer.read()
            return json.loads(text) if text else None
    except urllib.error.HTTPError as error:
        raise Wrong(f"{url} answered {error.code}: {error.read().decode()}") from None
    except urllib.error.URLError as error:
        raise Wrong(f"no answer from {url}: {error.reason}; start the stack with `make up`") from None


class Person:
    """A user of Anlaka who has just joined."""

    def __init__(self):
        email = f"checkout{random.randrange(10**12)}@example.com"
        body = {"email": email, "password": "abcd123!", "nick": "결제"}
        joined = call(GATEWAY + "/v1/users/join", body, {"SeSACKey": KEY})
        self.headers = {"SeSACKey": KEY, "Authorization": joined["accessToken"]}

    def order(self):
        """Puts a listing on the map and reserves it; returns the order. The orderer owns it, so that no other is taken."""
        listing = {
            "category": "원룸", "title": TITLE, "introduction": "역에서 5분", "reservation_price": 150000,
            "thumbnails": [], "description": "볕이 잘 듭니다.", "deposit": 10000000, "monthly_rent": 550000,
            "built_year": "2018-05-01", "maintenance_fee": 50000, "area": 24.5, "parking_count": 0, "floors": 3,
            "is_safe_estate": True, "is_recommended": False, "longitude": 127.045, "latitude": 37.652,
        }
        made = call(GATEWAY + "/v1/estates", listing, self.headers)
        return call(GATEWAY + "/v1/orders", {"estate_id": made["estate_id"]}, self.headers)

    def give_up(self, order):
        call(f"{GATEWAY}/v1/orders/{order['order_code']}", headers=self.headers, method="DELETE")


class Checkout:
    """A checkout page that is open."""

    def __init__(self, browser, person, order, agent=None):
        self.order = order
        self.url = f"{GATEWAY}/v1/payments/checkout/{order['order_code']}"
        self.tab = browser.tab()
        self.tab.before_each_page(NATIVE)
        if agent:
            self.tab.pretend(agent)
        self.tab.open(self.url, person.headers)

    def state(self):
        page = "document.querySelector('main[data-state]')"
        return self.tab.ask(f"{page} && [{page}.dataset.state, document.getElementById('state').textContent]")

    def reach(self, state, *words):
        """Waits until the page says so."""
        limit = time.monotonic() + TIMEOUT
        while time.monotonic() < limit:
            seen = self.state()
            if seen and seen[0] == state and all(word in seen[1] for word in words):
                self.picture(state)
                return seen[1]
            time.sleep(0.1)
        self.picture("wrong")
        raise Wrong(f"the page does not come to {state} {words}, it says {self.state()}; {self.tab.complaints}")

    def touch(self, button):
        """Presses a button of the page, as soon as it can be."""
        self.tab.until(f"(b => b && !b.hidden && !b.disabled && (b.click(), true))(document.getElementById('{button}'))",
                       f"the page's button {button} cannot be pressed")

    def decide(self, button):
        """Presses a button of PortOne's window, in its frame or where it has taken the whole page."""
        script = f"(b => b && !b.disabled && (b.click(), true))(document.getElementById('{button}'))"
        self.tab.until(script, f"the pay window's button {button} cannot be pressed", within="/portone/window/")

    def wait_for_script(self):
        self.tab.until("!!window.IMP", "PortOne's script does not come")

    def call_back_with(self, amount):
        """Pays that much by the sandbox's lever, and has PortOne's script tell the page of it; returns the imp_uid.

        The lever sends no webhook, so that the page alone tells.
        """
        lever = {"merchant_uid": self.order["order_code"], "amount": amount}
        uid = call(SANDBOX + "/_control/payments", lever)["imp_uid"]
        outcome = f"{{ success: true, imp_uid: '{uid}' }}"
        self.tab.ask(f"window.IMP.request_pay = (order, done) => done({outcome})")
        self.touch("pay")
        return uid

    def set_clock_ahead(self, seconds):
        self.tab.ask(f"(() => {{ const at = Date.now; Date.now = () => at() + {seconds * 1000}; }})()")

    def reported(self):
        return self.tab.ask("JSON.parse(sessionStorage.reported ?? '[]')")

    def payments(self):
        """The imp_uids that were reported to the app."""
        return [result["imp_uid"] for result in self.reported()]

    shots = itertools.count(1)

    def picture(self, name):
        if SHOTS:
            self.tab.picture(os.path.join(SHOTS, f"{next(Checkout.shots):02}-{name}.png"))

    def close(self):
        require(not self.tab.complaints, f"the browser complains: {self.tab.complaints}")
        self.tab.close()


def fault(count, kind="http"):
    call(SANDBOX + "/_control/faults", {"provider": "portone", "kind": kind, "status": 503, "count": count})


def paid_at_once(browser):
    """Paid: the page says so, and tells the app once."""
    person = Person()
    order = person.order()
    page = Checkout(browser, person, order)
    page.reach("payable", "아직 결제되지 않았어요")
    left = page.tab.ask("document.getElementById('left').textContent")
    require("분" in left and "초" in left, f"the time left reads {left}")
    title = page.tab.ask("document.querySelector('h1').textContent")
    require(title == TITLE, f"the title reads {title}")
    price = f"{order['total_price']:,}원"
    require(page.tab.ask("document.getElementById('price').textContent") == price, f"the page does not say {price}")
    page.touch("pay")
    page.decide("pay")
    page.reach("paid", "결제가 완료되었어요")
    reported = page.reported()
    require(len(reported) == 1 and reported[0]["state"] == "paid" and reported[0]["order_code"] == order["order_code"],
            f"the reports are {reported}")
    receipt = call(f"{GATEWAY}/v1/payments/{order['order_code']}", headers=person.headers)
    require(receipt["status"] == "paid" and receipt["imp_uid"] == reported[0]["imp_uid"], f"the receipt is {receipt}")
    page.close()
    # Opened again it is still paid, with nothing to press.
    again = Checkout(browser, person, order)
    again.reach("paid")
    require(again.tab.ask("document.getElementById('pay').hidden"), "what is paid can be paid again")
    again.close()


def second_try(browser):
    """Refused by the card, given up, closed, and then paid."""
    person = Person()
    page = Checkout(browser, person, person.order())
    page.reach("payable")
    for button, words in (("fail", "승인이 거절"), ("cancel", "취소"), ("close", "")):
        page.touch("pay")
        page.decide(button)
        page.reach("payable", words)
    require(page.reported() == [], "a state was reported that is not final")
    page.touch("pay")
    page.decide("pay")
    page.reach("paid")
    page.close()


def another_amount(browser):
    """When another amount was paid the money goes back, and the right one can still be paid."""
    person = Person()
    order = person.order()
    page = Checkout(browser, person, order)
    page.reach("payable")
    page.wait_for_script()
    uid = page.call_back_with(order["total_price"] - 1)
    page.reach("returned", "금액", "돌려")
    require(page.payments() == [uid], f"the reports are {page.reported()}")
    limit = time.monotonic() + TIMEOUT
    while call(f"{SANDBOX}/_control/payments/{uid}")["status"] != "cancelled":
        require(time.monotonic() < limit, "the money does not go back")
        time.sleep(0.2)
    page.close()
    again = Checkout(browser, person, order)
    again.reach("returned")
    again.touch("pay")
    again.decide("pay")
    again.reach("paid")
    again.close()


def silence(browser):
    """While PortOne does not answer the page says that it is looking, and keeps asking by itself."""
    person = Person()
    order = person.order()
    page = Checkout(browser, person, order)
    page.reach("payable")
    page.wait_for_script()
    fault(1000)
    try:
        page.call_back_with(order["total_price"])
        page.reach("checking", "확인하고 있어요")
        time.sleep(3)
        require(page.state()[0] == "checking" and page.reported() == [], f"the page says {page.state()}")
    finally:
        fault(0)
    page.reach("paid")
    page.close()


def long_silence(browser):
    """After a minute the page stops asking, and looks again on request."""
    person = Person()
    order = person.order()
    page = Checkout(browser, person, order)
    page.reach("payable")
    page.wait_for_script()
    fault(1000)
    try:
        page.call_back_with(order["total_price"])
        page.reach("checking")
        page.set_clock_ahead(61)
        page.reach("later", "아직 결제를 확인하지 못했어요")
        require(page.reported() == [], f"the reports are {page.reported()}")
    finally:
        fault(0)
    page.touch("again")
    page.reach("paid")
    page.close()


def gone(browser):
    """Once the order is given up there is nothing to pay, and the page finds out when it is touched."""
    person = Person()
    order = person.order()
    page = Checkout(browser, person, order)
    page.reach("payable")
    # As if its time had passed.
    person.give_up(order)
    page.set_clock_ahead(3600)
    page.reach("expired", "예약이 풀렸어요")
    require([result["state"] for result in page.reported()] == ["expired"], f"the reports are {page.reported()}")
    page.close()


def phone(browser):
    """On a phone the window takes the whole page, which comes back without key and token."""
    person = Person()
    page = Checkout(browser, person, person.order(), agent=PHONE)
    page.reach("payable")
    for button, state, words in (("close", "payable", ""), ("fail", "payable", "승인이 거절"), ("pay", "paid", "완료")):
        page.touch("pay")
        page.decide(button)
        page.reach(state, words)
        require(page.tab.ask("location.href") == page.url, "the page does not clear its address")
    require([result["state"] for result in page.reported()] == ["paid"], f"the reports are {page.reported()}")
    page.close()


def no_script(browser):
    """Without PortOne's script the page says so, and fetches it on request."""
    person = Person()
    order = person.order()
    page = Checkout(browser, person, order)
    page.tab.block("*/iamport.js")
    page.tab.open(page.url, person.headers)
    page.reach("blocked", "결제창을 불러오지 못했어요")
    page.tab.block()
    page.tab.complaints.clear()
    page.touch("again")
    page.reach("payable")
    page.touch("pay")
    page.decide("pay")
    page.reach("paid")
    page.close()


def other_users(browser):
    """Without token and cookie nothing of the order is shown."""
    person = Person()
    order = person.order()
    with tempfile.TemporaryDirectory() as profile, Chromium(BROWSER, profile) as other:
        tab = other.tab()
        tab.open(f"{GATEWAY}/v1/payments/checkout/{order['order_code']}", {})
        text = tab.ask("document.body.textContent")
        require("앱에서 결제를 다시 열어 주세요" in text, f"another user reads {text}")
        require(order["order_code"] not in text, "another user sees the order")
    person.give_up(order)


BROWSER = shutil.which(os.environ.get("CHROMIUM", "chromium"))
if not BROWSER:
    sys.exit("Chromium is not installed. Install it with\n  apt-get install --no-install-recommends chromium")

SCENES = (paid_at_once, second_try, another_amount, silence, long_silence, gone, phone, no_script, other_users)


def main():
    if SHOTS:
        os.makedirs(SHOTS, exist_ok=True)
    try:
        with tempfile.TemporaryDirectory() as profile, Chromium(BROWSER, profile) as browser:
            for scene in SCENES:
                scene(browser)
                print(f"✓ {scene.__name__}")
    except (Wrong, subprocess.SubprocessError) as error:
        sys.exit(f"✗ {error}")
    print("The checkout page works.")


if __name__ == "__main__":
    main()
