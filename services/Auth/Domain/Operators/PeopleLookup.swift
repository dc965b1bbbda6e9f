import Contracts
import FoundationEssentials

/// What operators see of people, and the end of a session by them.
struct PeopleLookup: Sendable {
    let sessions: Sessions
    private let store = OperatorLookupStore()

    private static let limit = 20
    private static let longestText = 254

    init(sessions: Sessions) { self.sessions = sessions }

    /// The accounts that a text may mean, with their open sessions.
    func find(_ text: String) async throws -> [OperatorsAPI.Person] {
        let text = PhoneNumber(text.filter { $0 != "-" && $0 != " " })?.text ?? text
        guard !text.isEmpty, text.utf8.count <= Self.longestText, !text.utf8.contains(0) else { return [] }
        var people = try await store.people(text, limit: Self.limit, in: sessions.database)
        for index in people.indices {
            people[index].sessions = try await sessions.list(of: people[index].account).map { session in
                OperatorsAPI.Session(
                    id: session.id,
                    name: session.name,
                    device: session.device,
                    createdAt: session.createdAt.timeIntervalSince1970,
                    seenAt: session.seenAt.timeIntervalSince1970
                )
            }
        }
        return people
    }

    /// - Throws: `SessionError.sessionUnknown`.
    func end(_ end: OperatorsAPI.End) async throws {
        try await sessions.revoke(
            end.session,
            of: end.account,
            app: end.app,
            current: "",
            origin: Origin(userAgent: "console: \(end.by)")
        )
    }
}
