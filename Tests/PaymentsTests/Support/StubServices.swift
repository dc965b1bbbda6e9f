import Contracts
import Events
import FoundationEssentials
import Hummingbird
import HummingbirdTesting
import Synchronization
import TestKit

/// Stubs of auth, estate, community and notifications for the calls and the events of payments.
final class StubServices: Sendable {
    struct State {
        var listings: [String: EstateAPI.Listing] = [:]
        var offers: [String: CommunityAPI.Offer] = [:]
        var isEstateAway = false
        var isCommunityAway = false
        /// The received events, in order of arrival.
        var reservations: [PaymentsEvents.ReservationChanged] = []
        var purchases: [PaymentsEvents.PurchaseChanged] = []
        var settled: [PaymentsEvents.OrderSettled] = []
        var erased: [AccountID] = []
        /// The ids of handled events, for deduplication.
        fileprivate var handled: Set<UUID> = []
    }

    let state = Mutex(State())
    /// Computed listings and offers.
    private let listing: @Sendable (String) -> EstateAPI.Listing?
    private let offer: @Sendable (String) -> CommunityAPI.Offer?

    init(
        listing: @escaping @Sendable (String) -> EstateAPI.Listing? = { _ in nil },
        offer: @escaping @Sendable (String) -> CommunityAPI.Offer? = { _ in nil }
    ) {
        self.listing = listing
        self.offer = offer
    }

    /// Runs the stub while `body` runs with its URL.
    func run(_ body: @escaping @Sendable (String) async throws -> Void) async throws {
        try await StubService.run(addRoutes, body)
    }

    private func addRoutes(to router: Router<BasicRequestContext>) {
        router.answer("/internal/listings") { request, _ in
            let ids = request.uri.queryParameters["ids"]?.split(separator: ",").map(String.init) ?? []
            let (found, isAway) = self.state.withLock { state in
                (ids.compactMap { state.listings[$0] ?? self.listing($0) }, state.isEstateAway)
            }
            guard !isAway else { throw HTTPError(.serviceUnavailable) }
            return EstateAPI.Listings(listings: found)
        }
        router.answer("/internal/posts/:post") { _, context in
            let post = try context.parameters.require("post")
            let (offer, isAway) = self.state.withLock { ($0.offers[post] ?? self.offer(post), $0.isCommunityAway) }
            guard !isAway else { throw HTTPError(.serviceUnavailable) }
            return offer
        }
        router.get("/internal/profiles/:account") { _, _ in HTTPResponse.Status.notFound }
        router.post("/internal/events") { request, _ in
            let data = Data(try await request.body.collect(upTo: 4 << 20).readableBytesView)
            let events = try JSONDecoder().decode(EventBatch<ReceivedEvent>.self, from: data).events
            self.state.withLock { state in events.forEach { state.receive($0) } }
            return HTTPResponse.Status.noContent
        }
    }
}

extension StubServices.State {
    fileprivate mutating func receive(_ event: ReceivedEvent) {
        guard handled.insert(event.id).inserted else { return }
        switch event.body {
        case let event as PaymentsEvents.ReservationChanged: reservations.append(event)
        case let event as PaymentsEvents.PurchaseChanged: purchases.append(event)
        case let event as PaymentsEvents.OrderSettled: settled.append(event)
        case let event as PaymentsEvents.AccountErased: erased.append(event.account)
        default: break
        }
    }
}

/// An event of payments.
private struct ReceivedEvent: Decodable {
    static let kinds: [any Event.Type] = [
        PaymentsEvents.ReservationChanged.self, PaymentsEvents.PurchaseChanged.self, PaymentsEvents.OrderSettled.self,
        PaymentsEvents.AccountErased.self,
    ]

    let id: UUID
    let body: any Event

    private enum CodingKeys: CodingKey {
        case id, name, body
    }

    init(from decoder: any Decoder) throws {
        let envelope = try decoder.container(keyedBy: CodingKeys.self)
        id = try envelope.decode(UUID.self, forKey: .id)
        let name = try envelope.decode(String.self, forKey: .name)
        guard let kind = Self.kinds.first(where: { $0.name == name }) else { throw HTTPError(.badRequest) }
        body = try envelope.decode(kind, forKey: .body)
    }
}
