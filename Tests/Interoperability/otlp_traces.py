#!/usr/bin/env python3
"""Checks the spans that Madang exports with the published definitions of OpenTelemetry, opentelemetry-proto: receives them as a
collector does (OTLP over HTTP, JSON) while a stack of its own plays the scenario of each app. Ends with 0 if every request body
is one that the definitions know every field of, every id is valid, every trace is one tree, and none of the secrets that
the scenarios send is in any of them; with 1 and one line for each finding otherwise.

    make build
    python3 Tests/Interoperability/otlp_traces.py

Needs the package opentelemetry-proto. Environment: BUILD_DIR (.build).
"""

import base64
import collections
import http.server
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time

from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2

STACK = os.path.join(os.environ.get("BUILD_DIR", ".build"), "release", "stack")
PROGRAMS = ["CONSOLE", "AUTH", "SEATS", "WORKFORCE", "ESTATE", "COMMUNITY", "CHAT", "PAYMENTS", "NOTIFICATIONS"]
PORTS = [f"{name}_{kind}" for name in PROGRAMS for kind in ("PORT", "SECOND_PORT")]
PORTS += ["GATEWAY_PORT", "GATEWAY_TLS_PORT", "GATEWAY_ADMIN_PORT", "SANDBOX_PORT"]
# What the scenarios and the seed send that must not be seen: passwords, keys, tokens, numbers of telephones.
# Numbers of telephones may not be parts of longer ones, such as times in nanoseconds.
SECRETS = re.compile(
    r"madang2025!|anlaka-dev-key|culture-dev-key|eyJ[A-Za-z0-9_-]{8}|(?<!\d)(\+?8210\d{7,8}|010-?\d{4}-?\d{4})(?!\d)"
)


class Collector(http.server.BaseHTTPRequestHandler):
    """Accepts every body and keeps it."""

    bodies = []
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        Collector.bodies.append((self.path, self.headers["content-type"], body))
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [str(s.getsockname()[1]) for s in sockets]
    for s in sockets:
        s.close()
    return ports


def play(collector_port):
    """Runs a stack whose programs export to the collector, and the scenarios against it."""
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, **dict(zip(PORTS, free_ports(len(PORTS)))))
        environment["OTEL_EXPORTER_OTLP_ENDPOINT"] = f"http://127.0.0.1:{collector_port}"
        environment["OTEL_BSP_SCHEDULE_DELAY"] = "200"
        environment["OTEL_BSP_MAX_QUEUE_SIZE"] = "100000"

        def stack(verb):
            done = subprocess.run([STACK, verb, "--local", folder], env=environment, capture_output=True, text=True)
            if done.returncode:
                sys.exit(f"stack {verb}: {done.stdout[-2000:]}{done.stderr[-2000:]}")

        try:
            print("  … starting a stack", flush=True)
            stack("up")
            print("  … playing the scenarios of the apps", flush=True)
            stack("demo")
            time.sleep(2)
        finally:
            subprocess.run([STACK, "down", "--local", folder], env=environment, capture_output=True)


def findings(bodies):
    """Checks the bodies, and returns what is wrong and the spans by trace."""
    wrong = []
    traces = collections.defaultdict(list)
    for path, content_type, body in bodies:
        if path != "/v1/traces" or content_type != "application/json":
            wrong.append(f"sent to {path} as {content_type}")
        request = trace_service_pb2.ExportTraceServiceRequest()
        try:
            # OTLP has ids in hexadecimal, where JSON of protobuf has base64.
            text = re.sub(
                r'"(traceId|spanId|parentSpanId)":"([0-9a-f]+)"',
                lambda m: f'"{m[1]}":"{base64.b64encode(bytes.fromhex(m[2])).decode()}"',
                body.decode(),
            )
            json_format.Parse(text, request)
        except (json_format.ParseError, UnicodeDecodeError, ValueError) as error:
            wrong.append(f"not OTLP: {error}")
            continue
        for resource in request.resource_spans:
            name = next((a.value.string_value for a in resource.resource.attributes if a.key == "service.name"), None)
            if not name:
                wrong.append("a resource without service.name")
            for scope in resource.scope_spans:
                for span in scope.spans:
                    traces[span.trace_id].append((name, span))
                    if len(span.trace_id) != 16 or len(span.span_id) != 8 or not any(span.span_id):
                        wrong.append(f"{name}: {span.name}: an invalid id")
                    if span.parent_span_id and len(span.parent_span_id) != 8:
                        wrong.append(f"{name}: {span.name}: an invalid parent")
                    if not span.name or span.end_time_unix_nano < span.start_time_unix_nano or not span.start_time_unix_nano:
                        wrong.append(f"{name}: {span.name}: no name or no time")
                    found = SECRETS.search(str(span))
                    if found:
                        wrong.append(f"{name}: {span.name}: has {found[0]}")
    return wrong, traces


def trees(traces):
    """The traces that are not one tree, and how many services each trace passes."""
    wrong, passed = [], collections.Counter()
    for spans in traces.values():
        ids = [span.span_id for _, span in spans]
        roots = [f"{name}: {span.name}" for name, span in spans if not span.parent_span_id]
        if len(set(ids)) != len(ids):
            wrong.append(f"{roots}: one id for two spans")
        orphans = [f"{name}: {span.name}" for name, span in spans if span.parent_span_id and span.parent_span_id not in ids]
        if len(roots) != 1 or orphans:
            wrong.append(f"{len(roots)} roots {roots[:3]}, {len(orphans)} spans without their parents {sorted(set(orphans))[:3]}")
        passed[len({name for name, _ in spans})] += 1
    return wrong, passed


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    play(server.server_port)
    server.shutdown()
    wrong, traces = findings(Collector.bodies)
    broken, passed = trees(traces)
    spans = sum(len(spans) for spans in traces.values())
    print(f"  {spans} spans in {len(traces)} traces")
    print(f"  traces by the number of programs that they pass: {', '.join(f'{n}: {c}' for n, c in sorted(passed.items()))}")
    if not spans or max(passed) < 3:
        wrong.append("no trace passes the gateway and two services")
    wrong += broken
    for line, count in collections.Counter(wrong).most_common(30):
        print(f"✗ {line} ({count})")
    sys.exit(1 if wrong else 0)


main()
