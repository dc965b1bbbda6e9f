#!/usr/bin/env python3
"""Checks how the gateway speaks HTTP/2 (RFC 9113) and HPACK (RFC 7541) with an independent implementation, python-h2 and its
codecs: each rule of the RFCs that a client can break, broken once on a connection of its own, and real exchanges. Ends with 0
when every answer was as the RFC demands, and with 1 and one line for each that was not.

    make up
    python3 Tests/Interoperability/http2_conformance.py [RULE]

Only rules whose name contains RULE are checked. Needs the package h2. Environment: MADANG_TLS (127.0.0.1:8443),
MADANG_APP_KEY (Anlaka's, anlaka-dev-key).
"""

import sys

import http2_frame_rules  # noqa: F401  adds its rules
import http2_message_rules  # noqa: F401  adds its rules
from http2_client import HEADERS, RULES, Client, Wrong

import h2.config
import h2.connection
import h2.events


def exchange(count, one_by_one):
    """Sends requests by python-h2 itself, which refuses what a server may not answer."""
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
