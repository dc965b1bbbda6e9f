import Contracts
import Postgres

/// The kinds for which a user has muted pushes. Muting does not affect the lists.
struct Preferences: Sendable {
    let database: PostgresClient
    private let store = PreferenceStore()

    /// All kinds of the app, in a fixed order.
    func preferences(of reader: Reader) async throws -> [Preference] {
        let muted = Set(try await store.muted(by: reader.account, in: database))
        return PushKind.all(of: reader.app).map { Preference(kind: $0, isPushed: !muted.contains($0)) }
    }

    /// Changes the named kinds. If a kind is named twice, the last value counts.
    ///
    /// - Returns: All kinds of the app after the change.
    /// - Throws: `NotificationsError.rule` for a kind that the app does not have; nothing is changed then.
    func change(_ changes: [Preference], of reader: Reader) async throws -> [Preference] {
        let kinds = PushKind.all(of: reader.app)
        if let unknown = changes.first(where: { !kinds.contains($0.kind) }) {
            throw NotificationsError.rule(
                "preferences: there is no kind \"\(ShownText.line(unknown.kind, limit: 50))\"."
            )
        }
        let wanted = Dictionary(changes.map { ($0.kind, $0.isPushed) }) { _, last in last }
        try await database.transaction(key: "account \(reader.account)") { transaction in
            try await store.change(
                of: reader.account,
                muted: kinds.filter { wanted[$0] == false },
                pushed: kinds.filter { wanted[$0] == true },
                in: transaction
            )
        }
        return try await preferences(of: reader)
    }

    /// Removes the preferences of a withdrawn account.
    func forget(_ account: AccountID, in transaction: PostgresTransaction) async throws {
        try await store.forget(account, in: transaction)
    }
}

/// Whether pushes of a kind are enabled.
struct Preference: Sendable, Equatable {
    var kind: String
    var isPushed: Bool
}
