"""The rules for frames, streams and windows (RFC 9113 §3.4 to §6.10) that a client can break, each broken once."""

import struct
import time

from hyperframe import frame as frames

from http2_client import (
    CANCEL, COMPRESSION, FLOW_CONTROL, FRAME_SIZE, NO_ERROR, POST, PROTOCOL, REFUSED, STREAM_CLOSED, Wrong, rule, rules
)

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


# A frame that ends a connection on which nothing else has been sent

@rules({
    "4.3 invalid header block is a compression error": (0x1, 0x5, 1, b"\xff\xff\xff\xff\xff\xff\xff", COMPRESSION),
    "5.1 data on an idle stream is refused": (0x0, 0, 1, b"x", PROTOCOL, STREAM_CLOSED),
    "5.1 rst stream on an idle stream is refused": (0x3, 0, 1, b"\0\0\0\x08", PROTOCOL),
    "5.1 window update on an idle stream is refused": (0x8, 0, 1, b"\0\0\0\x64", PROTOCOL),
    "5.1 continuation on an idle stream is refused": (0x9, 0x4, 1, b"", PROTOCOL),
    "6.1 data of the connection is refused": (0x0, 0x1, 0, b"test", PROTOCOL),
    "6.3 priority of the connection is refused": (0x2, 0, 0, b"\x80\0\0\x01\x0a", PROTOCOL),
    "6.4 reset of the connection is refused": (0x3, 0, 0, b"\0\0\0\x08", PROTOCOL),
    "6.5 acknowledgement of settings with a payload is refused": (0x4, 0x1, 0, b"\0" * 6, FRAME_SIZE),
    "6.5 settings of a stream are refused": (0x4, 0, 1, b"\0\x03\0\0\0\x64", PROTOCOL),
    "6.5 settings of another length are refused": (0x4, 0, 0, b"\0\x03\0", FRAME_SIZE),
    "6.7 ping of a stream is refused": (0x6, 0, 1, b"12345678", PROTOCOL),
    "6.7 ping of another length is refused": (0x6, 0, 0, b"123456", FRAME_SIZE),
    "6.8 goaway of a stream is refused": (0x7, 0, 1, b"\0" * 8, PROTOCOL),
    "6.9 window update of another length is refused": (0x8, 0, 0, b"\0\0\x01", FRAME_SIZE),
    "6.9 empty window update of the connection is refused": (0x8, 0, 0, b"\0\0\0\0", PROTOCOL),
})
def single_frame(c, kind, flags, stream, payload, *codes):
    c.frame(kind, flags, stream, payload)
    c.connection_error(*codes)


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
    c.frame(0x3, 0, 1, struct.pack(">I", CANCEL))
    c.frame(0x0, 0x1, 1, b"test")
    ignored_or_closed(c)


@rule("5.1")
def headers_after_a_reset_are_refused(c):
    c.request(end=False)
    c.frame(0x3, 0, 1, struct.pack(">I", CANCEL))
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
        return isinstance(frame, (frames.RstStreamFrame, frames.GoAwayFrame)) and frame.error_code not in (NO_ERROR, CANCEL)
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
def priority_of_another_length_is_refused(c):
    c.request(headers=POST, end=False)
    c.frame(0x2, 0, 1, b"\x80\0\0\x01")
    c.stream_error(FRAME_SIZE)


@rule("6.4")
def reset_of_another_length_is_refused(c):
    c.request(end=False)
    c.frame(0x3, 0, 1, b"\0\0\0")
    c.connection_error(FRAME_SIZE)


@rules({
    "6.5.2 push that is neither on nor off is refused": (2, 2, PROTOCOL),
    "6.5.2 window beyond the maximum is refused": (4, 1 << 31, FLOW_CONTROL),
    "6.5.2 frame size below the minimum is refused": (5, 16383, PROTOCOL),
    "6.5.2 frame size beyond the maximum is refused": (5, 1 << 24, PROTOCOL),
    "6.5.2 connect protocol that is neither on nor off is refused": (8, 2, PROTOCOL),
})
def setting(c, number, value, *codes):
    c.frame(0x4, 0, 0, struct.pack(">HI", number, value))
    c.connection_error(*codes)


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


def window(size):
    return {frames.SettingsFrame.INITIAL_WINDOW_SIZE: size}


def first_data(c):
    """The bytes of the response until nothing more may be sent."""
    c.alive()
    time.sleep(0.2)
    c.alive()
    return b"".join(f.data for f in c.received if isinstance(f, frames.DataFrame))


@rule("6.9.1", settings=window(1))
def data_keeps_to_the_window(c):
    c.request()
    c.wait(lambda f: isinstance(f, frames.DataFrame))
    size = len(first_data(c))
    if size != 1:
        raise Wrong(f"{size} bytes for a window of 1")


@rule("6.9.2", settings=window(0))
def window_of_open_streams_follows_the_setting(c):
    c.request()
    c.wait(lambda f: isinstance(f, frames.HeadersFrame))
    if first_data(c):
        raise Wrong("data for a window of 0")
    c.send(frames.SettingsFrame(0, settings=window(1)))
    c.wait(lambda f: isinstance(f, frames.DataFrame))
    if len(first_data(c)) != 1:
        raise Wrong("the window did not grow by the difference")


@rule("6.9.2", settings=window(2))
def window_may_become_negative(c):
    c.request()
    c.wait(lambda f: isinstance(f, frames.DataFrame))
    c.send(frames.SettingsFrame(0, settings=window(0)))
    c.send(frames.WindowUpdateFrame(1, window_increment=2))
    if len(first_data(c)) != 2:
        raise Wrong("data for a window that is not positive")
    c.send(frames.WindowUpdateFrame(1, window_increment=1))
    if not c.wait(lambda f: isinstance(f, frames.DataFrame) and len(f.data) == 1):
        raise Wrong("no data when the window was positive again")


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
