import Apps
import Contracts
import Files
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Logging
import Postgres
import TestKit
import Testing
import Values

@testable import Estate

/// The service on the current test's database, with people from events of auth.
struct EstateWorld: ServiceWorld {
    static let service = ServiceName.estate

    let client: any TestClientProtocol
    let clock: ManualClock

    /// - Parameters:
    ///   - people: accounts with their nicknames.
    ///   - adjust: changes the settings.
    static func test(
        people: [AccountID: String] = [1: "하루", 2: "나무", 9: "중개사"],
        clock: ManualClock = ManualClock(),
        _ adjust: (inout EstateConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (EstateWorld) async throws -> Void
    ) async throws {
        let database = TestDatabase.current
        for (account, nickname) in people { try await addProfile(account, nickname) }
        var configuration = EstateConfiguration(database: database.configuration)
        configuration.now = { clock.now }
        // No service answers there: accounts without an event are unknown, and no place is found.
        adjust(&configuration)
        defer { try? FileManager.default.removeItem(atPath: configuration.files.folder) }
        try await buildEstate(configuration, logger: .quiet).test(.router) { client in
            try await body(EstateWorld(client: client, clock: clock))
        }
    }

    static func addProfile(_ account: AccountID, _ nickname: String) async throws {
        try await TestDatabase.current.client.execute(
            """
            INSERT INTO people (account_id, app, public_id, nickname, image, introduction)
            VALUES (\(account), 'anlaka', \(publicID(account)), \(nickname), \("/data/profiles/\(account).jpg"), '안녕하세요')
            """
        )
    }

    func client(_ account: AccountID) -> ServiceClient {
        ServiceClient(client, to: .estate, app: .anlaka, account: account)
    }

    /// Creates a listing; returns its id.
    func list(_ account: AccountID = 9, _ body: EstateBody = EstateBody()) async throws -> String {
        let answer = try await client(account).send(.post, "/v1/estates", json: body.text)
        return try answer.json(EstateAnswer.self).estateID
    }
}

extension Trait where Self == FixtureTrait<EstateWorld> {
    static var service: Self { .service { _ in } }

    /// - Parameter adjust: changes the settings.
    static func service(_ adjust: @escaping @Sendable (inout EstateConfiguration) -> Void) -> Self {
        .fixture { try await EstateWorld.test(adjust, $0) }
    }

    /// - Parameter instant: where the service's clock stands, as `ManualClock` reads it.
    static func service(at instant: String) -> Self {
        .fixture { try await EstateWorld.test(clock: ManualClock(instant), { _ in }, $0) }
    }
}

/// The client's request body for a new listing.
struct EstateBody: Encodable {
    var category = "원룸"
    var title = "햇살이 드는 원룸"
    var introduction = "역에서 5분"
    var reservationPrice = 100_000
    var thumbnails: [String] = []
    var description = "남향, 조용한 골목"
    var deposit = 10_000_000
    var monthlyRent = 550_000
    var builtYear = "2018-05-01"
    var maintenanceFee = 70_000
    var area = 24.5
    var parkingCount = 1
    var floors = 3
    var isSafeEstate = true
    var isRecommended = false
    var options: [String: Bool] = ["refrigerator": true, "sink": true]
    var longitude = 127.045432
    var latitude = 37.652258

    enum CodingKeys: String, CodingKey {
        case category, title, introduction, thumbnails, description, deposit, area, floors, options, longitude, latitude
        case reservationPrice = "reservation_price"
        case monthlyRent = "monthly_rent"
        case builtYear = "built_year"
        case maintenanceFee = "maintenance_fee"
        case parkingCount = "parking_count"
        case isSafeEstate = "is_safe_estate"
        case isRecommended = "is_recommended"
    }

    /// A listing at a position.
    static func at(_ latitude: Double, _ longitude: Double, _ change: (inout EstateBody) -> Void = { _ in })
        -> EstateBody
    {
        var body = EstateBody()
        (body.latitude, body.longitude) = (latitude, longitude)
        change(&body)
        return body
    }

    var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

/// A listing as the client decodes it; the members of details only are optional.
struct EstateAnswer: Decodable, Equatable {
    var estateID: String
    var category: String
    var title: String
    var introduction: String
    var thumbnails: [String]
    var deposit: Double
    var monthlyRent: Double
    var builtYear: String
    var area: Double
    var floors: Int
    var geolocation: Place
    var distance: Double?
    var region: String?
    var likeCount: Int
    var isSafeEstate: Bool
    var isRecommended: Bool
    var createdAtToo: String
    var updatedAtToo: String
    var reservationPrice: Int?
    var description: String?
    var maintenanceFee: Double?
    var parkingCount: Int?
    var options: Options?
    var creator: User?
    var isLiked: Bool?
    var isReserved: Bool?
    var comments: [String]?
    var createdAt: String
    var updatedAt: String

    enum CodingKeys: String, CodingKey {
        case category, title, introduction, thumbnails, deposit, area, floors, geolocation, distance, region,
            description, options, creator, comments, createdAt, updatedAt
        case estateID = "estate_id"
        case monthlyRent = "monthly_rent"
        case builtYear = "built_year"
        case likeCount = "like_count"
        case isSafeEstate = "is_safe_estate"
        case isRecommended = "is_recommended"
        case createdAtToo = "created_at"
        case updatedAtToo = "updated_at"
        case reservationPrice = "reservation_price"
        case maintenanceFee = "maintenance_fee"
        case parkingCount = "parking_count"
        case isLiked = "is_liked"
        case isReserved = "is_reserved"
    }

    struct Place: Decodable, Equatable {
        var longitude: Double
        var latitude: Double

        var coordinate: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }
    }

    struct Options: Decodable, Equatable {
        var description: String?
        var refrigerator: Bool
        var washer: Bool
        var airConditioner: Bool
        var closet: Bool
        var shoeRack: Bool
        var microwave: Bool
        var sink: Bool
        var tv: Bool

        enum CodingKeys: String, CodingKey {
            case description, refrigerator, washer, closet, microwave, sink, tv
            case airConditioner = "air_conditioner"
            case shoeRack = "shoe_rack"
        }
    }

    struct User: Decodable, Equatable {
        var userID: String
        var nick: String
        var introduction: String?
        var profileImage: String?

        enum CodingKeys: String, CodingKey {
            case nick, introduction, profileImage
            case userID = "user_id"
        }
    }

    struct List: Decodable, Equatable {
        var data: [EstateAnswer]
        var nextCursor: String?

        enum CodingKeys: String, CodingKey {
            case data
            case nextCursor = "next_cursor"
        }
    }
}
