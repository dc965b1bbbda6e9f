import Authentication
import Contracts
import FoundationEssentials
import NIOHTTP1
import TestKit

/// Two copies of the service and a sandbox PortOne. The sandbox is never killed, because it is the reference for the payments.
struct RoundsService: Sendable {
    static let programs = ["sandbox", "first", "second"]

    let harness: CrashHarness

    var portOneURL: String { Self.portOneURL(harness) }

    /// A program of the test.
    ///
    /// - Parameter stubsURL: the address of auth, estate and community.
    static func program(_ name: String, _ harness: CrashHarness, stubsURL: String) throws -> CrashHarness.Program {
        guard name != "sandbox" else {
            return .init(
                "sandbox",
                environment: ["PORTONE_WEBHOOK_URL": ""],
                readyURL: harness.url("sandbox") + "/_control/calls?provider=portone"
            )
        }
        return .init(
            "payments",
            environment: [
                "DATABASE_URL": try harness.databaseURL, "AUTH_URL": stubsURL, "ESTATE_URL": stubsURL,
                "COMMUNITY_URL": stubsURL, "NOTIFICATIONS_URL": stubsURL, "PORTONE_URL": portOneURL(harness),
                "PORTONE_TIMEOUT": "1", "PORTONE_TAKES_TESTS": "false", "PAYMENTS_HOLD": "\(RoundsPlan.hold)",
                "PAYMENTS_CLAIM_WINDOW": "\(RoundsPlan.hold)", "PAYMENTS_ASK_PAUSE": "1",
            ]
        )
    }

    private static func portOneURL(_ harness: CrashHarness) -> String { harness.url("sandbox") + "/portone" }

    /// Calls a copy of the service as the gateway would.
    ///
    /// - Parameters:
    ///   - copy: the number of the copy; any number is valid.
    ///   - account: nil for a request without a session.
    ///   - key: the `Idempotency-Key`.
    /// - Returns: nil if the copy was killed before it answered.
    func call(
        _ method: HTTPMethod,
        _ path: String,
        _ json: String? = nil,
        app: App,
        by account: AccountID? = nil,
        key: String? = nil,
        at copy: Int
    ) async -> CrashHarness.Answer? {
        let session = account.map { "session\($0)" }
        let identity = InternalIdentity(caller: .gateway, app: app, account: account, session: session)
        return await call(method, path, json, identity, key, copy)
    }

    /// Calls a copy of the service as an operator's tool would.
    func operate(_ path: String, _ json: String, key: String?, at copy: Int) async -> CrashHarness.Answer? {
        await call(.POST, path, json, InternalIdentity(caller: .stack), key, copy)
    }

    private func call(
        _ method: HTTPMethod,
        _ path: String,
        _ json: String?,
        _ identity: InternalIdentity,
        _ key: String?,
        _ copy: Int
    ) async -> CrashHarness.Answer? {
        let name = copy.isMultiple(of: 2) ? "first" : "second"
        let headers = [(InternalIdentity.clientHeader, "203.0.113.7")] + (key.map { [("Idempotency-Key", $0)] } ?? [])
        return try? await harness.call(name, method, path, json: json, as: (identity, .payments), headers: headers)
    }

    /// Uses a control of the sandbox.
    func control(_ path: String, _ json: String? = nil) async throws -> CrashHarness.Answer {
        let answer = try await harness.call("sandbox", .POST, "/_control/" + path, json: json)
        guard (200..<300).contains(answer.status) else { throw Refused(path: path, answer: answer) }
        return answer
    }

    struct Refused: Error {
        var path: String
        var answer: CrashHarness.Answer
    }
}

extension CrashHarness.Answer {
    /// The body, whose keys are in snake case.
    func snakeCaseJSON<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Value.self, from: Data(text.utf8))
    }
}
