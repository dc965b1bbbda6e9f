"""A client of HTTP/2 for checks of the gateway: its frames are written and read by python-h2's codecs, and may be invalid."""

import os
import socket
import ssl
import struct
import sys

try:
    import hpack
    from hyperframe import frame as frames
except ImportError:
    sys.exit("python-h2 is missing. Install it with\n  python3 -m venv .local/interop && .local/interop/bin/pip install h2")

HOST, _, PORT = os.environ.get("MADANG_TLS", "127.0.0.1:8443").rpartition(":")
TIMEOUT = 10
# Error codes (RFC 9113 §7).
NO_ERROR, PROTOCOL, FLOW_CONTROL, STREAM_CLOSED, FRAME_SIZE, REFUSED, CANCEL, COMPRESSION = 0, 1, 3, 5, 6, 7, 8, 9
# A page that needs no service, so that the gateway alone is asked.
HEADERS = [(":method", "GET"), (":scheme", "https"), (":path", "/docs"), (":authority", "localhost")]
# A call that is answered when its body has arrived.
POST = [
    (":method", "POST"), (":scheme", "https"), (":path", "/v1/users/login"), (":authority", "localhost"),
    ("sesackey", os.environ.get("MADANG_APP_KEY", "anlaka-dev-key")),
]


class Wrong(Exception):
    """The gateway broke a rule."""


class Client:
    """A connection by TLS that sends frames as they are written, valid or not."""

    def __init__(self, preface=True, settings=()):
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.set_alpn_protocols(["h2"])
        try:
            self.socket = context.wrap_socket(
                socket.create_connection((HOST, int(PORT)), TIMEOUT), server_hostname="localhost"
            )
        except OSError as error:
            sys.exit(f"no connection to {HOST}:{PORT}: {error}; start the stack with `make up`")
        if self.socket.selected_alpn_protocol() != "h2":
            sys.exit(f"{HOST}:{PORT} does not speak HTTP/2")
        self.encoder, self.decoder = hpack.Encoder(), hpack.Decoder()
        self.received, self.buffer, self.ended = [], b"", False
        if preface:
            self.raw(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
            self.send(frames.SettingsFrame(0, settings=dict(settings)))
            self.wait(lambda f: isinstance(f, frames.SettingsFrame) and "ACK" in f.flags)

    def raw(self, data):
        try:
            self.socket.sendall(data)
        except OSError:
            self.ended = True

    def send(self, *sent):
        self.raw(b"".join(frame.serialize() for frame in sent))

    def frame(self, kind, flags, stream, payload=b""):
        """Sends a frame by its numbers, for what hyperframe refuses to write."""
        self.raw(struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload)

    def block(self, headers=None):
        return self.encoder.encode(HEADERS if headers is None else headers)

    def request(self, stream=1, headers=None, end=True, **fields):
        frame = frames.HeadersFrame(stream, self.block(headers), **fields)
        frame.flags.add("END_HEADERS")
        if end:
            frame.flags.add("END_STREAM")
        self.send(frame)

    def read(self):
        """Reads what has arrived; false at the end of the connection."""
        try:
            data = self.socket.recv(65536)
        except socket.timeout:
            raise Wrong(f"no answer in {TIMEOUT} s") from None
        except OSError:
            data = b""
        self.ended = not data
        self.buffer += data
        while len(self.buffer) >= 9:
            frame, length = frames.Frame.parse_frame_header(memoryview(self.buffer[:9]))
            if len(self.buffer) < 9 + length:
                break
            frame.parse_body(memoryview(self.buffer[9:9 + length]))
            self.buffer = self.buffer[9 + length:]
            if isinstance(frame, frames.HeadersFrame):
                frame.status = dict(self.decoder.decode(frame.data)).get(":status")
            if isinstance(frame, frames.SettingsFrame) and "ACK" not in frame.flags:
                self.send(frames.SettingsFrame(0, flags=["ACK"]))
            self.received.append(frame)
        return not self.ended

    def wait(self, wanted):
        """The next received frame that is wanted; None if the connection ends before."""
        seen = 0
        while True:
            for frame in self.received[seen:]:
                if wanted(frame):
                    return frame
            seen = len(self.received)
            if self.ended or not self.read():
                return next((frame for frame in self.received[seen:] if wanted(frame)), None)

    # What the gateway must do

    def connection_error(self, *codes):
        """The connection ends, by GOAWAY with one of the codes if that can still be read."""
        frame = self.wait(lambda f: isinstance(f, frames.GoAwayFrame) and f.error_code != NO_ERROR)
        if frame and codes and frame.error_code not in codes:
            raise Wrong(f"GOAWAY with code {frame.error_code}, not {codes}")
        while not self.ended:
            self.read()

    def stream_error(self, *codes, stream=1):
        """The stream is reset, answered with 400, or the connection ends."""
        def ends(frame):
            if isinstance(frame, frames.GoAwayFrame):
                return frame.error_code != NO_ERROR
            return frame.stream_id == stream and isinstance(frame, (frames.RstStreamFrame, frames.HeadersFrame))
        frame = self.wait(ends)
        if isinstance(frame, frames.HeadersFrame):
            if frame.status not in ("400", "431"):
                raise Wrong(f"answered with {frame.status}")
        elif frame and codes and frame.error_code not in codes:
            raise Wrong(f"{type(frame).__name__} with code {frame.error_code}, not {codes}")

    def answer(self, stream=1):
        """The status and body of a response."""
        status, body = None, b""
        seen = 0
        while True:
            for frame in self.received[seen:]:
                seen += 1
                if isinstance(frame, frames.GoAwayFrame) and frame.error_code != NO_ERROR:
                    raise Wrong(f"GOAWAY with code {frame.error_code}")
                if frame.stream_id != stream:
                    continue
                if isinstance(frame, frames.RstStreamFrame):
                    raise Wrong(f"RST_STREAM with code {frame.error_code}")
                if isinstance(frame, frames.HeadersFrame):
                    status = frame.status
                if isinstance(frame, frames.DataFrame):
                    body += frame.data
                if "END_STREAM" in frame.flags:
                    return status, body
            if self.ended:
                raise Wrong("the connection ended without an answer")
            self.read()

    def served(self, stream=1):
        status, body = self.answer(stream)
        if status != "200":
            raise Wrong(f"answered with {status}")
        return body

    def alive(self):
        """The connection still answers."""
        self.send(frames.PingFrame(0, opaque_data=b"madang!!"))
        found = self.wait(lambda f: isinstance(f, frames.PingFrame) and f.opaque_data == b"madang!!")
        if not found:
            raise Wrong("the connection has ended")

    def close(self):
        self.socket.close()


RULES = []


def rule(section, preface=True, settings=()):
    """Adds a check of a rule, which is called with a connection of its own."""
    def add(check):
        RULES.append((f"{section} {check.__name__.replace('_', ' ')}", check, preface, settings))
        return check
    return add


def rules(table):
    """Adds the same check for every entry of a table: a section with the name of a rule, and what the check is called with."""
    def add(check):
        for name, arguments in table.items():
            def run(client, arguments=arguments):
                check(client, *arguments)
            RULES.append((name, run, True, ()))
        return check
    return add
