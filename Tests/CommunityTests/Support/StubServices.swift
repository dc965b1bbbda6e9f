import Authentication
import Contracts
import Events
import FoundationEssentials
import Hummingbird
import HummingbirdTesting
import Synchronization
import TestKit

/// Stubs of auth and chat for the calls of this service.
final class StubServices: Sendable {
    struct State {
        /// The blocking accounts, by the blocked account.
        var blockers: [AccountID: [AccountID]] = [:]
        /// Chat's rooms, by post and inquirer.
        var rooms: [String: ChatAPI.Room] = [:]
        /// The companion posts whose deletion events chat has received.
        var deletedPosts: [CompanionPostID] = []
        var isAuthAway = false
        var isChatAway = false
    }

    let state = Mutex(State())
    let key = TestKey()

    private struct Envelope: Decodable { var body: CommunityEvents.CompanionPostDeleted }

    /// Serves while `body` runs with the address.
    func run(_ body: @escaping @Sendable (String) async throws -> Void) async throws {
        try await StubService.run(addRoutes, body)
    }

    private func addRoutes(to router: Router<BasicRequestContext>) {
        router.answer("/internal/accounts/:account/blockers") { _, context in
            let account = try context.parameters.require("account", as: AccountID.self)
            let (blockers, isAway) = self.state.withLock { ($0.blockers[account] ?? [], $0.isAuthAway) }
            guard !isAway else { throw HTTPError(.serviceUnavailable) }
            return AuthAPI.Blockers(accounts: blockers)
        }
        router.answer("/internal/rooms") { request, _ in
            let query = request.uri.queryParameters
            let (room, isAway) = self.state.withLock {
                ($0.rooms["\(query["post"] ?? "")/\(query["inquirer"] ?? "")"], $0.isChatAway)
            }
            guard !isAway else { throw HTTPError(.serviceUnavailable) }
            return room
        }
        router.post("/internal/events") { request, context in
            let events = try await request.decode(as: EventBatch<Envelope>.self, context: context).events
            self.state.withLock { $0.deletedPosts += events.map(\.body.post) }
            return HTTPResponse.Status.noContent
        }
        router.answer("/internal/keys") { _, _ in JWKS(keys: [self.key.jwk]) }
    }
}
