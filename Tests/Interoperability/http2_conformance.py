#!/usr/bin/env python3
"""Checks how the gateway speaks HTTP/2 (RFC 9113) and HPACK (RFC 7541) with an independent implementation, python-h2 and its
codecs: each rule of the RFCs that a client can break, broken once on a connection of its own, and real exchanges. Ends with 0
when every answer was as the RFC demands, and with 1 and one line for each that was not.

    make up
    python3 Tests/Interoperability/http2_conformance.py [RULE]

Only rules whose name contains RULE are checked. Needs the package h2. Environment: MADANG_TLS (127.0.0.1:8443),
MADANG_APP_KEY (Anlaka's, anlaka-dev-key).
"""

import os
import socket
import ssl
import struct
import sys
import time

try:
    import h2.config
    import h2.connection
    import h2.events
    import hpack
    from hyperframe import frame as frames
except ImportError:
    sys.exit("python-h2 is missing. Install it with\n  python3 -m venv .local/interop && .local/interop/bin/pip install h2")

HOST, _, PORT = os.environ.get("MADANG_TLS", "127.0.0.1:8443").rpartition(":")
TIMEOUT = 10
# A page that needs no service, so that the gateway alone is measured.
PAGE = "/docs"
NO_ERROR, PROTOCOL, INTERNAL, FLOW_CONTROL = 0, 1, 2, 3
STREAM_CLOSED, FRAME_SIZE, REFUSED, COMPRESSION, CALM = 5, 6, 7, 9, 11
# A call that is answered when its body has arrived.
UPLOAD = "/v1/users/login"
HEADERS = [(":method", "GET"), (":scheme", "https"), (":path", PAGE), (":authority", "localhost")]
POST = [
    (":method", "POST"), (":scheme", "https"), (":path", UPLOAD), (":authority", "localhost"),
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
    def add(check):
        RULES.append((f"{section} {check.__name__.replace('_', ' ')}", check, preface, settings))
        return check
    return add


def header(settings_name, value):
    return {getattr(frames.SettingsFrame, settings_name): value}


# RFC 9113 §3.4: preface

@rule("3.4", preface=False)
def invalid_preface_ends_the_connection(c):
    c.raw(b"INVALID CONNECTION PREFACE\r\n\r\n")
    c.connection_error(PROTOCOL)


@rule("3.4", preface=False)
def preface_without_settings_is_refused(c):
    c.raw(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
    c.request()
    c.connection_error(PROTOCOL)


# §4: frames

@rule("4.1")
def frame_of_unknown_type_is_ignored(c):
    c.frame(0x16, 0xFF, 0, b"12345678")
    c.alive()


@rule("4.1")
def undefined_flag_is_ignored(c):
    c.frame(0x6, 0x16, 0, b"12345678")
    if not c.wait(lambda f: isinstance(f, frames.PingFrame) and "ACK" in f.flags):
        raise Wrong("the connection has ended")


@rule("4.1")
def reserved_bit_is_ignored(c):
    c.frame(0x6, 0, 0x80000000, b"12345678")
    if not c.wait(lambda f: isinstance(f, frames.PingFrame) and "ACK" in f.flags):
        raise Wrong("the connection has ended")


@rule("4.2")
def largest_data_frame_is_accepted(c):
    c.request(headers=POST, end=False)
    c.frame(0x0, 0x1, 1, b"x" * 16384)
    c.answer()


@rule("4.2")
def data_frame_beyond_the_maximum_is_refused(c):
    c.request(headers=POST, end=False)
    c.frame(0x0, 0x1, 1, b"x" * 16385)
    c.stream_error(FRAME_SIZE)


@rule("4.2")
def headers_frame_beyond_the_maximum_is_refused(c):
    c.frame(0x1, 0x5, 1, c.block() + b"\0\1x\x7f\xe9\x7e" + b"y" * 16384)
    c.connection_error(FRAME_SIZE)


@rule("4.3")
def invalid_header_block_is_a_compression_error(c):
    c.frame(0x1, 0x5, 1, b"\xff\xff\xff\xff\xff\xff\xff")
    c.connection_error(COMPRESSION)


@rule("4.3")
def other_frame_within_a_header_block_is_refused(c):
    c.frame(0x1, 0x1, 1, c.block())
    c.frame(0x2, 0, 3, struct.pack(">IB", 0, 15))
    c.connection_error(PROTOCOL)


@rule("4.3")
def headers_of_another_stream_within_a_header_block_are_refused(c):
    c.frame(0x1, 0x1, 1, c.block())
    c.frame(0x1, 0x5, 3, c.block())
    c.connection_error(PROTOCOL)


# §5.1: states of streams

for name, kind, payload in [
    ("data", 0x0, b"x"), ("rst stream", 0x3, b"\0\0\0\x08"), ("window update", 0x8, b"\0\0\0\x64"), ("continuation", 0x9, b""),
]:
    def idle(c, kind=kind, payload=payload):
        c.frame(kind, 0x4 if kind == 0x9 else 0, 1, payload)
        c.connection_error(PROTOCOL, *([STREAM_CLOSED] if kind == 0x0 else []))
    idle.__name__ = f"{name}_on_an_idle_stream_is_refused"
    rule("5.1")(idle)


@rule("5.1")
def data_after_the_end_of_the_request_is_refused(c):
    c.request()
    c.frame(0x0, 0x1, 1, b"test")
    after_end(c)


@rule("5.1")
def headers_after_the_end_of_the_request_are_refused(c):
    c.request()
    c.request()
    after_end(c)


@rule("5.1")
def continuation_after_the_end_of_the_request_is_refused(c):
    c.request()
    c.frame(0x9, 0x4, 1, c.block())
    c.connection_error(PROTOCOL, STREAM_CLOSED)


@rule("5.1")
def data_after_a_reset_does_no_harm(c):
    c.request(headers=POST, end=False)
    c.frame(0x3, 0, 1, struct.pack(">I", 8))
    c.frame(0x0, 0x1, 1, b"test")
    ignored_or_closed(c)


@rule("5.1")
def headers_after_a_reset_are_refused(c):
    c.request(end=False)
    c.frame(0x3, 0, 1, struct.pack(">I", 8))
    c.request()
    ignored_or_closed(c)


def after_end(c):
    """STREAM_CLOSED on the stream or the connection; the response may have been sent before."""
    def reset(frame):
        return isinstance(frame, (frames.RstStreamFrame, frames.GoAwayFrame)) and frame.error_code != NO_ERROR
    frame = c.wait(reset)
    if frame and frame.error_code not in (STREAM_CLOSED, PROTOCOL):
        raise Wrong(f"{type(frame).__name__} with code {frame.error_code}")


def ignored_or_closed(c):
    """Frames that crossed a reset are ignored or refused with STREAM_CLOSED."""
    c.send(frames.PingFrame(0, opaque_data=b"crossed!"))

    def ends(frame):
        if isinstance(frame, frames.PingFrame):
            return frame.opaque_data == b"crossed!"
        return isinstance(frame, (frames.RstStreamFrame, frames.GoAwayFrame)) and frame.error_code not in (NO_ERROR, 8)
    frame = c.wait(ends)
    if frame and not isinstance(frame, frames.PingFrame) and frame.error_code not in (STREAM_CLOSED, PROTOCOL):
        raise Wrong(f"{type(frame).__name__} with code {frame.error_code}")


@rule("5.1.1")
def even_stream_is_refused(c):
    c.request(stream=2)
    c.connection_error(PROTOCOL)


@rule("5.1.1")
def lower_stream_is_refused(c):
    c.request(stream=5)
    c.served(5)
    c.request(stream=3)
    c.connection_error(PROTOCOL, STREAM_CLOSED)


@rule("5.1.2")
def streams_beyond_the_maximum_are_refused(c):
    limit = next(f for f in c.received if isinstance(f, frames.SettingsFrame) and f.settings).settings[3]
    for number in range(limit + 1):
        c.request(stream=2 * number + 1, headers=POST, end=False)
    c.stream_error(PROTOCOL, REFUSED, stream=2 * limit + 1)


@rule("5.5")
def unknown_frame_within_a_header_block_is_refused(c):
    c.frame(0x1, 0x1, 1, c.block())
    c.frame(0x16, 0, 1, b"12345678")
    c.connection_error(PROTOCOL)


# §6: frames by type

@rule("6.1")
def data_of_the_connection_is_refused(c):
    c.frame(0x0, 0x1, 0, b"test")
    c.connection_error(PROTOCOL)


@rule("6.1")
def padding_beyond_the_data_is_refused(c):
    c.request(headers=POST, end=False)
    c.frame(0x0, 0x9, 1, b"\x06test")
    c.connection_error(PROTOCOL)


@rule("6.2")
def headers_of_the_connection_are_refused(c):
    c.frame(0x1, 0x5, 0, c.block())
    c.connection_error(PROTOCOL)


@rule("6.2")
def padding_beyond_the_headers_is_refused(c):
    block = c.block()
    c.frame(0x1, 0xD, 1, bytes([len(block) + 1]) + block)
    c.connection_error(PROTOCOL)


@rule("6.3")
def priority_of_the_connection_is_refused(c):
    c.frame(0x2, 0, 0, b"\x80\0\0\x01\x0a")
    c.connection_error(PROTOCOL)


@rule("6.3")
def priority_of_another_length_is_refused(c):
    c.request(headers=POST, end=False)
    c.frame(0x2, 0, 1, b"\x80\0\0\x01")
    c.stream_error(FRAME_SIZE)


@rule("6.4")
def reset_of_the_connection_is_refused(c):
    c.frame(0x3, 0, 0, b"\0\0\0\x08")
    c.connection_error(PROTOCOL)


@rule("6.4")
def reset_of_another_length_is_refused(c):
    c.request(end=False)
    c.frame(0x3, 0, 1, b"\0\0\0")
    c.connection_error(FRAME_SIZE)


@rule("6.5")
def acknowledgement_of_settings_with_a_payload_is_refused(c):
    c.frame(0x4, 0x1, 0, b"\0" * 6)
    c.connection_error(FRAME_SIZE)


@rule("6.5")
def settings_of_a_stream_are_refused(c):
    c.frame(0x4, 0, 1, b"\0\x03\0\0\0\x64")
    c.connection_error(PROTOCOL)


@rule("6.5")
def settings_of_another_length_are_refused(c):
    c.frame(0x4, 0, 0, b"\0\x03\0")
    c.connection_error(FRAME_SIZE)


for name, number, value, codes in [
    ("push_that_is_neither_on_nor_off", 2, 2, (PROTOCOL,)), ("window_beyond_the_maximum", 4, 1 << 31, (FLOW_CONTROL,)),
    ("frame_size_below_the_minimum", 5, 16383, (PROTOCOL,)), ("frame_size_beyond_the_maximum", 5, 1 << 24, (PROTOCOL,)),
    ("connect_protocol_that_is_neither_on_nor_off", 8, 2, (PROTOCOL,)),
]:
    def setting(c, number=number, value=value, codes=codes):
        c.frame(0x4, 0, 0, struct.pack(">HI", number, value))
        c.connection_error(*codes)
    setting.__name__ = f"setting_{name}_is_refused"
    rule("6.5.2")(setting)


@rule("6.5.2")
def unknown_setting_is_ignored(c):
    c.frame(0x4, 0, 0, b"\0\xff\0\0\0\x01")
    c.alive()


@rule("6.5.3")
def settings_are_acknowledged(c):
    c.received.clear()
    c.frame(0x4, 0, 0, b"\0\x03\0\0\0\x64")
    if not c.wait(lambda f: isinstance(f, frames.SettingsFrame) and "ACK" in f.flags):
        raise Wrong("not acknowledged")


@rule("6.6")
def push_promise_of_a_client_is_refused(c):
    c.frame(0x5, 0x4, 1, struct.pack(">I", 3) + c.block())
    c.connection_error(PROTOCOL)


@rule("6.7")
def ping_is_answered_with_the_same_bytes(c):
    c.alive()


@rule("6.7")
def acknowledgement_of_a_ping_is_not_answered(c):
    c.frame(0x6, 0x1, 0, b"invalid!")
    c.alive()
    if any(isinstance(f, frames.PingFrame) and f.opaque_data == b"invalid!" for f in c.received):
        raise Wrong("answered")


@rule("6.7")
def ping_of_a_stream_is_refused(c):
    c.frame(0x6, 0, 1, b"12345678")
    c.connection_error(PROTOCOL)


@rule("6.7")
def ping_of_another_length_is_refused(c):
    c.frame(0x6, 0, 0, b"123456")
    c.connection_error(FRAME_SIZE)


@rule("6.8")
def goaway_of_a_stream_is_refused(c):
    c.frame(0x7, 0, 1, b"\0" * 8)
    c.connection_error(PROTOCOL)


@rule("6.9")
def window_update_of_another_length_is_refused(c):
    c.frame(0x8, 0, 0, b"\0\0\x01")
    c.connection_error(FRAME_SIZE)


@rule("6.9")
def empty_window_update_of_the_connection_is_refused(c):
    c.frame(0x8, 0, 0, b"\0\0\0\0")
    c.connection_error(PROTOCOL)


@rule("6.9")
def empty_window_update_of_a_stream_is_refused(c):
    c.request(headers=POST, end=False)
    c.frame(0x8, 0, 1, b"\0\0\0\0")
    c.stream_error(PROTOCOL)


@rule("6.9.1")
def window_of_the_connection_beyond_the_maximum_is_refused(c):
    for _ in range(2):
        c.frame(0x8, 0, 0, struct.pack(">I", (1 << 31) - 1))
    c.connection_error(FLOW_CONTROL)


@rule("6.9.1")
def window_of_a_stream_beyond_the_maximum_is_refused(c):
    c.request(headers=POST, end=False)
    for _ in range(2):
        c.frame(0x8, 0, 1, struct.pack(">I", (1 << 31) - 1))
    c.stream_error(FLOW_CONTROL)


def first_data(c):
    """The bytes of the response until nothing more may be sent."""
    c.alive()
    time.sleep(0.2)
    c.alive()
    return b"".join(f.data for f in c.received if isinstance(f, frames.DataFrame))


@rule("6.9.1", settings=header("INITIAL_WINDOW_SIZE", 1))
def data_keeps_to_the_window(c):
    c.request()
    c.wait(lambda f: isinstance(f, frames.DataFrame))
    if len(first_data(c)) != 1:
        raise Wrong(f"{len(first_data(c))} bytes for a window of 1")


@rule("6.9.2", settings=header("INITIAL_WINDOW_SIZE", 0))
def window_of_open_streams_follows_the_setting(c):
    c.request()
    c.wait(lambda f: isinstance(f, frames.HeadersFrame))
    if first_data(c):
        raise Wrong("data for a window of 0")
    c.send(frames.SettingsFrame(0, settings=header("INITIAL_WINDOW_SIZE", 1)))
    c.wait(lambda f: isinstance(f, frames.DataFrame))
    if len(first_data(c)) != 1:
        raise Wrong("the window did not grow by the difference")


@rule("6.9.2", settings=header("INITIAL_WINDOW_SIZE", 2))
def window_may_become_negative(c):
    c.request()
    c.wait(lambda f: isinstance(f, frames.DataFrame))
    c.send(frames.SettingsFrame(0, settings=header("INITIAL_WINDOW_SIZE", 0)))
    c.send(frames.WindowUpdateFrame(1, window_increment=2))
    if len(first_data(c)) != 2:
        raise Wrong("data for a window that is not positive")
    c.send(frames.WindowUpdateFrame(1, window_increment=1))
    c.wait(lambda f: isinstance(f, frames.DataFrame) and len(f.data) == 1)


@rule("6.10")
def header_block_in_several_frames_is_read(c):
    block = c.block()
    c.frame(0x1, 0x1, 1, block[:1])
    c.frame(0x9, 0, 1, block[1:2])
    c.frame(0x9, 0x4, 1, block[2:])
    c.served()


@rule("6.10")
def continuation_after_the_end_of_headers_is_refused(c):
    c.request(headers=POST, end=False)
    c.frame(0x9, 0x4, 1, c.block())
    c.connection_error(PROTOCOL)


@rule("6.10")
def continuation_of_the_connection_is_refused(c):
    c.frame(0x1, 0x1, 1, c.block())
    c.frame(0x9, 0x4, 0, c.block())
    c.connection_error(PROTOCOL)


# §8: HTTP

@rule("8.1")
def second_headers_without_an_end_are_refused(c):
    c.request(headers=POST, end=False)
    c.request(headers=[("x-trailer", "ok")], end=False)
    c.stream_error(PROTOCOL)


WITHOUT = {name: [pair for pair in HEADERS if pair[0] != name] for name, _ in HEADERS}
MALFORMED = {
    "upper case in a name": [*HEADERS, ("X-Upper", "ok")],
    "unknown pseudo header": [*HEADERS, (":test", "ok")],
    "pseudo header of responses": [*HEADERS, (":status", "200")],
    "pseudo header after others": [*HEADERS[:2], ("x-test", "ok"), *HEADERS[2:]],
    "connection header": [*HEADERS, ("connection", "keep-alive")],
    "transfer encoding": [*HEADERS, ("transfer-encoding", "chunked")],
    "te other than trailers": [*HEADERS, ("te", "gzip")],
    "empty path": [*WITHOUT[":path"], (":path", "")],
    "no method": WITHOUT[":method"],
    "no scheme": WITHOUT[":scheme"],
    "no path": WITHOUT[":path"],
    "two methods": [*HEADERS, (":method", "GET")],
    "two schemes": [*HEADERS, (":scheme", "https")],
    "two paths": [*HEADERS, (":path", "/")],
    "line end in a value": [*HEADERS, ("x-test", "a\r\nb: c")],
    "nul in a value": [*HEADERS, ("x-test", "a\0b")],
    "blank in a name": [*HEADERS, ("x test", "ok")],
    "colon in a name": [*HEADERS, ("x:test", "ok")],
    "connect without the protocol's fields": [(":method", "CONNECT"), (":protocol", "websocket")],
}
for name, fields in MALFORMED.items():
    def malformed(c, fields=fields):
        c.request(headers=fields)
        c.stream_error(PROTOCOL)
    malformed.__name__ = f"{name}_is_malformed"
    rule("8.1.1")(malformed)


@rule("8.1.1")
def empty_name_is_malformed(c):
    # The error may be found while the block is decoded.
    c.request(headers=[*HEADERS, ("", "ok")])
    c.stream_error(PROTOCOL, COMPRESSION)


@rule("8.1.1")
def pseudo_header_in_trailers_is_malformed(c):
    c.request(headers=POST, end=False)
    c.request(headers=[(":method", "POST")])
    c.stream_error(PROTOCOL)


@rule("8.1.1")
def content_shorter_than_its_length_is_malformed(c):
    c.request(headers=[*POST, ("content-length", "5")], end=False)
    c.frame(0x0, 0x1, 1, b"test")
    c.stream_error(PROTOCOL)


@rule("8.1.1")
def content_longer_than_its_length_is_malformed(c):
    c.request(headers=[*POST, ("content-length", "1")], end=False)
    c.frame(0x0, 0, 1, b"te")
    c.frame(0x0, 0x1, 1, b"st")
    c.stream_error(PROTOCOL)


# RFC 7541

for name, block in {
    "index zero": b"\x80", "index beyond both tables": b"\xff\x00", "table larger than the setting": b"\x3f\xff\xff\x7f",
    "huffman with the end of string": b"\x00\x85\xf2\xb2\x4a\x84\xff\x87\x49\x50\x9f\xff\xff\xff\xfc",
    "huffman padding of more than seven bits": b"\x00\x85\xf2\xb2\x4a\x84\xff\x84\x49\x50\x9f\xff",
    "huffman padding with zeros": b"\x00\x85\xf2\xb2\x4a\x84\xff\x83\x49\x50\x90",
    "string longer than the block": b"\x00\x7f\xff\x0fxx",
}.items():
    def compression(c, block=block):
        c.frame(0x1, 0x5, 1, c.block() + block)
        c.connection_error(COMPRESSION)
    compression.__name__ = f"{name}_is_a_compression_error"
    rule("hpack")(compression)


@rule("hpack")
def table_size_after_a_field_is_a_compression_error(c):
    c.frame(0x1, 0x5, 1, c.block() + b"\x20")
    c.connection_error(COMPRESSION)


# Exchanges by python-h2

def exchange(count, one_by_one):
    c = Client(preface=False)
    h = h2.connection.H2Connection(h2.config.H2Configuration(client_side=True, header_encoding="utf-8"))
    h.initiate_connection()
    statuses, open_streams, sent = {}, set(), 0
    while len(statuses) < count:
        while sent < count and len(open_streams) < (1 if one_by_one else 50):
            stream = h.get_next_available_stream_id()
            h.send_headers(stream, [*HEADERS, ("x-number", str(sent))], end_stream=True)
            open_streams.add(stream)
            sent += 1
        c.socket.sendall(h.data_to_send())
        data = c.socket.recv(65536)
        if not data:
            raise Wrong("the connection ended")
        for event in h.receive_data(data):
            if isinstance(event, h2.events.ResponseReceived):
                statuses[event.stream_id] = dict(event.headers)[":status"]
            elif isinstance(event, h2.events.DataReceived):
                h.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            elif isinstance(event, h2.events.StreamEnded):
                open_streams.discard(event.stream_id)
            elif isinstance(event, (h2.events.StreamReset, h2.events.ConnectionTerminated)):
                raise Wrong(f"{event}")
    c.close()
    if set(statuses.values()) != {"200"}:
        raise Wrong(f"answered with {set(statuses.values())}")


def main():
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    checked, wrong = 0, []
    for name, check, preface, settings in RULES:
        if wanted not in name:
            continue
        checked += 1
        client = Client(preface, settings)
        try:
            check(client)
        except Wrong as error:
            wrong.append(f"{name}: {error}")
        finally:
            client.close()
    for name, arguments in {"exchange one by one": (200, True), "exchange of fifty at once": (2000, False)}.items():
        if wanted in name:
            checked += 1
            try:
                exchange(*arguments)
            except Wrong as error:
                wrong.append(f"{name}: {error}")
    for line in wrong:
        print(line)
    print(f"HTTP/2: {checked - len(wrong)} of {checked} rules hold")
    sys.exit(1 if wrong else 0)


main()
