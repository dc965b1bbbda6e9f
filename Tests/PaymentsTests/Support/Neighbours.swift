import Contracts
import FoundationEssentials
import Hummingbird
import HummingbirdTesting
import Synchronization
import TestSupport

/// Auth, estate and community, as far as payments asks and tells them.
final class Neighbours: Sendable {
    struct State {
        var listings: [String: EstateAPI.Listing] = [:]
        var offers: [String: CommunityAPI.Offer] = [:]
        var isEstateAway = false
        var isCommunityAway = false
        /// What was told, in the order of its arrival.
        var reservations: [PaymentsEvents.ReservationChanged] = []
        var purchases: [PaymentsEvents.PurchaseChanged] = []
        var erased: [Int64] = []
        /// Ids of events: each counts once.
        fileprivate var heard: Set<UUID> = []
    }

    let state = Mutex(State())
    /// Listings and offers that are not kept one by one.
    private let listing: @Sendable (String) -> EstateAPI.Listing?
    private let offer: @Sendable (String) -> CommunityAPI.Offer?

    init(
        listing: @escaping @Sendable (String) -> EstateAPI.Listing? = { _ in nil },
        offer: @escaping @Sendable (String) -> CommunityAPI.Offer? = { _ in nil }
    ) {
        self.listing = listing
        self.offer = offer
    }

    /// Answers while `body` runs with the address.
    func run(_ body: @escaping @Sendable (String) async throws -> Void) async throws {
        let router = Router()
        router.get("/internal/listings") { request, _ in
            let ids = request.uri.queryParameters["ids"]?.split(separator: ",").map(String.init) ?? []
            let (found, isAway) = self.state.withLock { state in
                (ids.compactMap { state.listings[$0] ?? self.listing($0) }, state.isEstateAway)
            }
            guard !isAway else { throw HTTPError(.serviceUnavailable) }
            return try Self.json(EstateAPI.Listings(listings: found))
        }
        router.get("/internal/posts/:post") { _, context in
            let post = try context.parameters.require("post")
            let (offer, isAway) = self.state.withLock { ($0.offers[post] ?? self.offer(post), $0.isCommunityAway) }
            guard !isAway else { throw HTTPError(.serviceUnavailable) }
            guard let offer else { throw HTTPError(.notFound) }
            return try Self.json(offer)
        }
        router.get("/internal/profiles/:account") { _, _ in HTTPResponse.Status.notFound }
        router.post("/internal/events") { request, _ in
            let data = Data(try await request.body.collect(upTo: 1 << 20).readableBytesView)
            try self.state.withLock { try $0.hear(data) }
            return HTTPResponse.Status.noContent
        }
        try await Application(router: router, logger: .quiet).test(.live) { client in
            try await body("http://127.0.0.1:\(client.port ?? 0)")
        }
    }

    private static func json(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }
}

extension Neighbours.State {
    fileprivate mutating func hear(_ data: Data) throws {
        struct Header: Decodable {
            var id: UUID
            var name: String
        }
        let header = try JSONDecoder().decode(Header.self, from: data)
        guard heard.insert(header.id).inserted else { return }
        switch header.name {
        case PaymentsEvents.ReservationChanged.name:
            reservations.append(try Self.body(of: data))
        case PaymentsEvents.PurchaseChanged.name:
            purchases.append(try Self.body(of: data))
        case PaymentsEvents.AccountErased.name:
            erased.append(try Self.body(of: data, PaymentsEvents.AccountErased.self).account)
        default: throw HTTPError(.badRequest)
        }
    }

    private static func body<Body: Decodable>(of data: Data, _ type: Body.Type = Body.self) throws -> Body {
        try JSONDecoder().decode(Envelope<Body>.self, from: data).body
    }

    private struct Envelope<Body: Decodable>: Decodable {
        var body: Body
    }
}
