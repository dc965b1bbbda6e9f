#!/usr/bin/env python3
"""Plays a seat exchange against a running stack with an independent STOMP client, stomp.py.

Two people sign in through the sandbox, ride one train, and one gets the other's seat, as SeatCatcher's app does it: REST
first, SUBSCRIBE after. Then come heart-beats, receipts, and what must be refused. Ends with 0 when everything was as it
should be, and with 1 and a sentence that says what was not.

    make up
    make interop

Environment: MADANG_URL (http://127.0.0.1:8080), SANDBOX_URL (http://127.0.0.1:8090).
"""

import json
import os
import queue
import random
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

HOW_TO_INSTALL = "python3 -m venv .local/interop && .local/interop/bin/pip install stomp.py websocket-client"

try:
    import stomp
    import websocket  # noqa: F401  stomp.py needs it for WebSockets, and says so late
except ImportError as error:
    sys.exit(f"{error.name} is not installed. Install both clients with\n  {HOW_TO_INSTALL}")

GATEWAY = os.environ.get("MADANG_URL", "http://127.0.0.1:8080")
SANDBOX = os.environ.get("SANDBOX_URL", "http://127.0.0.1:8090")
CAR = "2429"
TIMEOUT = 10


class Wrong(Exception):
    """Something is not as it should be."""


def require(holds, sentence):
    if not holds:
        raise Wrong(sentence)


def call(method, url, expected, body=None, token=None):
    """Sends a request; returns the JSON of the answer, None without a body."""
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data=data, method=method, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
            status, text = answer.status, answer.read()
    except urllib.error.HTTPError as error:
        status, text = error.code, error.read()
    except urllib.error.URLError as error:
        raise Wrong(f"no answer from {url}: {error.reason}; start the stack with `make up`") from None
    require(status == expected, f"{method} {url} answered {status} instead of {expected}: {text.decode()}")
    return json.loads(text) if text else None


class Listener(stomp.ConnectionListener):
    """Keeps what comes, by destination and kind."""

    def __init__(self):
        self.messages = {}
        self.receipts = queue.Queue()
        self.errors = queue.Queue()
        self.ends = queue.Queue()
        self.beats = queue.Queue()

    def of(self, destination):
        return self.messages.setdefault(destination, queue.Queue())

    def on_message(self, frame):
        self.of(frame.headers["destination"]).put(frame)

    def on_receipt(self, frame):
        self.receipts.put(frame.headers["receipt-id"])

    def on_error(self, frame):
        self.errors.put(frame.headers.get("message"))

    def on_disconnected(self):
        self.ends.put(True)

    def on_heartbeat(self):
        self.beats.put(True)


def take(waiting, what):
    try:
        return waiting.get(timeout=TIMEOUT)
    except queue.Empty:
        raise Wrong(f"waited in vain for {what}") from None


class Socket:
    """A STOMP 1.2 connection of stomp.py over WebSocket."""

    def __init__(self, token, heartbeats=(0, 0)):
        address = urllib.parse.urlsplit(GATEWAY)
        self.listener = Listener()
        self.connection = stomp.WSStompConnection(
            [(address.hostname, address.port or 80)],
            prefer_localhost=False,
            try_loopback_connect=False,
            reconnect_attempts_max=1,
            heartbeats=heartbeats,
            ws_path="/seatcatcher",
        )
        self.connection.set_listener("own", self.listener)
        self.connection.connect(headers={"Authorization": f"Bearer {token}"}, wait=False)

    def subscribe(self, destination):
        receipt = f"subscribed-{destination}"
        self.connection.subscribe(destination, id=destination, ack="auto", headers={"receipt": receipt})
        got = take(self.listener.receipts, f"the receipt for SUBSCRIBE {destination}")
        require(got == receipt, f"the receipt {got} came instead of {receipt}")

    def hear(self, destination, is_wanted=lambda body: True, what="a message"):
        """The next message that is wanted; those before it are passed over."""
        while True:
            frame = take(self.listener.of(destination), f"{what} on {destination}")
            headers = frame.headers
            require(headers.get("subscription") == destination, f"a message of {destination} names no subscription")
            require(headers.get("message-id"), f"a message of {destination} has no message-id")
            require(headers.get("content-type") == "application/json", f"{destination} sends {headers.get('content-type')}")
            length = len(frame.body.encode())
            require(headers.get("content-length") == str(length), f"{destination} counts its body wrongly")
            body = json.loads(frame.body)
            if is_wanted(body):
                return body

    def is_refused(self, message, why):
        got = take(self.listener.errors, f"an ERROR after {why}")
        require(got == message, f"{why} was answered with the ERROR {got!r} instead of {message!r}")
        take(self.listener.ends, f"the end of the connection after {why}")

    def say_goodbye(self):
        self.connection.disconnect(receipt="goodbye")
        require(take(self.listener.receipts, "the receipt for DISCONNECT") == "goodbye", "DISCONNECT got another receipt")


