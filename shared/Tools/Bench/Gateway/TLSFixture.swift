import Authentication
import Crypto
import FoundationEssentials
import PostgresServer
import StackKit
import Subprocess

/// nginx with a response of 1 KB, and proxies in front of it that end TLS 1.3 and HTTP/2. All on free loopback ports.
struct TLSFixture: Sendable {
    /// The measured proxy, with its name in the result.
    enum Proxy: String, CaseIterable, Sendable {
        case gateway = "the gateway"
        case checking = "HAProxy with jwt_verify ES256"
        case trusting = "HAProxy without any check"
        case nginx = "nginx without any check"
    }

    private static let path = "/stations/1"
    private static let connections = 1000

    private let scratch: String
    private let executables: String
    private let key = P256.Signing.PrivateKey()
    private let authority: CertificateAuthority
    private let token: String
    private let upstream: Int
    private let admin: Int
    private let plain: Int
    private let ports: [Proxy: Int]

    init(scratch: String, executables: String) throws {
        let free = try FreePort.find(3 + Proxy.allCases.count)
        self.scratch = scratch
        self.executables = executables
        authority = try CertificateAuthority(name: "Bench")
        token = try ProxyFixture.tokens(1, signedBy: key)[0]
        (upstream, admin, plain) = (free[0], free[1], free[2])
        ports = Dictionary(uniqueKeysWithValues: zip(Proxy.allCases, free.dropFirst(3)))
    }

    private func port(_ proxy: Proxy) -> Int { ports[proxy] ?? 0 }

    private func url(_ proxy: Proxy) -> String { "https://127.0.0.1:\(port(proxy))\(Self.path)" }

    // MARK: Files

    func writeFiles() throws {
        let identity = try authority.issue(for: [.name("localhost"), .v4([127, 0, 0, 1])])
        let files = [
            "server.pem": identity.text, "key.pem": key.publicKey.pemRepresentation,
            "upstream.conf": try ProxyFixture.upstream(port: upstream, scratch: scratch, key: key),
            "haproxy.cfg": haproxy, "proxy.conf": nginx,
        ]
        for (name, text) in files {
            try text.write(toFile: "\(scratch)/\(name)", atomically: false, encoding: .utf8)
        }
    }

    private var haproxy: String {
        let frontends = [(Proxy.checking, ProxyFixture.checks(scratch: scratch)), (.trusting, "")].map {
            proxy,
            checks in
            """
            frontend \(proxy)
                bind 127.0.0.1:\(port(proxy)) ssl crt \(scratch)/server.pem alpn h2,http/1.1 ssl-min-ver TLSv1.3
            \(checks)
                default_backend upstream

            """
        }
        return ProxyFixture.haproxy(frontends, upstream: upstream)
    }

    private var nginx: String {
        """
        daemon off; worker_processes 1; pid \(scratch)/proxy.pid; error_log stderr crit;
        events { worker_connections 8192; }
        http {
            access_log off; keepalive_requests 1000000000; client_body_temp_path \(scratch); proxy_temp_path \(scratch);
            upstream service { server 127.0.0.1:\(upstream); keepalive 64; keepalive_requests 1000000000; }
            server {
                listen 127.0.0.1:\(port(.nginx)) ssl http2;
                ssl_certificate \(scratch)/server.pem; ssl_certificate_key \(scratch)/server.pem; ssl_protocols TLSv1.3;
                http2_max_requests 1000000000;
                location / { proxy_pass http://service; proxy_http_version 1.1; proxy_set_header Connection ""; }
            }
        }
        """
    }

    // MARK: Processes

