import Contracts
import FoundationEssentials
import PostgresServer
import TestKit
import Testing

@testable import Gateway

/// The gateway at `::1` behind the usual proxies, whose client is this process at `127.0.0.1`. The client forges what a
/// proxy writes.
@Suite(.timeLimit(.minutes(2)))
struct RealProxyTests {
    struct Proxy: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var program: String
        var arguments: [String]
        var source: TrustedProxies.Source
        /// The configuration, with the words PORT, GATEWAY and FOLDER to be replaced.
        var text: String

        var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

        static let nginx = Proxy(
            testDescription: "nginx",
            program: "/usr/sbin/nginx",
            arguments: ["-p", "FOLDER", "-c", "FOLDER/proxy.conf"],
            source: .forwardedFor,
            text: """
                daemon off; worker_processes 1; pid FOLDER/nginx.pid; error_log stderr crit; events {}
                http {
                    access_log off; client_body_temp_path FOLDER; proxy_temp_path FOLDER;
                    server {
                        listen 127.0.0.1:PORT;
                        location / {
                            proxy_pass http://[::1]:GATEWAY; proxy_http_version 1.1;
                            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
                        }
                    }
                }
                """
        )

        static let caddy = Proxy(
            testDescription: "Caddy",
            program: "/usr/bin/caddy",
            arguments: ["run", "--adapter", "caddyfile", "--config", "FOLDER/proxy.conf"],
            source: .forwardedFor,
            text: """
                {
                    admin off
                    auto_https off
                }
                http://:PORT {
                    bind 127.0.0.1
                    reverse_proxy [::1]:GATEWAY
                }

                """
        )

        static func haproxy(_ name: String, _ source: TrustedProxies.Source, mode: String, server: String) -> Proxy {
            Proxy(
                testDescription: "HAProxy, \(name)",
                program: "/usr/sbin/haproxy",
                arguments: ["-db", "-f", "FOLDER/proxy.conf"],
                source: source,
                text: """
                    defaults
                        mode \(mode)
                        timeout connect 20s
                        timeout client 60s
                        timeout server 60s
                    listen gateway
                        bind 127.0.0.1:PORT
                        \(mode == "http" ? "option forwardfor" : "")
                        server gateway [::1]:GATEWAY \(server)

                    """
            )
        }

        static let all = [
            nginx, caddy, haproxy("X-Forwarded-For", .forwardedFor, mode: "http", server: ""),
            haproxy("PROXY version 1", .proxyProtocol, mode: "tcp", server: "send-proxy"),
            haproxy("PROXY version 2", .proxyProtocol, mode: "tcp", server: "send-proxy-v2"),
        ]
    }

    @Test(
        .enabled(
            if: Proxy.all.contains(where: \.isInstalled),
            "no proxy is installed: apt-get install nginx-light caddy haproxy"
        ),
        arguments: Proxy.all.filter(\.isInstalled)
    )
    func clientBehindProxy_isKnown_whateverItForges(_ proxy: Proxy) async throws {
        let upstream = try await TestUpstream.answering()
        let services = Dictionary(uniqueKeysWithValues: ServiceName.allCases.map { ($0, [upstream]) })
        let proxies = try #require(TrustedProxies(networks: ["::1"], source: proxy.source))
        try await TestGateway.run(
            services,
            configure: {
                $0.host = "::1"
                $0.proxies = proxies
            }
        ) { gateway in
            let folder = FileManager.default.temporaryDirectory.appending(path: "madang-proxy-\(UUID())").path()
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let port = try FreePort.find()
            func filled(_ text: String) -> String {
                text.replacing("PORT", with: "\(port)").replacing("GATEWAY", with: "\(gateway.port)")
                    .replacing("FOLDER", with: folder)
            }
            try filled(proxy.text).write(toFile: "\(folder)/proxy.conf", atomically: true, encoding: .utf8)
            let process = try await ProgramProcess.start(
                proxy.program,
                proxy.arguments.map(filled),
                environment: ["HOME": folder, "XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder],
                log: "\(folder)/proxy.log"
            )
            try await eventually("the proxy accepts connections") {
                let connection = try? await RawConnection.connect(to: port)
                await connection?.close()
                return connection != nil
            }
            for forged in ["", "X-Forwarded-For: 1.1.1.1, ::1\r\n", "Forwarded: for=1.1.1.1\r\nX-Real-IP: 1.1.1.1\r\n"]
            {
                let connection = try await RawConnection.connect(to: port)
                try await connection.send("GET /token/validate HTTP/1.1\r\nHost: madang\r\n\(forged)\r\n")
                #expect(await connection.readMessage()?.status == 200)
                await connection.close()
            }
            await process.end()
            #expect(upstream.requests.map { $0["x-madang-client"] } == Array(repeating: ["127.0.0.1"], count: 3))
        }
    }
}
