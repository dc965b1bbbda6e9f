import Authentication
import Contracts
import Events
import FoundationEssentials
import Hummingbird
import HummingbirdTesting
import Synchronization
import TestKit

/// Replaces auth and chat for the calls of this service.
final class Neighbours: Sendable {
    struct State {
        /// The blocking accounts, by the blocked account.
        var blockers: [AccountID: [AccountID]] = [:]
        /// Chat's rooms, by post and inquirer.
        var rooms: [String: ChatAPI.Room] = [:]
        /// The companion posts whose deletion events chat has received.
        var deletedPosts: [Int64] = []
        var isAuthAway = false
        var isChatAway = false
    }

    let state = Mutex(State())
    let key = TestKey()

    private struct Envelope: Decodable {
        var body: CommunityEvents.CompanionPostDeleted
    }

    /// Serves while `body` runs with the address.
    func run(_ body: @escaping @Sendable (String) async throws -> Void) async throws {
        let router = Router()
        router.get("/internal/accounts/:account/blockers") { _, context in
            let account = try context.parameters.require("account", as: AccountID.self)
            let (blockers, isAway) = self.state.withLock { ($0.blockers[account] ?? [], $0.isAuthAway) }
            guard !isAway else { throw HTTPError(.serviceUnavailable) }
            return try Self.json(AuthAPI.Blockers(accounts: blockers))
        }
        router.get("/internal/rooms") { request, _ in
            let query = request.uri.queryParameters
            let (room, isAway) = self.state.withLock {
                ($0.rooms["\(query["post"] ?? "")/\(query["inquirer"] ?? "")"], $0.isChatAway)
            }
            guard !isAway else { throw HTTPError(.serviceUnavailable) }
            guard let room else { throw HTTPError(.notFound) }
            return try Self.json(room)
        }
        router.post("/internal/events") { request, context in
            let events = try await request.decode(as: EventBatch<Envelope>.self, context: context).events
            self.state.withLock { $0.deletedPosts += events.map(\.body.post) }
            return HTTPResponse.Status.noContent
        }
        router.get("/internal/keys") { _, _ in try Self.json(JWKS(keys: [self.key.jwk])) }
        try await Application(router: router, logger: .quiet).test(.live) { client in
            try await body("http://127.0.0.1:\(client.port ?? 0)")
        }
    }

    private static func json(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }
}