class Person:
    """A new user of SeatCatcher, signed in and connected."""

    def __init__(self, heartbeats=(0, 0)):
        kakao = call("POST", f"{SANDBOX}/_control/kakao/tokens", 200, {"id": random.randrange(10**7, 4 * 10**9)})
        sign_in = {"accessToken": kakao["access_token"], "fcmToken": ""}
        tokens = call("POST", f"{GATEWAY}/user/authenticate/kakao", 201, sign_in)
        self.token, self.refresh_token = tokens["accessToken"], tokens["refreshToken"]
        self.id = self.get("/user/me")["userId"]
        self.socket = Socket(self.token, heartbeats)

    def send(self, method, path, expected, body=None):
        return call(method, GATEWAY + path, expected, body, self.token)

    def get(self, path):
        return self.send("GET", path, 200)

    def board(self, train, start, end):
        body = {"startStationId": start, "endStationId": end, "trainCode": train}
        journey = self.send("POST", "/path-histories/start-journey", 201, body)
        path = f"/topic/path-histories.{journey['pathHistoryId']}"
        self.socket.subscribe(path)
        require(not self.socket.hear(path)["arrived"], "a journey that has just begun is said to have arrived")
        self.get(f"/trains?trainCode={train}&carCode={CAR}")
        self.socket.subscribe(f"/topic/seat.{train}")
        return self.socket.hear(f"/topic/seat.{train}", what="the car")

    def sit(self, seat):
        self.send("POST", f"/user/seats?seatId={seat}&creditAmount=10", 201)
        self.socket.subscribe(f"/topic/seat.{seat}.owner")

    def sees(self, train, seat, other):
        """Waits until the car shows a user on a seat; None for a free seat."""

        def shows(car):
            seats = [status for section in car for status in section["seatStatus"]]
            occupant = next(status["occupant"] for status in seats if status["seatId"] == seat)
            return (occupant and occupant["userId"]) == (other and other.id)

        self.socket.hear(f"/topic/seat.{train}", shows, f"seat {seat} with {other and other.id}")

    def withdraw(self):
        self.send("DELETE", "/user/me", 204)
        self.socket.is_refused("Your session has ended", "a withdrawal")


def exchange():
    a, b = Person(heartbeats=(500, 500)), Person()
    dep, dest = "강남", "방배"
    start, end = (a.get(f"/stations?keyword={urllib.parse.quote(name)}&line=2")[0]["id"] for name in (dep, dest))
    query = urllib.parse.urlencode({"lineNumber": 2, "dep": dep, "dest": dest})
    train = a.get(f"/trains/incomings?{query}")[0]["btrainNo"]

    car = a.board(train, start, end)
    b.board(train, start, end)
    free = [status["seatId"] for section in car for status in section["seatStatus"] if status["occupant"] is None]
    seat, other_seat = free[0], free[-1]
    a.sit(seat)
    b.sees(train, seat, a)
    b.sit(other_seat)
    b.send("PATCH", "/credit?isAddition=0", 200, {"amount": 10, "targetUserId": b.id})

    owner, requester = f"/topic/seat.{seat}.owner", f"/topic/seat.{seat}.requester.{b.id}"

    def ask(amount):
        b.send("POST", f"/user/seats/{seat}/yield?type=REQUEST&creditAmount={amount}", 200)
        request = a.socket.hear(owner, lambda body: "creditAmount" in body, "the request")
        require((request["requestUserId"], request["creditAmount"]) == (b.id, amount), f"the request is {request}")

    ask(250)
    b.socket.subscribe(requester)
    a.send("POST", f"/user/seats/{seat}/yield?type=REJECT&oppositeUserId={b.id}&creditAmount=250", 200)
    require(b.socket.hear(requester, what="the refusal")["isAccepted"] is False, "a refusal says that it is none")

    ask(200)
    b.send("POST", f"/user/seats/{seat}/yield?type=CANCEL&creditAmount=200", 200)
    cancel = a.socket.hear(owner, what="the cancel")
    require("creditAmount" not in cancel and cancel["requestUserId"] == b.id, f"the cancel is {cancel}")

    ask(250)
    a.send("POST", f"/user/seats/{seat}/yield?type=ACCEPT&oppositeUserId={b.id}", 200)
    require(b.socket.hear(requester, what="the answer")["isAccepted"] is True, "an acceptance says that it is none")
    b.send("PATCH", f"/user/seats?seatId={seat}&creditAmount=250", 200)
    for person in (a, b):
        person.sees(train, seat, b)
    require(a.get("/user/me")["credit"] == 550, "A was not paid")

    time.sleep(3)
    require(a.socket.listener.beats.qsize() >= 3, "heart-beats were agreed on and do not come")
    require(a.socket.listener.ends.empty(), "a client that sends heart-beats was disconnected")

    b.withdraw()
    a.sees(train, seat, None)
    a.socket.say_goodbye()
    a.send("DELETE", "/user/me", 204)


def refusals():
    person = Person()
    Socket("junk").is_refused("Invalid Token", "CONNECT with junk")
    Socket(person.refresh_token).is_refused("Invalid Token", "CONNECT with a refresh token")
    not_yours = "This destination is not yours"
    for destination, message in [
        (f"/topic/seat.1.requester.{person.id + 1}", not_yours),
        ("/topic/path-histories.999999999", not_yours),
        ("/topic/seat.#", "There is no such destination"),
    ]:
        socket = Socket(person.token)
        socket.connection.subscribe(destination, id="1", ack="auto")
        socket.is_refused(message, f"SUBSCRIBE {destination}")
    socket = Socket(person.token)
    socket.connection.send(f"/topic/seat.1.requester.{person.id}", '{"isAccepted":true}')
    socket.is_refused("Nothing can be sent there", "SEND to a topic")
    person.withdraw()


def main():
    try:
        for scene in (exchange, refusals):
            scene()
            print(f"✓ {scene.__name__}")
    except Wrong as error:
        sys.exit(f"✗ {error}")
    print(f"stomp.py {'.'.join(map(str, stomp.__version__)) if isinstance(stomp.__version__, tuple) else stomp.__version__}"
          " found nothing wrong.")


if __name__ == "__main__":
    main()
