"""The rules for messages (RFC 9113 §8) and header compression (RFC 7541) that a client can break, each broken once."""

from http2_client import COMPRESSION, HEADERS, POST, PROTOCOL, rule, rules

# §8: HTTP

@rule("8.1")
def second_headers_without_an_end_are_refused(c):
    c.request(headers=POST, end=False)
    c.request(headers=[("x-trailer", "ok")], end=False)
    c.stream_error(PROTOCOL)


WITHOUT = {name: [pair for pair in HEADERS if pair[0] != name] for name, _ in HEADERS}


@rules({
    "8.1.1 upper case in a name is malformed": ([*HEADERS, ("X-Upper", "ok")],),
    "8.1.1 unknown pseudo header is malformed": ([*HEADERS, (":test", "ok")],),
    "8.1.1 pseudo header of responses is malformed": ([*HEADERS, (":status", "200")],),
    "8.1.1 pseudo header after others is malformed": ([*HEADERS[:2], ("x-test", "ok"), *HEADERS[2:]],),
    "8.1.1 connection header is malformed": ([*HEADERS, ("connection", "keep-alive")],),
    "8.1.1 transfer encoding is malformed": ([*HEADERS, ("transfer-encoding", "chunked")],),
    "8.1.1 te other than trailers is malformed": ([*HEADERS, ("te", "gzip")],),
    "8.1.1 empty path is malformed": ([*WITHOUT[":path"], (":path", "")],),
    "8.1.1 no method is malformed": (WITHOUT[":method"],),
    "8.1.1 no scheme is malformed": (WITHOUT[":scheme"],),
    "8.1.1 no path is malformed": (WITHOUT[":path"],),
    "8.1.1 two methods are malformed": ([*HEADERS, (":method", "GET")],),
    "8.1.1 two schemes are malformed": ([*HEADERS, (":scheme", "https")],),
    "8.1.1 two paths are malformed": ([*HEADERS, (":path", "/")],),
    "8.1.1 line end in a value is malformed": ([*HEADERS, ("x-test", "a\r\nb: c")],),
    "8.1.1 nul in a value is malformed": ([*HEADERS, ("x-test", "a\0b")],),
    "8.1.1 blank in a name is malformed": ([*HEADERS, ("x test", "ok")],),
    "8.1.1 colon in a name is malformed": ([*HEADERS, ("x:test", "ok")],),
    "8.1.1 connect without the protocol's fields is malformed": ([(":method", "CONNECT"), (":protocol", "websocket")],),
})
def malformed(c, fields):
    c.request(headers=fields)
    c.stream_error(PROTOCOL)


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

# A literal field without indexing, whose name is in Huffman code.
TESTED_NAME = b"\x00\x85\xf2\xb2\x4a\x84\xff"


@rules({
    "hpack index zero is a compression error": (b"\x80",),
    "hpack index beyond both tables is a compression error": (b"\xff\x00",),
    "hpack table larger than the setting is a compression error": (b"\x3f\xff\xff\x7f",),
    "hpack huffman with the end of string is a compression error": (TESTED_NAME + b"\x87\x49\x50\x9f\xff\xff\xff\xfc",),
    "hpack huffman padding of more than seven bits is a compression error": (TESTED_NAME + b"\x84\x49\x50\x9f\xff",),
    "hpack huffman padding with zeros is a compression error": (TESTED_NAME + b"\x83\x49\x50\x90",),
    "hpack string longer than the block is a compression error": (b"\x00\x7f\xff\x0fxx",),
})
def compression(c, block):
    c.frame(0x1, 0x5, 1, c.block() + block)
    c.connection_error(COMPRESSION)


@rule("hpack")
def table_size_after_a_field_is_a_compression_error(c):
    c.frame(0x1, 0x5, 1, c.block() + b"\x20")
    c.connection_error(COMPRESSION)
