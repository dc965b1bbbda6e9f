import Authentication
import Contracts
import PostgresServer
import Synchronization
import TestKit
import Testing

@testable import Gateway

/// First uses of refreshed tokens that the gateway reports to auth.
@Suite(.timeLimit(.minutes(1)))
struct FirstUseTests {
    private func token(_ app: App, session: String, generation: Int) throws -> String {
        try TestGateway.key.token(app) {
            $0.sid = session
            $0.gen = generation
        }
    }

    @Test func firstUse_isReportedOncePerRefreshedToken() async throws {
        let auth = TestAuth()
        let service = try await TestUpstream.answering()
        let upstreams = [ServiceName.seats: [service], .community: [service], .auth: [try await auth.serve()]]
        try await TestGateway.run(upstreams, configure: { $0.threads = 1 }) { gateway in
            for generation in [0, 1, 1, 2] {
                let token = try token(.seatcatcher, session: "s", generation: generation)
                for _ in 0..<3 { #expect(try await gateway.call("/stations", token: token)?.status == 200) }
                try await Task.sleep(for: .milliseconds(200))
            }
            let culture = try token(.culture, session: "c", generation: 3)
            let key = "SeSACKey: culture-dev-key\r\n"
            #expect(try await gateway.call("/v1/posts", token: culture, headers: key)?.status == 200)
            try await Task.sleep(for: .milliseconds(200))
            // ES256 signatures differ from one another, so each of the two tokens of generation 1 has a first use.
            let expected = [1, 1, 2].map { AuthAPI.Uses.Use(session: "s", generation: $0) }
            #expect(auth.uses == expected)
        }
    }

    @Test func firstUse_authUnavailable_isReportedLater() async throws {
        let port = try FreePort.find()
        let auth = TestAuth()
        let service = try await TestUpstream.answering()
        try await TestGateway.run([.seats: [service]], absent: [.auth: port]) { gateway in
            for number in 0..<20 {
                let token = try token(.seatcatcher, session: "s\(number)", generation: 1)
                #expect(try await gateway.call("/stations", token: token)?.status == 200)
            }
            try await Task.sleep(for: .milliseconds(200))
            let server = try await auth.serve(port: port)
            try await eventually { auth.uses.count >= 20 }
            #expect(Set(auth.uses.map(\.session)).count == 20)
            await server.stop()
        }
    }

    @Test func pendingUses_beyondLimit_areDropped() async throws {
        let uses = TokenUsageReporter(limit: 2)
        for session in ["a", "b", "c", "a"] {
            uses.note(AccessClaims(account: 1, session: session, app: .moup, generation: 1, expiresAt: 0))
        }
        #expect(uses.droppedCount == 1)
    }
}
