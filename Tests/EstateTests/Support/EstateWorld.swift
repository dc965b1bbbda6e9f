import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Logging
import Postgres
import TestSupport

@testable import Estate

/// The service on the current test's database, with people whom auth has told of.
struct EstateWorld: Sendable {
    let client: any TestClientProtocol

    /// - Parameters:
    ///   - people: accounts with their nicknames.
    ///   - now: what time it is; the machine's without.
    ///   - adjust: changes the settings.
    static func test(
        people: [Int64: String] = [1: "하루", 2: "나무", 9: "중개사"],
        now: (@Sendable () -> Date)? = nil,
        _ adjust: (inout EstateConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (EstateWorld) async throws -> Void
    ) async throws {
        let database = TestDatabase.current
        for (account, nickname) in people { try await introduce(account, nickname) }
        var configuration = EstateConfiguration(database: database.configuration)
        if let now { configuration.now = now }
        // Nobody answers there: whoever is not told of is nobody, and no place is found.
        configuration.authURLs = ["http://127.0.0.1:9"]
        configuration.kakaoURL = "http://127.0.0.1:9"
        adjust(&configuration)
        try await buildEstate(configuration, logger: .quiet).test(.router) { client in
            try await body(EstateWorld(client: client))
        }
    }

    static func introduce(_ account: Int64, _ nickname: String) async throws {
        try await TestDatabase.current.client.execute(
            """
            INSERT INTO people (account_id, public_id, nickname, image, introduction)
            VALUES (\(account), \(publicID(account)), \(nickname), \("/data/profiles/\(account).jpg"), '안녕하세요')
            """
        )
    }

    /// What the app calls somebody.
    static func publicID(_ account: Int64) -> String {
        let digits = String(account, radix: 16)
        return String(repeating: "a", count: 24 - digits.count) + digits
    }

    var database: PostgresClient { TestDatabase.current.client }

    func phone(_ account: Int64) -> Phone { Phone(client, app: .anlaka, account: account) }

    /// Creates a listing by call; its id.
    func list(_ account: Int64 = 9, _ body: EstateBody = EstateBody()) async throws -> String {
        let answer = try await phone(account).send(.post, "/v1/estates", json: body.text)
        return try answer.json(EstateAnswer.self).estate_id
    }
}

/// What the app sends for a new listing.
struct EstateBody: Encodable {
    var category = "원룸"
    var title = "햇살이 드는 원룸"
    var introduction = "역에서 5분"
    var reservation_price = 100_000
    var thumbnails: [String] = []
    var description = "남향, 조용한 골목"
    var deposit = 10_000_000
    var monthly_rent = 550_000
    var built_year = "2018-05-01"
    var maintenance_fee = 70_000
    var area = 24.5
    var parking_count = 1
    var floors = 3
    var is_safe_estate = true
    var is_recommended = false
    var options: [String: Bool] = ["refrigerator": true, "sink": true]
    var longitude = 127.045432
    var latitude = 37.652258

    /// At a place.
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

/// A listing as the client decodes it; what only details have is optional.
struct EstateAnswer: Decodable, Equatable {
    var estate_id: String
    var category: String
    var title: String
    var introduction: String
    var thumbnails: [String]
    var deposit: Double
    var monthly_rent: Double
    var built_year: String
    var area: Double
    var floors: Int
    var geolocation: Place
    var distance: Double?
    var region: String?
    var like_count: Int
    var is_safe_estate: Bool
    var is_recommended: Bool
    var created_at: String
    var updated_at: String
    var reservation_price: Int?
    var description: String?
    var maintenance_fee: Double?
    var parking_count: Int?
    var options: Options?
    var creator: User?
    var is_liked: Bool?
    var is_reserved: Bool?
    var comments: [String]?
    var createdAt: String
    var updatedAt: String

    struct Place: Decodable, Equatable {
        var longitude: Double
        var latitude: Double

        var coordinate: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }
    }

    struct Options: Decodable, Equatable {
        var description: String?
        var refrigerator: Bool
        var washer: Bool
        var air_conditioner: Bool
        var closet: Bool
        var shoe_rack: Bool
        var microwave: Bool
        var sink: Bool
        var tv: Bool
    }

    struct User: Decodable, Equatable {
        var user_id: String
        var nick: String
        var introduction: String?
        var profileImage: String?
    }

    struct List: Decodable, Equatable {
        var data: [EstateAnswer]
        var next_cursor: String?
    }
}
