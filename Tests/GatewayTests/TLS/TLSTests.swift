import Contracts
import FoundationEssentials
import NIOCore
import NIOSSL
import ServiceKit
import StackKit
import TestKit
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(2)))
struct TLSTests {
    private static let get = "GET /token/validate HTTP/1.1\r\nHost: localhost\r\n\r\n"

    private func answer(
        _ gateway: TestGateway,
        protocols: [String] = ["http/1.1"],
        name: String? = "localhost",
        first: String = "",
        configure: (inout TLSConfiguration) -> Void = { _ in }
    ) async throws -> RawMessage? {
        let connection = try await TLSClient.connect(
            to: gateway.tlsPort,
            protocols: protocols,
            name: name,
            first: first,
            configure: configure
        )
        // The handshake may fail first.
        try? await connection.send(Self.get)
        let answer = await connection.readMessage()
        await connection.close()
        return answer
    }

    @Test(arguments: [["http/1.1"], [], ["spdy/1", "http/1.1"]])
    func requests_areForwarded(protocols: [String]) async throws {
        let upstream = try await TestUpstream.answering()
        try await TestGateway.runWithTLS(upstream) { gateway in
            let answer = try await answer(gateway, protocols: protocols)
            #expect(answer?.status == 200)
            #expect(upstream.requests.map { $0["x-madang-client"] } == [["127.0.0.1"]])
        }
    }

    @Test(arguments: [(TLSVersion.tlsv13, true), (.tlsv12, true), (.tlsv11, false), (.tlsv1, false)])
    func oldVersions_areRefused(version: TLSVersion, isTaken: Bool) async throws {
        let upstream = try await TestUpstream.answering()
        try await TestGateway.runWithTLS(upstream) { gateway in
            let answer = try await answer(gateway) {
                $0.minimumTLSVersion = .tlsv1
                $0.maximumTLSVersion = version
            }
            #expect(answer?.status == (isTaken ? 200 : nil))
        }
    }

    @Test(arguments: [("localhost", true), (nil, true), ("example.com", false), ("a.localhost", false)])
    func unknownHost_isRefusedInHandshake(name: String?, isTaken: Bool) async throws {
        let upstream = try await TestUpstream.answering()
        try await TestGateway.runWithTLS(upstream) { gateway in
            let unverified = try await answer(gateway, name: name) { $0.certificateVerification = .none }
            #expect(unverified?.status == (isTaken ? 200 : nil))
            #expect(try await answer(gateway)?.status == 200, "others are served")
        }
    }

    @Test func plainRequest_isRefused_andOthersAreServed() async throws {
        let upstream = try await TestUpstream.answering()
        try await TestGateway.runWithTLS(upstream) { gateway in
            let plain = try await RawConnection.connect(to: gateway.tlsPort)
            try await plain.send(Self.get)
            #expect(await plain.readMessage() == nil)
            #expect(try await answer(gateway)?.status == 200)
            #expect(try await gateway.exchange(Self.get)?.status == 200, "PORT speaks HTTP")
        }
    }

    @Test func silentClient_isDisconnected() async throws {
        let upstream = try await TestUpstream.answering()
        try await TestGateway.runWithTLS(upstream) {
            $0.limits.headTime = .milliseconds(300)
        } test: { gateway in
            let silent = try await RawConnection.connect(to: gateway.tlsPort)
            #expect(await silent.readToEnd() == "")
            try await eventually { gateway.gateway.core.clientLimits.count == 0 }
        }
    }

    @Test func addressOfProxyHeader_precedesHandshake() async throws {
        let upstream = try await TestUpstream.answering()
        let proxies = try #require(TrustedProxies(networks: ["127.0.0.1"], source: .proxyProtocol))
        try await TestGateway.runWithTLS(upstream) {
            $0.proxies = proxies
        } test: { gateway in
            let header = "PROXY TCP4 203.0.113.7 127.0.0.1 4711 443\r\n"
            let behind = try await answer(gateway, first: header)
            #expect(behind?.status == 200)
            #expect(upstream.requests.map { $0["x-madang-client"] } == [["203.0.113.7"]])
            let other = try await answer(gateway)
            #expect(other == nil, "a handshake is no header")
        }
    }

    @Test func renewedCertificate_isUsedForNewConnections() async throws {
        let upstream = try await TestUpstream.answering()
        try await TestCertificate.with { certificate in
            try certificate.write(TestCertificate.text(for: [.name("old.local")]))
            try await TestGateway.run(
                [.auth: [upstream], .seats: [upstream]],
                configure: { $0.certificate = certificate.files }
            ) { gateway in
                let old = try await TLSClient.connect(to: gateway.tlsPort, name: "old.local")
                try await old.send(Self.get)
                #expect(await old.readMessage()?.status == 200)
                try certificate.write(TestCertificate.text(for: [.name("new.local")]))
                try await eventually("the new certificate is used") {
                    try await answer(gateway, name: "new.local")?.status == 200
                }
                try await old.send(Self.get)
                #expect(await old.readMessage()?.status == 200, "an open connection goes on")
                await old.close()
            }
        }
    }

    @Test func unusableCertificate_endsStart() async throws {
        try await TestCertificate.with { certificate in
            try certificate.write("")
            await #expect(throws: CertificateFault.noCertificate) {
                try await TestGateway.run(configure: { $0.certificate = certificate.files }) { _ in }
            }
        }
    }

    @Test func takenPort_endsStart() async throws {
        try await TestCertificate.with { certificate in
            try await TestGateway.run { other in
                await #expect(throws: PortTaken(port: other.port, setting: "TLS_PORT")) {
                    try await TestGateway.run(
                        configure: {
                            $0.certificate = certificate.files
                            $0.tlsPort = other.port
                        }
                    ) { _ in }
                }
            }
        }
    }

    @Test func production_withoutTLSAndProxy_isWarnedOf() async throws {
        try await TestCertificate.with { certificate in
            for files in [nil, certificate.files] {
                let log = RecordedLog()
                try await TestGateway.run(
                    log: log,
                    configure: {
                        $0.environment = .production
                        $0.certificate = files
                    }
                ) { _ in }
                let isWarned = log.lines.contains { $0.message.hasPrefix("gateway: there is no TLS") }
                #expect(isWarned == (files == nil))
            }
        }
    }
}
