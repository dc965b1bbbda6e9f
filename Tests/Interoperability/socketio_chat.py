#!/usr/bin/env python3
"""Talks in Anlaka's rooms against a running stack with an independent Socket.IO client, python-socketio.

Two people join, open a room and write by REST, as Anlaka's app does it, and hear each other in the namespace of the room.
Then come pings, reconnections, and who must be refused. Ends with 0 when everything was as it should be, and with 1 and a
sentence that says what was not.

    make up
    make interop

Environment: MADANG_URL (http://127.0.0.1:8080), ANLAKA_KEY (anlaka-dev-key).
"""

import json
import os
import queue
import random
import string
import sys
import time
import urllib.error
import urllib.request

HOW_TO_INSTALL = "python3 -m venv .local/interop && .local/interop/bin/pip install 'python-socketio[client]'"

try:
    import socketio
    import websocket  # noqa: F401  python-socketio needs it for WebSockets, and says so late
except ImportError as error:
    sys.exit(f"{error.name} is not installed. Install both clients with\n  {HOW_TO_INSTALL}")

GATEWAY = os.environ.get("MADANG_URL", "http://127.0.0.1:8080")
KEY = os.environ.get("ANLAKA_KEY", "anlaka-dev-key")
TIMEOUT = 10


class Wrong(Exception):
    """Something is not as it should be."""


def require(holds, sentence):
    if not holds:
        raise Wrong(sentence)


def call(method, path, expected, body=None, token=None):
    """Sends a request; returns the JSON of the answer, None without a body."""
    headers = {"Content-Type": "application/json", "SeSACKey": KEY}
    if token:
        headers["Authorization"] = token
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(GATEWAY + path, data=data, method=method, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
            status, text = answer.status, answer.read()
    except urllib.error.HTTPError as error:
        status, text = error.code, error.read()
    except urllib.error.URLError as error:
        raise Wrong(f"no answer from {GATEWAY}: {error.reason}; start the stack with `make up`") from None
    require(status == expected, f"{method} {path} answered {status} instead of {expected}: {text.decode()}")
    return json.loads(text) if text else None


def take(waiting, what):
    try:
        return waiting.get(timeout=TIMEOUT)
    except queue.Empty:
        raise Wrong(f"waited in vain for {what}") from None


class Socket:
    """A connection of python-socketio to one room, by WebSocket alone."""

    def __init__(self, room, token):
        self.namespace = f"/chats-{room}"
        self.chats, self.connects, self.refusals, self.ends = (queue.Queue() for _ in range(4))
        self.client = socketio.Client(reconnection=False)
        self.client.on("connect", lambda: self.connects.put(True), namespace=self.namespace)
        self.client.on("connect_error", self.refusals.put, namespace=self.namespace)
        self.client.on("disconnect", lambda *reason: self.ends.put(True), namespace=self.namespace)
        self.client.on("chat", self.chats.put, namespace=self.namespace)
        headers = {"SeSACKey": KEY}
        if token:
            headers["Authorization"] = token
        self.client.connect(GATEWAY, headers=headers, transports=["websocket"], namespaces=[self.namespace], wait=False)

    def is_in(self):
        take(self.connects, f"the acceptance of {self.namespace}")
        return self

    def is_refused(self, message):
        refusal = take(self.refusals, f"the refusal of {self.namespace}")
        require(refusal == {"message": message}, f"the refusal says {refusal} instead of {message!r}")
        self.client.disconnect()

    def hears(self, chat):
        heard = take(self.chats, f"the message {chat['content']!r}")
        require(heard == chat, f"the socket says {heard} where REST says {chat}")

    def is_quiet(self):
        require(self.chats.empty(), "a message was delivered twice, or to the wrong user")


class Person:
    """A new user of Anlaka, signed in."""

    def __init__(self):
        name = "".join(random.choices(string.ascii_lowercase, k=10))
        account = {"email": f"{name}@example.com", "password": "Passw0rd!", "nick": name}
        call("POST", "/v1/users/validation/email", 200, {"email": account["email"]})
        answer = call("POST", "/v1/users/join", 200, account)
        self.id, self.token = answer["user_id"], answer["accessToken"]

    def send(self, method, path, expected=200, body=None):
        return call(method, path, expected, body, self.token)

    def says(self, room, text):
        return self.send("POST", f"/v1/chats/{room}", 200, {"content": text, "files": []})


def talk():
    a, b = Person(), Person()
    room = a.send("POST", "/v1/chats", 200, {"opponent_id": b.id})["room_id"]
    before = a.says(room, "아직 아무도 없어요?")
    sockets = [Socket(room, person.token).is_in() for person in (a, b, b)]
    for socket in sockets:
        socket.hears(before)
    for number, person in enumerate([a, b, a, a, b]):
        chat = person.says(room, f"{number} 안녕하세요 😀 \"따옴표\"")
        for socket in sockets:
            socket.hears(chat)

    # One of three goes without a word; the others go on, and who comes back hears what was said meanwhile.
    sockets[2].client.disconnect()
    missed = a.says(room, "혼잣말")
    for socket in sockets[:2]:
        socket.hears(missed)
    again = Socket(room, b.token).is_in()
    heard = []
    while not heard or heard[-1]["chat_id"] != missed["chat_id"]:
        heard.append(take(again.chats, "what was said meanwhile"))
    require(len({chat["chat_id"] for chat in heard}) == len(heard), "a message was delivered twice")

    unread = next(item for item in b.send("GET", "/v1/chats")["data"] if item["room_id"] == room)
    require(unread["unreadCount"] == 0, "who is there has read")

    # Longer than an interval of pings: the library answers them, and no connection is closed.
    time.sleep(27)
    last = b.says(room, "아직 있어요")
    for socket in (sockets[0], sockets[1], again):
        socket.hears(last)
        socket.is_quiet()
        require(socket.ends.empty(), "a client that answers pings was disconnected")
        socket.client.disconnect()


def refusals():
    a, b, c = Person(), Person(), Person()
    room = a.send("POST", "/v1/chats", 200, {"opponent_id": b.id})["room_id"]
    Socket(room, c.token).is_refused("You are no participant of this room.")
    Socket("0" * 24, a.token).is_refused("There is no such room.")
    Socket("junk", a.token).is_refused("There is no such room.")
    Socket(room, "junk").is_refused("The access token is not valid.")
    Socket(room, None).is_refused("Sign in first.")
    socket = Socket(room, a.token).is_in()
    a.send("POST", "/v1/users/logout")
    take(socket.ends, "the end of the connection after a sign-out")


def main():
    try:
        for scene in (talk, refusals):
            scene()
            print(f"✓ {scene.__name__}")
    except Wrong as error:
        sys.exit(f"✗ {error}")
    print("python-socketio found nothing wrong.")


if __name__ == "__main__":
    main()
