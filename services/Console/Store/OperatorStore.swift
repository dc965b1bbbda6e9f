import Authentication
import Crypto
import FoundationEssentials
import Postgres

/// Operators' invitations, sessions and acts. Tokens are random, and only their hashes are stored.
struct OperatorStore: Sendable {
    let database: PostgresClient

    /// Seconds for which an invitation, and a session, is valid.
    private static let invitationTime = 600.0
    static let sessionTime = 43_200.0

    private static func token() -> String {
        Base64URL.encode((0..<32).map { _ in UInt8.random(in: .min ... .max) })
    }

    private static func hash(_ token: String) -> [UInt8] { Array(SHA256.hash(data: Array(token.utf8))) }

    /// - Returns: The token of an address that signs in once.
    func invite(_ name: String, _ role: OperatorRole) async throws -> String {
        let token = Self.token()
        try await database.execute(
            """
            INSERT INTO invitations (token, name, role, expires_at) VALUES (\(Self.hash(token)), \(name),
                \(role.rawValue), now() + make_interval(secs => \(Self.invitationTime)))
            """
        )
        return token
    }

    /// Uses an invitation up.
    ///
    /// - Returns: The token of a new session; nil for an invitation that was used, has expired or never was.
    func signIn(_ invitation: String) async throws -> String? {
        let token = Self.token()
        let made = try await database.execute(
            """
            WITH used AS (DELETE FROM invitations WHERE token = \(Self.hash(invitation)) AND expires_at > now()
                RETURNING name, role)
            INSERT INTO sessions (token, name, role, form, expires_at)
            SELECT \(Self.hash(token)), name, role, \(Self.token()), now() + make_interval(secs => \(Self.sessionTime))
            FROM used
            """
        )
        return made == 1 ? token : nil
    }

    /// The operator of a session; nil if it has ended or never was.
    func find(_ token: String) async throws -> Operator? {
        try await database.optional(
            "SELECT name, role, form FROM sessions WHERE token = \(Self.hash(token)) AND expires_at > now()"
        ) { row in
            let (name, role, form) = try row.decode(String.self, String.self, String.self)
            return OperatorRole(rawValue: role).map { Operator(name: name, role: $0, form: form) }
        }.flatMap(\.self)
    }

    func signOut(_ token: String) async throws {
        try await database.execute("DELETE FROM sessions WHERE token = \(Self.hash(token))")
    }

    /// - Returns: The act's number.
    func record(_ act: Act) async throws -> Int64 {
        try await database.one(
            """
            INSERT INTO acts (name, act, subject, reason, outcome)
            VALUES (\(act.name), \(act.act), \(act.subject), \(act.reason), \(act.outcome)) RETURNING id
            """
        ) { try $0.decode(Int64.self) }
    }

    /// - Parameter outcome: nil for an act of which nothing was done, which is forgotten.
    func end(_ act: Int64, _ outcome: String?) async throws {
        if let outcome {
            try await database.execute("UPDATE acts SET outcome = \(outcome) WHERE id = \(act)")
        } else {
            try await database.execute("DELETE FROM acts WHERE id = \(act)")
        }
    }

    /// The newest acts.
    func acts(limit: Int) async throws -> [(at: Date, act: Act)] {
        try await database.all(
            "SELECT at, name, act, subject, reason, outcome FROM acts ORDER BY at DESC LIMIT \(limit)"
        ) { row in
            let (at, name, act, subject, reason, outcome) = try row.decode(
                Date.self,
                String.self,
                String.self,
                String.self,
                String.self,
                String.self
            )
            return (at, Act(name: name, act: act, subject: subject, reason: reason, outcome: outcome))
        }
    }
}