    /// Runs all programs while `body` runs.
    func withPrograms<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let upstream = "http://127.0.0.1:\(upstream)"
        let gateway: [String: String] = [
            "PORT": String(plain), "TLS_PORT": String(port(.gateway)), "ADMIN_PORT": String(admin),
            "TLS_CERTIFICATE": "\(scratch)/server.pem", "TLS_KEY": "\(scratch)/server.pem", "GATEWAY_THREADS": "1",
            "GATEWAY_ACCESS_LOG": "off", "LOG_LEVEL": "error", "RATE_ADDRESS": "0", "RATE_ACCOUNT": "0",
            "AUTH_URL": upstream, "SEATS_URL": upstream,
        ]
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            for file in ["upstream.conf", "proxy.conf"] {
                group.addTask { try await BenchProgram.run("nginx", ["-p", scratch, "-c", "\(scratch)/\(file)"]) }
            }
            group.addTask { try await BenchProgram.run("haproxy", ["-q", "-db", "-f", "\(scratch)/haproxy.cfg"]) }
            group.addTask {
                let environment = Programs.heaps.merging(gateway) { $1 }
                return try await BenchProgram.run("\(executables)/gateway", [], environment: environment)
            }
            group.addTask { try await body() }
            defer { group.cancelAll() }
            while let value = try await group.next() {
                if let value { return value }
            }
            throw StackError("the proxies ended by themselves")
        }
    }

    // MARK: Load

    /// Waits until all proxies respond, then checks that those with token verification refuse a forged token.
    func check() async throws {
        for proxy in Proxy.allCases {
            var tries = 0
            while await (try? succeeded(proxy, token)) != 1 {
                tries += 1
                guard tries < 100 else { throw StackError("\(proxy.rawValue) does not answer") }
                try await Task.sleep(for: .milliseconds(100))
            }
            let forged = token.dropLast(8) + "AAAAAAAA"
            let isRefused = try await succeeded(proxy, String(forged)) == 0
            guard isRefused == [.gateway, .checking].contains(proxy) else {
                throw StackError("\(proxy.rawValue) does not check tokens")
            }
        }
    }

    private func succeeded(_ proxy: Proxy, _ token: String) async throws -> Int {
        let text = try await h2load(proxy, token, ["-c", "1", "-n", "1"])
        let status = text.firstMatch(of: /status codes: (\d+) 2xx/)
        return status.flatMap { Int($0.1) } ?? 0
    }

    /// Requests per second of 32 connections with 10 streams each.
    func requests(_ proxy: Proxy, seconds: Int) async throws -> Double {
        let text = try await h2load(proxy, token, ["-c", "32", "-m", "10", "-D", "\(seconds)"])
        guard let rate = text.firstMatch(of: /finished in [^,]+, ([0-9.]+) req\/s/).flatMap({ Double($0.1) }), rate > 0,
            text.contains(" 0 failed, 0 errored, 0 timeout"), text.contains(" 0 3xx, 0 4xx, 0 5xx"),
            text.contains("TLSv1.3"), text.contains("Application protocol: h2")
        else { throw StackError("h2load against \(proxy.rawValue) printed: \(text)") }
        return rate
    }

    /// New connections per second, each with a full handshake and a request.
    func handshakes(_ proxy: Proxy) async throws -> Double {
        let count = "\(Self.connections)"
        let text = try await h2load(proxy, token, ["-c", count, "-n", count])
        guard let match = text.firstMatch(of: /finished in ([0-9.]+)(m?s),/), let time = Double(match.1),
            text.contains("\(count) succeeded, 0 failed")
        else { throw StackError("h2load against \(proxy.rawValue) printed: \(text)") }
        return Double(Self.connections) / (match.2 == "ms" ? time / 1000 : time)
    }

    private func h2load(_ proxy: Proxy, _ token: String, _ arguments: [String]) async throws -> String {
        try await Subprocess.run(
            .name("h2load"),
            arguments: Arguments(["-t", "1"] + arguments + ["-H", "authorization: Bearer \(token)", url(proxy)]),
            output: .string(limit: 1 << 18),
            error: .combinedWithOutput
        ).standardOutput
    }

    // MARK: Memory

    /// What each of many idle connections adds to a proxy's memory, in kB.
    func memoryOfIdleConnection(_ proxy: Proxy) async throws -> Double {
        let program = proxy == .gateway ? "gateway" : "haproxy"
        guard let pid = ProcessMemory.child(program), let before = ProcessMemory.ofTree(pid) else {
            throw StackError("\(program) does not run")
        }
        let authority = authority.certificate
        let connections = try await IdleTLSConnections.open(Self.connections, to: port(proxy), trusting: authority)
        try await Task.sleep(for: .seconds(1))
        let after = ProcessMemory.ofTree(pid) ?? 0
        await connections.close()
        return Double(after - before) / Double(Self.connections) / 1000
    }
}
