import FoundationEssentials
import ServiceKit

/// The access token for PortOne. Concurrent callers share one request for it; it is used until shortly before its
/// expiry.
actor PortOneToken {
    private struct Known {
        var text: String
        var endsAt: Date
    }

    private let connection: ProviderConnection
    private let key: String
    private let secret: String
    private let now: @Sendable () -> Date
    private var known: Known?
    private let requests = SingleFlight<String, Known>()

    /// Seconds before its expiry at which a token is no longer used.
    private static let margin: TimeInterval = 60

    init(connection: ProviderConnection, key: String, secret: String, now: @escaping @Sendable () -> Date) {
        self.connection = connection
        self.key = key
        self.secret = secret
        self.now = now
    }

    /// - Throws: `ProviderUnavailable`.
    func current() async throws -> String {
        if let known, known.endsAt.addingTimeInterval(-Self.margin) > now() { return known.text }
        return try await ask()
    }

    /// A new token after PortOne has refused one.
    func renewed(after refused: String) async throws -> String {
        if known?.text == refused { known = nil }
        return try await current()
    }

    private func ask() async throws -> String {
        let answer = try await requests.value(for: key) { [connection, key, secret, now] in
            try await Self.ask(connection, key, secret, at: now())
        }
        known = answer
        return answer.text
    }

    private static func ask(_ connection: ProviderConnection, _ key: String, _ secret: String, at now: Date)
        async throws
        -> Known
    {
        let body = ["imp_key": key, "imp_secret": secret]
        let answer = try await connection.post("/users/getToken", json: body)
        guard answer.status != 401 else { throw connection.refusesUs(answer, "/users/getToken") }
        guard let token = answer.value(PortOneAnswers.Response<PortOneAnswers.Token>.self)?.value else {
            throw connection.unavailable
        }
        // The lifetime is used instead of the expiry, since PortOne's clock may differ.
        return Known(text: token.text, endsAt: now + Double(token.expiresAt - token.now))
    }
}
