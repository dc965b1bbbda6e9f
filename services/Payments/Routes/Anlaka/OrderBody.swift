import Apps
import Contracts
import Values

/// A placed order (contract 2.5, call 35). `expires_at` is not in the app's contract.
struct OrderBody: Encodable {
    private let order: Order

    init(_ order: Order) {
        self.order = order
    }

    enum CodingKeys: String, CodingKey {
        case createdAt, updatedAt
        case id = "order_id"
        case code = "order_code"
        case price = "total_price"
        case expiresAt = "expires_at"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(order.publicID, forKey: .id)
        try container.encode(order.code, forKey: .code)
        try container.encode(order.amount, forKey: .price)
        try container.encode(SeSACInstant(order.createdAt), forKey: .createdAt)
        try container.encode(SeSACInstant(order.updatedAt), forKey: .updatedAt)
        try container.encode(SeSACInstant(order.heldUntil), forKey: .expiresAt)
    }
}

/// A page of orders. The app ignores `next_cursor`; newer clients page with it.
struct OrderList: Encodable {
    var data: [OrderItem]
    var nextCursor: String

    enum CodingKeys: String, CodingKey {
        case data
        case nextCursor = "next_cursor"
    }
}

/// A paid order (contract 1.7, OrderItem).
struct OrderItem: Encodable {
    private let order: Order
    private let listing: EstateAPI.Listing

    /// nil for an order without a listing.
    init?(_ order: Order) {
        guard let listing = order.listing else { return nil }
        self.order = order
        self.listing = listing
    }

    enum CodingKeys: String, CodingKey {
        case estate, paidAt, createdAt, updatedAt
        case id = "order_id"
        case code = "order_code"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(order.publicID, forKey: .id)
        try container.encode(order.code, forKey: .code)
        try container.encode(OrderEstate(listing), forKey: .estate)
        try container.encode(SeSACInstant(order.paidAt ?? order.updatedAt), forKey: .paidAt)
        try container.encode(SeSACInstant(order.createdAt), forKey: .createdAt)
        try container.encode(SeSACInstant(order.updatedAt), forKey: .updatedAt)
    }
}

/// The listing of an order (contract 1.7, OrderEstate). Instants are under both spellings of their keys, as in details.
private struct OrderEstate: Encodable {
    let listing: EstateAPI.Listing

    init(_ listing: EstateAPI.Listing) {
        self.listing = listing
    }

    enum CodingKeys: String, CodingKey {
        case id, category, title, introduction, thumbnails, deposit, area, floors, geolocation, createdAt, updatedAt
        case monthlyRent = "monthly_rent"
        case builtYear = "built_year"
        case createdAtToo = "created_at"
        case updatedAtToo = "updated_at"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(listing.id, forKey: .id)
        try container.encode(listing.category, forKey: .category)
        try container.encode(listing.title, forKey: .title)
        try container.encode(listing.introduction, forKey: .introduction)
        try container.encode(listing.thumbnails, forKey: .thumbnails)
        try container.encode(listing.deposit, forKey: .deposit)
        try container.encode(listing.monthlyRent, forKey: .monthlyRent)
        try container.encode(listing.builtYear, forKey: .builtYear)
        try container.encode(listing.area, forKey: .area)
        try container.encode(listing.floors, forKey: .floors)
        let place = Coordinate(latitude: listing.latitude, longitude: listing.longitude)
        try container.encode(Geolocation(place), forKey: .geolocation)
        let (created, updated) = (SeSACInstant(listing.createdAt), SeSACInstant(listing.updatedAt))
        try container.encode(created, forKey: .createdAt)
        try container.encode(updated, forKey: .updatedAt)
        try container.encode(created, forKey: .createdAtToo)
        try container.encode(updated, forKey: .updatedAtToo)
    }
}
