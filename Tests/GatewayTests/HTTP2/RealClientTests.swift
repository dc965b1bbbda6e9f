import FoundationEssentials
import StackKit
import TestKit
import Testing

@testable import Gateway

/// Clients of others, as far as they are installed.
@Suite(.timeLimit(.minutes(2)))
struct RealClientTests {
    struct Client: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var program: String
        /// With the words URL and AUTHORITY to be replaced.
        var arguments: [String]
        /// What it prints.
        var expected: String

        var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

        private static func curl(_ options: [String], _ expected: String) -> Client {
            Client(
                testDescription: "curl \(options.joined(separator: " "))",
                program: "/usr/bin/curl",
                arguments: ["--silent", "--show-error", "--cacert", "AUTHORITY"] + options
                    + ["--write-out", "%{http_version} %{http_code}", "URL"],
                expected: expected
            )
        }

        static let all = [
            curl(["--http2", "--tlsv1.3"], "{}2 200"), curl(["--http2", "--tls-max", "1.2"], "{}2 200"),
            curl(["--http1.1"], "{}1.1 200"),
            Client(
                testDescription: "nghttp",
                program: "/usr/bin/nghttp",
                arguments: ["--no-verify-peer", "--verbose", "URL"],
                expected: ":status: 200"
            ),
            Client(
                testDescription: "h2load",
                program: "/usr/bin/h2load",
                arguments: ["-n", "1000", "-c", "10", "-m", "20", "URL"],
                expected: "1000 succeeded, 0 failed, 0 errored, 0 timeout"
            ),
        ]
    }

    @Test(
        .enabled(
            if: Client.all.contains(where: \.isInstalled),
            "no client is installed: apt-get install curl nghttp2-client"
        ),
        arguments: Client.all.filter(\.isInstalled)
    )
    func client_isServed(_ client: Client) async throws {
        let upstream = try await TestUpstream.answering()
        try await TestGateway.runWithTLS(upstream) { gateway in
            let folder = FileManager.default.temporaryDirectory.appending(path: "madang-client-\(UUID())").path()
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let authority = try TestCertificate.authority.get().certificate
            try authority.write(toFile: "\(folder)/authority.pem", atomically: true, encoding: .utf8)
            let process = try await ProgramProcess.start(
                client.program,
                client.arguments.map { argument in
                    argument.replacing("URL", with: "https://localhost:\(gateway.tlsPort)/token/validate")
                        .replacing("AUTHORITY", with: "\(folder)/authority.pem")
                },
                environment: ["HOME": folder],
                log: "\(folder)/log"
            )
            try await eventually("\(client.testDescription) prints \(client.expected)") {
                let printed = try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)
                return printed?.contains(client.expected) == true
            }
            await process.end()
            #expect(!upstream.requests.isEmpty)
        }
    }
}
