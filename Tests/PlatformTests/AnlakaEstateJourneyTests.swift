import AppClients
import Apps
import NIOHTTP1
import TestKit
import Testing
import Values

@testable import Estate

/// Listings as two of Anlaka's clients use them (Anlaka contract 8, items 3 to 7 and 11).
@Suite(.timeLimit(.minutes(8))) struct AnlakaEstateJourneyTests {
    private static let exact = Coordinate(latitude: 37.652258, longitude: 127.045432)

    /// The members that the client requires, in a list and in a detail.
    private struct Estate: Decodable, Equatable {
        var id: String
        var place: [String: Double]
        var floors: Int
        var likes: Int
        var created: String
        var distance: Double?
        var region: String?
        var comments: [String]?
        var isReserved: Bool?
        var creator: [String: String]?

        enum CodingKeys: String, CodingKey {
            case floors, distance, region, comments, creator
            case id = "estate_id"
            case place = "geolocation"
            case likes = "like_count"
            case created = "created_at"
            case isReserved = "is_reserved"
        }

        var coordinate: Coordinate {
            Coordinate(latitude: place["latitude"] ?? 0, longitude: place["longitude"] ?? 0)
        }
    }

    private struct Page: Decodable {
        var data: [Estate]
        var cursor: String?

        enum CodingKeys: String, CodingKey {
            case data
            case cursor = "next_cursor"
        }
    }

    /// The request body of a listing, as the client's form sends it.
    static func body(_ thumbnails: [String]) -> RequestBody {
        [
            "category": "원룸", "title": "햇살", "introduction": "역에서 5분", "reservation_price": 100,
            "thumbnails": .array(thumbnails.map(JSON.string)), "description": "남향", "deposit": 10_000_000,
            "monthly_rent": 550_000, "built_year": "2018-05-01", "maintenance_fee": 70000, "area": 24.5,
            "parking_count": 1, "floors": -1, "is_safe_estate": true, "is_recommended": false,
            "options": ["sink": true], "longitude": .number(exact.longitude), "latitude": .number(exact.latitude),
        ]
    }

    @Test func listing_lifecycle_hidesExactPosition() async throws {
        try await Platform.test { platform in
            let owner = try await AnlakaClient(platform, "a@b.kr", nick: "중개사")
            let guest = try await AnlakaClient(platform, "c@d.kr", nick: "손님")
            let picture = Picture.jpeg(size: 2000)
            let form = MultipartForm().file("files", picture, filename: "방.jpg")
            let files = try await owner.send(\.uploadEstatePictures, body: .form(form)).shaped(.files)["files"]
            let made = try await owner.send(\.createEstate, body: Self.body(files?.elements.compactMap(\.string) ?? []))
            #expect(made.status == 200, "\(made.body)")
            let own = try made.value(Estate.self)
            #expect(own.coordinate == Self.exact && own.comments == [] && own.floors == -1)
            #expect(own.creator?["user_id"] == owner.id)
            let path = "/v1\(files?[0]?.string ?? "")"
            let served = try await platform.anlaka.send(.get, path)
            #expect(served.bytes == picture && served.headers["content-type"] == ["image/jpeg"])

            // The displaced position is the same from every search centre, and in the detail.
            var shown: Set<[String: Double]> = []
            for step in 0..<10 {
                let centre = Self.exact.moved(Double(step) * 100, bearing: Double(step) * 36)
                let place = "longitude=\(centre.longitude)&latitude=\(centre.latitude)&maxDistance=1234.56789"
                let estates = try await guest.send(\.searchEstates, query: "\(place)&category=원룸").value(Page.self).data
                #expect(estates.map(\.id) == [own.id])
                shown.formUnion(estates.map(\.place))
            }
            let detail = try await guest.send(\.getEstate, own.id, query: "").value(Estate.self)
            #expect(shown == [detail.place] && detail.isReserved == false)
            #expect((30...80).contains(detail.coordinate.distance(to: Self.exact)))

            for _ in 0..<2 {
                let like: RequestBody = ["like_status": true]
                let query = "estate_id=\(own.id)"
                #expect(try await guest.send(\.setEstateLike, own.id, query: query, body: like).status == 200)
            }
            let liked = try await guest.send(\.listLikedEstates, query: "limit=5").value(Page.self)
            #expect(liked.data.map(\.likes) == [1] && liked.cursor == "0")

            let said = try await guest.send(\.createEstateComment, own.id, body: ["content": "볼 수 있나요?"])
            let comment = try said.value(JSON.self).text("comment_id")
            #expect(try await owner.send(\.deleteEstateComment, own.id, comment).status == 445)
            #expect(try await guest.send(\.deleteEstateComment, own.id, comment).status == 200)
            #expect(try await guest.send(\.deleteEstateComment, own.id, comment).status == 404)

            #expect(try await guest.send(\.getEstate, 1).status == 404)
            #expect(try await guest.send(.get, "/v1/estates/\(own.id)/nothing").status == 444)
            let bearer = ["Authorization": "Bearer \(guest.token)"]
            #expect(try await platform.send(.get, "/v1/estates/today-estates", headers: bearer).status == 420)
            #expect(try await guest.send(\.listBanners).body.contains("/data/banners/"))

            // The region label follows a moment later, from the displaced position.
            try await eventually {
                try await guest.send(\.getEstate, own.id).value(Estate.self).region != nil
            }
            #expect(try await guest.send(\.searchPlaces, query: "query=상계동").body.contains("상계동"))

            // The owner's withdrawal deletes the listing.
            #expect(try await owner.send(\.withdraw).status == 200)
            try await eventually { try await guest.send(\.getEstate, own.id).status == 404 }
            #expect(try await platform.anlaka.send(.get, path).status == 404)
        }
    }
}
