import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import Synchronization
import TestKit

@testable import Payments

extension PaymentsWorld {
    /// A listing that can be reserved; its id.
    func list(_ price: Int64 = 100_000, title: String = "햇살이 드는 원룸") -> String {
        let id = PublicID.random().rawValue
        stubs.state.withLock { $0.listings[id] = Self.listing(id, price, title) }
        return id
    }

    /// A listing as estate returns it.
    static func listing(_ id: String, _ price: Int64, _ title: String) -> EstateAPI.Listing {
        let at = Date(timeIntervalSince1970: 1_700_000_000)
        return EstateAPI.Listing(
            id: "\(id)",
            category: "원룸",
            title: title,
            introduction: "역에서 5분",
            thumbnails: ["/data/estates/a.jpg"],
            reservationPrice: price,
            deposit: 10_000_000,
            monthlyRent: 550_000,
            builtYear: "2018-05-01",
            area: 24.5,
            floors: 3,
            latitude: 37.65,
            longitude: 127.04,
            creator: EstateAPI.Creator(account: 9, publicID: "\(publicID(9))"),
            isReserved: false,
            createdAt: at,
            updatedAt: at
        )
    }

    /// A post of Seoul Culture; its id.
    func offer(_ price: Int64? = 100, title: String? = "후원하기") -> String {
        let id = PublicID.random().rawValue
        stubs.state.withLock { $0.offers[id] = CommunityAPI.Offer(account: 102, title: title, price: price) }
        return id
    }

    func place(_ listing: String, price: Int64? = nil, by account: AccountID = 1) async throws -> TestResponse {
        let total = price.map { #","total_price":\#($0)"# } ?? ""
        return try await client(account).send(.post, "/v1/orders", json: #"{"estate_id":"\#(listing)"\#(total)}"#)
    }

    /// Orders a new listing; the order's code.
    func order(_ price: Int64 = 100_000, by account: AccountID = 1) async throws -> String {
        try await place(list(price), by: account).json(OrderAnswer.self).orderCode
    }

    func validate(_ impUID: String, by account: AccountID = 1) async throws -> TestResponse {
        try await client(account).send(.post, "/v1/payments/validation", json: #"{"imp_uid":"\#(impUID)"}"#)
    }

    func validate(_ impUID: String, for post: String, by account: AccountID = 101) async throws -> TestResponse {
        let json = #"{"imp_uid":"\#(impUID)","post_id":"\#(post)"}"#
        return try await reader(account).send(.post, "/v1/payments/validation", json: json)
    }

    /// Sends PortOne's webhook as the gateway forwards it.
    func notify(_ impUID: String, status: String = "paid", cancellation: String? = nil) async throws -> Int {
        let more = cancellation.map { #","cancellation_id":"\#($0)""# } ?? ""
        let json = #"{"imp_uid":"\#(impUID)","merchant_uid":"any","status":"\#(status)"\#(more)}"#
        return try await ServiceClient(client, to: .payments, app: .anlaka).send(.post, "/notices/portone", json: json)
            .status.code
    }

    func refund(_ impUID: String, _ amount: Int64? = nil, key: String? = nil) async throws -> TestResponse {
        let part = amount.map { #""amount":\#($0),"# } ?? ""
        let json = #"{\#(part)"reason":"고객 요청","operator":"하늘"}"#
        let path = "/internal/payments/\(impUID)/refunds"
        let headers = key.map { [.init("Idempotency-Key")!: $0] as HTTPFields } ?? [:]
        return try await ServiceClient(client, to: .payments, process: .stack).send(
            .post,
            path,
            json: json,
            headers: headers
        )
    }

    // MARK: Stored state

    func state(of code: String) async throws -> String? {
        try await database.optional("SELECT state FROM orders WHERE code = \(code)") { try $0.decode(String.self) }
    }

    func payment(_ impUID: String) async throws -> Payment? {
        try await database.optional("SELECT \(Payment.columns) FROM payments p WHERE imp_uid = \(impUID)", Payment.read)
    }

    /// The non-zero balances of the ledger's accounts.
    func ledger() async throws -> [String: Int64] {
        let sums = try await database.all(
            "SELECT account, sum(amount)::bigint FROM ledger_entries GROUP BY account HAVING sum(amount) <> 0"
        ) { try $0.decode(as: (String, Int64).self) }
        return Dictionary(uniqueKeysWithValues: sums)
    }
}

/// An order as the app decodes it.
struct OrderAnswer: Decodable, Equatable {
    var orderID: String
    var orderCode: String
    var totalPrice: Int64
    var createdAt: String
    var updatedAt: String
    var expiresAt: String

    enum CodingKeys: String, CodingKey {
        case createdAt, updatedAt
        case orderID = "order_id"
        case orderCode = "order_code"
        case totalPrice = "total_price"
        case expiresAt = "expires_at"
    }
}
