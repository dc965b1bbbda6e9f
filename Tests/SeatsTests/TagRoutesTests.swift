import Contracts
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Seats

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct TagRoutesTests {
    private var world: SeatsWorld { .current }

    private struct TagBody: Decodable, Equatable {
        var id: Int64
        var tagName: String
    }

    @Test(.service) func tags_areListedInOrder() async throws {
        for path in ["/tags", "/tags/"] {
            let answer = try await world.client(1).send(.get, path)
            #expect(answer.status == .ok)
            let tags = try answer.json([TagBody].self)
            #expect(tags.map(\.id) == [1, 2, 3, 4, 5, 6])
            #expect(
                tags.map(\.tagName) == [
                    "USERTAG_NULL", "USERTAG_PREGNANT", "USERTAG_LONGDISTANCE", "USERTAG_LOWHEALTH",
                    "USERTAG_DISABLED",
                    "USERTAG_CARRIER",
                ]
            )
        }
    }

    @Test(.service) func tagList_withoutTags_returns204() async throws {
        try await TestDatabase.current.client.execute("DELETE FROM tags")
        let answer = try await world.client(1).send(.get, "/tags")
        #expect(answer.status == .noContent)
        #expect(answer.text == "")
    }

    @Test(
        .service,
        arguments: [
            ("6", "200"), ("6/", "200"), ("7", "404 TAG_NOT_FOUND"), ("0", "400 BAD_REQUEST"),
            ("-1", "400 BAD_REQUEST"),
            ("x", "400 BAD_REQUEST"), ("USERTAG_CARRIER", "400 BAD_REQUEST"),
            ("99999999999999999999", "400 BAD_REQUEST"),
            ("9223372036854775807", "404 TAG_NOT_FOUND"),
        ]
    )
    func tag_isReturnedByID(id: String, summary: String) async throws {
        let answer = try await world.client(1).send(.get, "/tags/\(id)")
        #expect(answer.summary == summary)
        if summary == "200" {
            #expect(try answer.json(TagBody.self) == TagBody(id: 6, tagName: "USERTAG_CARRIER"))
        } else if summary.hasPrefix("404") {
            #expect(answer.title == "Tag Not Found")
        }
    }

    @Test(.service(passengers: [:])) func unauthenticatedRequest_returns401() async throws {
        for path in ["/tags", "/tags/1", "/user/status", "/reports", "/reports/me", "/favorites", "/favorites/1"] {
            let answer = try await ServiceClient(world.client, to: .seats, app: .seatcatcher).send(.get, path)
            #expect(answer.status == .unauthorized)
        }
    }
}
