import Contracts
import FoundationEssentials
import Hummingbird
import HummingbirdTesting
import Synchronization
import TestKit

/// The routes of auth and community that chat calls for With Suhyeon.
final class CompanionStubs: Sendable {
    struct State {
        var tickets: [TicketID: AuthAPI.Ticket] = [:]
        /// The accounts that have blocked an account, by the blocked account.
        var blockers: [AccountID: [AccountID]] = [:]
        var posts: [CommunityAPI.CompanionPosts.Post] = []
        var isAuthAway = false
        /// Posts are deleted after this count of responses.
        var answersLeft = Int.max
    }

    let state = Mutex(State())
    /// Called with every requested ticket, before the response.
    let asked = Mutex<@Sendable (TicketID) async throws -> Void>({ _ in })

    /// Serves while `body` runs with the address.
    func run(_ body: @escaping @Sendable (String) async throws -> Void) async throws {
        try await StubService.run(addRoutes, body)
    }

    private func addRoutes(to router: Router<BasicRequestContext>) {
        router.answer("/internal/tickets/:ticket") { _, context in
            let number = try context.parameters.require("ticket", as: TicketID.self)
            try await self.asked.withLock { $0 }(number)
            let (ticket, isAway) = self.state.withLock { ($0.tickets[number], $0.isAuthAway) }
            guard !isAway else { throw HTTPError(.serviceUnavailable) }
            return ticket
        }
        router.answer("/internal/accounts/:account/blockers") { _, context in
            let account = try context.parameters.require("account", as: AccountID.self)
            return AuthAPI.Blockers(accounts: self.state.withLock { $0.blockers[account] ?? [] })
        }
        router.get("/internal/profiles/:account") { _, _ in HTTPResponse.Status.notFound }
        router.post("/internal/companion-posts") { request, context in
            let ids = try await request.decode(as: CommunityAPI.CompanionPosts.Request.self, context: context).posts
            let posts = self.state.withLock { state in
                state.answersLeft -= 1
                return state.answersLeft < 0 ? [] : state.posts.filter { ids.contains($0.id) }
            }
            return try Router.json(CommunityAPI.CompanionPosts(posts: posts))
        }
    }
}
