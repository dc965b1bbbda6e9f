import Contracts
import FoundationEssentials
import Hummingbird
import HummingbirdTesting
import Synchronization
import TestSupport

/// Auth, estate and community, as far as payments asks them, and what they have been told last.
final class RoundNeighbours: Sendable {
    struct Purchase: Hashable {
        var post: String
        var account: Int64
    }

    struct Told {
        /// By the order's code.
        var reservations: [String: PaymentsEvents.ReservationChanged.State] = [:]
        var purchases: [Purchase: Bool] = [:]
        /// Ids of events: each counts once.
        fileprivate var heard: Set<UUID> = []
    }

    private let state = Mutex(Told())

    var told: Told { state.withLock { $0 } }

    /// Answers while `body` runs with the address.
    func run(_ body: @escaping @Sendable (String) async throws -> Void) async throws {
        let router = Router()
        router.get("/internal/listings") { request, _ in
            let ids = request.uri.queryParameters["ids"]?.split(separator: ",").map(String.init) ?? []
            return try Self.json(EstateAPI.Listings(listings: ids.filter { $0.hasPrefix("5") }.map(RoundGoods.told)))
        }
        router.get("/internal/posts/:post") { _, context in
            let post = try context.parameters.require("post")
            guard post.hasPrefix("6") else { throw HTTPError(.notFound) }
            return try Self.json(
                CommunityAPI.Offer(account: 900, title: "후원하기", price: RoundGoods.price(of: post))
            )
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

extension RoundNeighbours.Told {
    fileprivate mutating func hear(_ data: Data) throws {
        struct Envelope<Body: Decodable>: Decodable { var body: Body }
        struct Header: Decodable {
            var id: UUID
            var name: String
        }
        let header = try JSONDecoder().decode(Header.self, from: data)
        guard heard.insert(header.id).inserted else { return }
        switch header.name {
        case PaymentsEvents.ReservationChanged.name:
            let event = try JSONDecoder().decode(Envelope<PaymentsEvents.ReservationChanged>.self, from: data).body
            reservations[event.order] = event.state
        case PaymentsEvents.PurchaseChanged.name:
            let event = try JSONDecoder().decode(Envelope<PaymentsEvents.PurchaseChanged>.self, from: data).body
            purchases[RoundNeighbours.Purchase(post: event.post, account: event.account)] = event.isPaid
        default: throw HTTPError(.badRequest)
        }
    }
}
