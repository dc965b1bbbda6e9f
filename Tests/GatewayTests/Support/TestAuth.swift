import Authentication
import Contracts
import FoundationEssentials
import Synchronization
import TestKit

@testable import Gateway

/// The auth service as gateways call it: it revokes sessions, records uses, and refreshes by the test's closure.
final class TestAuth: Sendable {
    typealias Refreshing = @Sendable (AuthAPI.Refresh) async throws -> AuthAPI.Refreshed

    private struct State {
        var revocations: [AuthAPI.Revocations.Revocation] = []
        var uses: [AuthAPI.Uses.Use] = []
        var refreshes: [AuthAPI.Refresh] = []
        var isAway = false
        var isSlow = false
    }

    private let state = Mutex(State())
    private let refreshing: Refreshing

    init(refreshing: @escaping Refreshing = { _ in AuthAPI.Refreshed(refusal: .invalid) }) {
        self.refreshing = refreshing
    }

    /// The calls of gateways, in order.
    var uses: [AuthAPI.Uses.Use] { state.withLock { $0.uses } }
    var refreshes: [AuthAPI.Refresh] { state.withLock { $0.refreshes } }

    /// Whether all calls fail.
    var isAway: Bool {
        get { state.withLock(\.isAway) }
        set { state.withLock { $0.isAway = newValue } }
    }

    /// Whether the revocations are answered half a second late.
    var isSlow: Bool {
        get { state.withLock(\.isSlow) }
        set { state.withLock { $0.isSlow = newValue } }
    }

    func end(_ sessions: String..., cause: AuthAPI.Revocations.Cause = .ended, until: Int64? = nil) {
        let until = until ?? Int64(Date.now.timeIntervalSince1970) + 600
        state.withLock { state in
            state.revocations += sessions.map {
                AuthAPI.Revocations.Revocation(session: $0, cause: cause, until: until)
            }
        }
    }

    /// Listens and answers calls.
    func serve(port: Int = 0) async throws -> TestUpstream {
        try await TestUpstream.playing(port: port) { [self] connection in
            while let request = await connection.readMessage() { try await connection.send(try await answer(request)) }
            await connection.close()
        }
    }

    private func answer(_ request: RawMessage) async throws -> String {
        if isAway { return "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n" }
        let path = String(request.start.split(separator: " ")[1])
        if path == "/internal/keys" { return try Self.json(JWKS(keys: [TestGateway.key.jwk])) }
        if path.hasPrefix("/internal/revocations") { return try Self.json(await revocations(path)) }
        if path == AuthAPI.Uses.path {
            let uses = try JSONDecoder().decode(AuthAPI.Uses.self, from: Data(request.body.utf8)).uses
            state.withLock { $0.uses += uses }
            return "HTTP/1.1 204 No Content\r\n\r\n"
        }
        if path == AuthAPI.Refresh.path {
            let refresh = try JSONDecoder().decode(AuthAPI.Refresh.self, from: Data(request.body.utf8))
            state.withLock { $0.refreshes.append(refresh) }
            do {
                return try Self.json(await refreshing(refresh))
            } catch {
                return "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n"
            }
        }
        return TestUpstream.ok("ready")
    }

    private func revocations(_ path: String) async throws -> AuthAPI.Revocations {
        let numbers = path.split { !$0.isNumber }.compactMap { Int($0) }
        if isSlow { try await Task.sleep(for: .milliseconds(500)) }
        let end = ContinuousClock.now + .seconds(numbers[1])
        while true {
            let all = state.withLock { $0.revocations }
            if all.count > numbers[0] || ContinuousClock.now > end {
                return AuthAPI.Revocations(revocations: Array(all.dropFirst(numbers[0])), last: Int64(all.count))
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    private static func json(_ value: some Encodable) throws -> String {
        TestUpstream.ok(String(decoding: try JSONEncoder().encode(value), as: UTF8.self))
    }
}
