import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import TestKit
import Testing

@testable import Community

/// The calendar in the city's own path shape.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct OpenDataTests {
    private var world: CommunityWorld { .current }

    struct Notice: Decodable, Equatable {
        var code: String
        var message: String

        enum CodingKeys: String, CodingKey {
            case code = "CODE"
            case message = "MESSAGE"
        }
    }

    struct Answer: Decodable {
        struct Found: Decodable {
            var total: Int
            var result: Notice
            var row: [[String: String]]

            enum CodingKeys: String, CodingKey {
                case total = "list_total_count"
                case result = "RESULT"
                case row
            }

            var titles: [String] { row.map { $0["TITLE"] ?? "" } }
        }

        var culturalEventInfo: Found
    }

    private static let events = [
        CulturalEvent.fixture("봄 전시", [.start: "2025-03-01", .end: "2025-04-30"]),
        CulturalEvent.fixture("봄/여름 교실", [.category: "교육/체험", .start: "2025-05-01", .end: "2025-06-30"]),
        CulturalEvent.fixture("Jazz 100%", [.category: "콘서트", .start: "2025-06-10", .end: "2025-06-10"]),
        CulturalEvent.fixture("거리 축제", [.category: "축제-문화/예술", .start: "2025-06-09", .end: "2025-06-11"]),
    ]

    /// Sends a request without a token.
    private func ask(_ rest: String, key: String = "anything", _ world: CommunityWorld) async throws -> TestResponse {
        try await ServiceClient(world.client, to: .community, app: .culture).send(
            .get,
            "/\(key)/json/culturalEventInfo/\(rest)"
        )
    }

    private func found(_ rest: String, _ world: CommunityWorld) async throws -> Answer.Found {
        let answer = try await ask(rest, world)
        #expect(answer.status == .ok)
        return try answer.json(Answer.self).culturalEventInfo
    }

    @Test(.culture) func rows_haveTheClientsFormat() async throws {
        try await CalendarDataset.fill(Self.events)
        let found = try await found("1/20/%2520/%2520/%2520", world)
        #expect(found.total == 4 && found.result.code == "INFO-000")
        #expect(found.titles == ["Jazz 100%", "거리 축제", "봄/여름 교실", "봄 전시"])
        #expect(found.row[3] == Self.events[0].appRow)
        #expect(found.row[0]["LOT"] == "37.5759" && found.row[0]["LAT"] == "126.9769")
    }

    @Test(
        .culture,
        arguments: [
            ("1/20", 4), ("1/20/", 4), ("1/20//", 4), ("1/20/%20/%20/%20", 4), ("1/20/%2520", 4),
            ("1/20///2025-06-10", 3),
            ("1/20/\("교육".encoded)", 1), ("1/20/\("교육/체험".encoded)", 1), ("1/20/\("체험".encoded)", 0),
            ("1/20/\("축제".encoded)", 1), ("1/20/\("축제-문화".encoded)", 1), ("1/20/%2520/\("봄".encoded)", 2),
            ("1/20//\("봄".encoded)/", 2), ("1/20/%2520/\("봄/".encoded)", 1), ("1/20/%2520/jazz", 1),
            ("1/20/%2520/100%25", 1),
            ("1/20/%2520/_", 0), ("1/20/%2520/%2520/2025-06-10", 3), ("1/20/%2520/%2520/2025-06-11", 2),
            ("1/20/%2520/\("봄".encoded)/2025-06-30", 1), ("1/20/%2520/%2520/2025-02-30", 0),
            ("1/20/%2520/%2520/today", 0),
            ("2/3", 4), ("5/24", 4),
        ]
    )
    func filters_acceptEveryForm(rest: String, total: Int) async throws {
        try await CalendarDataset.fill(Self.events)
        let found = try await found(rest, world)
        #expect(found.total == total)
        if total == 0 { #expect(found.row == [] && found.result.code == "INFO-200") }
    }

    @Test(.culture) func rows_areSentAgainOnlyWhenTheyChange() async throws {
        try await CalendarDataset.fill(Self.events)
        let client = ServiceClient(world.client, to: .community, app: .culture)
        let path = "/anything/json/culturalEventInfo/1/20/%2520/%2520/%2520"
        let answer = try await client.catalogue(path)
        #expect(answer.status == .ok && answer.statusWithTag == .notModified)
        #expect(answer.cacheControl == "public, no-cache")
        try await CalendarDataset.fill([CulturalEvent.fixture("새 전시", [.start: "2025-06-01", .end: "2025-06-30"])])
        #expect(try await client.catalogue(path).tag != answer.tag)
    }

    @Test(.culture) func pagesOfTwenty_showEveryEventOnce() async throws {
        try await CalendarDataset.fill(
            (1...65).map { CulturalEvent.fixture("전시 \($0)", [.start: "2025-05-0\($0 % 9 + 1)"]) }
        )
        var titles: [String] = []
        var start = 1
        var total = Int.max
        // The client's paging.
        while start <= total {
            let page = try await found("\(start)/\(start + 19)/%2520/%2520/%2520", world)
            #expect(page.row.count == min(20, 65 - titles.count))
            titles += page.titles
            total = page.total
            start += 20
        }
        #expect(titles.count == 65 && Set(titles).count == 65 && total == 65)
        let beyond = try await found("66/85", world)
        #expect(beyond.total == 65 && beyond.row == [])
    }

    @Test(
        .culture,
        arguments: [
            ("1", "ERROR-300"), ("x/20", "ERROR-333"), ("1/x", "ERROR-333"), ("1.5/20", "ERROR-333"),
            ("0/20", "ERROR-331"),
            ("-1/20", "ERROR-331"), ("1/0", "ERROR-332"), ("20/1", "ERROR-334"), ("1/1001", "ERROR-336"),
            ("1/99999999999999999999", "ERROR-333"), ("1/9223372036854775807", "ERROR-336"),
        ]
    )
    func invalidRange_returnsCitysErrorCode(rest: String, code: String) async throws {
        struct Alone: Decodable {
            var result: Notice

            enum CodingKeys: String, CodingKey { case result = "RESULT" }
        }
        let answer = try await ask(rest, world)
        #expect(answer.status == .ok)
        #expect(try answer.keys() == ["RESULT"])
        #expect(try answer.json(Alone.self).result.code == code)
    }

    @Test(.culture) func invalidText_findsNothingOrReturns400() async throws {
        #expect(try await ask("1/20/%00", world).status == .badRequest)
        for rest in ["1/20/%ff", "1/20/%2520/%zz", "1/20/%25"] {
            #expect(try await found(rest, world).row == [], "\(rest)")
        }
        let elsewhere = try await ServiceClient(world.client, to: .community, app: .culture).send(
            .get,
            "/key/xml/culturalEventInfo/1/5"
        )
        #expect(elsewhere.status.code == 444)
    }

    /// The whole way from the city's feed to the client.
    @Test func citysFeed_isServedAfterRefresh() async throws {
        try await CalendarDataset.sandbox { (_, url) async throws in
            try await CommunityWorld.test(.culture, people: [1: "하루"], { $0.seoulURL = url }) { (world) async throws in
                var shown: Answer.Found?
                while shown?.row.isEmpty ?? true {
                    shown = try await found("1/1000", world)
                    try await Task.sleep(for: .milliseconds(20))
                }
                let rows = try #require(shown).row
                #expect(rows.count > 300 && Set(rows.map { $0["CODENAME"] }).count == 16)
                #expect(rows.allSatisfy { row in (37...38).contains(Double(row["LOT"] ?? "") ?? 0) })
            }
        }
    }
}
