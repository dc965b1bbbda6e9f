import Apps
import FoundationEssentials
import NIOHTTP1
import Postgres
import TestKit
import Testing
import Values

@testable import Estate

/// Listings as two of Anlaka's clients use them (Anlaka contract 8, items 3 to 7 and 11).
@Suite(.timeLimit(.minutes(8))) struct AnlakaEstateJourneyTests {
    private let key = "anlaka-dev-key"
    private static let exact = Coordinate(latitude: 37.652258, longitude: 127.045432)

    private struct Member: Decodable {
        var id: String
        var token: String

        enum CodingKeys: String, CodingKey {
            case id = "user_id"
            case token = "accessToken"
        }
    }

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

    private func join(_ platform: Platform, _ email: String, nick: String) async throws -> Member {
        let body = #"{"email":"\#(email)","password":"abcd123!","nick":"\#(nick)"}"#
        return try await platform.send(.POST, "/v1/users/join", key: key, json: body).value(Member.self)
    }

    /// The request body of a listing, as the client's form sends it.
    static func body(_ thumbnails: [String]) -> String {
        """
        {"category":"원룸","title":"햇살","introduction":"역에서 5분","reservation_price":100,
         "thumbnails":[\(thumbnails.map { "\"\($0)\"" }.joined(separator: ","))],"description":"남향","deposit":10000000,
         "monthly_rent":550000,"built_year":"2018-05-01","maintenance_fee":70000,"area":24.5,"parking_count":1,"floors":-1,
         "is_safe_estate":true,"is_recommended":false,"options":{"sink":true},
         "longitude":\(exact.longitude),"latitude":\(exact.latitude)}
        """
    }

    @Test func listing_lifecycle_hidesExactPosition() async throws {
        try await Platform.test { platform in
            let (owner, guest) = (
                try await join(platform, "a@b.kr", nick: "중개사"), try await join(platform, "c@d.kr", nick: "손님")
            )
            func ask(
                _ method: HTTPMethod,
                _ path: String,
                as member: Member,
                _ json: String? = nil
            ) async throws -> Wire.Answer {
                try await platform.send(method, path, key: key, token: member.token, json: json)
            }

            let picture = Picture.jpeg(size: 2000)
            let form = MultipartForm().file("files", picture, filename: "방.jpg")
            let uploaded = try await platform.send(.POST, "/v1/estates/files", key: key, token: owner.token, form: form)
            let files = try uploaded.value([String: [String]].self)["files"] ?? []
            let made = try await ask(.POST, "/v1/estates", as: owner, Self.body(files))
            #expect(made.status == 200, "\(made.body)")
            let own = try made.value(Estate.self)
            #expect(own.coordinate == Self.exact && own.comments == [] && own.floors == -1)
            #expect(own.creator?["user_id"] == owner.id)
            let served = try await platform.send(.GET, "/v1\(files.first ?? "")", key: key)
            #expect(served.bytes == picture && served.headers["content-type"] == ["image/jpeg"])

            // The displaced position is the same from every search centre, and in the detail.
            var shown: Set<[String: Double]> = []
            for step in 0..<10 {
                let centre = Self.exact.moved(Double(step) * 100, bearing: Double(step) * 36)
                let path = "/v1/estates/geolocation?longitude=\(centre.longitude)&latitude=\(centre.latitude)"
                let found = try await ask(.GET, "\(path)&maxDistance=1234.56789&category=%EC%9B%90%EB%A3%B8", as: guest)
                let estates = try found.value(Page.self).data
                #expect(estates.map(\.id) == [own.id])
                shown.formUnion(estates.map(\.place))
            }
            let detail = try await ask(.GET, "/v1/estates/\(own.id)?", as: guest).value(Estate.self)
            #expect(shown == [detail.place] && detail.isReserved == false)
            #expect((30...80).contains(detail.coordinate.distance(to: Self.exact)))

            let like = "/v1/estates/\(own.id)/like?estate_id=\(own.id)"
            for _ in 0..<2 { #expect(try await ask(.POST, like, as: guest, #"{"like_status":true}"#).status == 200) }
            let liked = try await ask(.GET, "/v1/estates/likes/me?limit=5", as: guest).value(Page.self)
            #expect(liked.data.map(\.likes) == [1] && liked.cursor == "0")

            let comments = "/v1/estates/\(own.id)/comments"
            let said = try await ask(.POST, comments, as: guest, #"{"content":"볼 수 있나요?"}"#)
            let comment = try said.value([String: Anything].self)["comment_id"]?.text ?? ""
            #expect(try await ask(.DELETE, "\(comments)/\(comment)", as: owner).status == 445)
            #expect(try await ask(.DELETE, "\(comments)/\(comment)", as: guest).status == 200)
            #expect(try await ask(.DELETE, "\(comments)/\(comment)", as: guest).status == 404)

            #expect(try await ask(.GET, "/v1/estates/1", as: guest).status == 404)
            #expect(try await ask(.GET, "/v1/estates/\(own.id)/nothing", as: guest).status == 444)
            #expect(try await platform.send(.GET, "/v1/estates/today-estates", token: guest.token).status == 420)
            #expect(try await ask(.GET, "/v1/banners/main", as: guest).body.contains("/data/banners/"))

            // The region label follows a moment later, from the displaced position.
            while try await ask(.GET, "/v1/estates/\(own.id)", as: guest).value(Estate.self).region == nil {
                try await Task.sleep(for: .milliseconds(100))
            }
            let found = try await ask(.GET, "/v1/places/search?query=%EC%83%81%EA%B3%84%EB%8F%99", as: guest)
            #expect(found.body.contains("상계동"))

            // The owner's withdrawal deletes the listing.
            #expect(try await ask(.DELETE, "/v1/users/me", as: owner).status == 200)
            while try await ask(.GET, "/v1/estates/\(own.id)", as: guest).status != 404 {
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(try await platform.send(.GET, "/v1\(files.first ?? "")", key: key).status == 404)
        }
    }

    /// Any JSON value, of which only strings are decoded.
    private struct Anything: Decodable {
        var text: String?

        init(from decoder: any Decoder) throws {
            text = try? decoder.singleValueContainer().decode(String.self)
        }
    }
}
