import Apps
import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing
import Values

@testable import Estate

@Suite(.database(Migrations.all), .service) struct ImportTests {
    private var world: EstateWorld { .current }

    private func imported(_ answer: TestResponse) throws -> EstateAPI.Imported {
        #expect(answer.status == .ok, "\(answer.text)")
        return try answer.json(EstateAPI.Imported.self)
    }

    @Test func importedListing_belongsToCreator() async throws {
        let answer = try await world.importAll([.fixture("a") { $0.region = "성수동" }, .fixture("b")])
        #expect(try imported(answer) == EstateAPI.Imported(created: 2, kept: 0))
        let ids = try await world.database.all("SELECT public_id FROM listings ORDER BY reference") {
            try $0.decode(String.self)
        }
        let first = try await world.client(9).send(.get, "/v1/estates/\(ids[0])").json(EstateAnswer.self)
        #expect(first.creator?.userID == EstateWorld.publicID(9))
        #expect(first.geolocation == .init(longitude: 127.045432, latitude: 37.652258))
        #expect(first.region == "성수동")
        #expect(first.builtYear == "2018-05-01")
        #expect((first.floors, first.reservationPrice, first.parkingCount) == (-1, 100_000, 1))
        #expect(first.options?.sink == true && first.options?.airConditioner == true && first.options?.tv == false)
        #expect(first.options?.description == "새것")
        let second = try await world.client(1).send(.get, "/v1/estates/\(ids[1])").json(EstateAnswer.self)
        #expect(second.region == nil)
        #expect((30...80).contains(second.geolocation.coordinate.distance(to: first.geolocation.coordinate)))
        let due = try await world.database.all("SELECT reference FROM listings WHERE region_due_at IS NOT NULL") {
            try $0.decode(String.self)
        }
        #expect(due == ["b"])
    }

    @Test func repeatedImport_keepsExistingListings() async throws {
        #expect(try imported(await world.importAll([.fixture("a")])).created == 1)
        let changed = EstateAPI.NewListing.fixture("a") { $0.title = "다른 제목" }
        let again = try await world.importAll([.fixture("b"), changed])
        #expect(try imported(again) == EstateAPI.Imported(created: 1, kept: 1))
        #expect(try imported(await world.importAll([.fixture("a")], by: 1)).created == 1)
        #expect(try imported(await world.importAll([])) == EstateAPI.Imported(created: 0, kept: 0))
        let titles = try await world.database.all("SELECT DISTINCT title FROM listings") { try $0.decode(String.self) }
        #expect(titles == ["햇살이 드는 원룸"])
    }

    @Test func concurrentImports_createEachListingOnce() async throws {
        let listings = (0..<200).map { EstateAPI.NewListing.fixture("r\($0)") }
        let answers = try await withThrowingTaskGroup(of: EstateAPI.Imported.self) { group in
            for index in 0..<4 {
                let order = index % 2 == 0 ? listings : listings.reversed()
                group.addTask { try imported(await world.importAll(order)) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.map(\.created).reduce(0, +) == 200)
        #expect(answers.allSatisfy { $0.created + $0.kept == 200 })
        #expect(try await world.count("listings") == 200)
    }

    @Test(arguments: [
        ("title", #""""#, "listings[1].title"), ("monthlyRent", "-1", "listings[1].monthlyRent"),
        ("builtYear", #""2018-02-30""#, "listings[1].builtYear"),
        ("builtYear", #""1700-01-01""#, "listings[1].builtYear"),
        ("latitude", "91", "listings[1].latitude"), ("area", "0", "listings[1].area"),
        ("reference", #""""#, "listings[1].reference"), ("reference", "null", "listings[1].reference"),
        ("reference", #""a""#, "listings[1].reference"), ("deposit", "1.5", "whole"),
        ("isSafe", #""yes""#, "listings[1].isSafe"), ("category", #""\u0000""#, "listings[1].category"),
        ("thumbnails", "{}", "listings[1].thumbnails"), ("region", #"" ""#, "listings[1].region"),
    ])
    func invalidImport_namesFieldAndImportsNothing(field: String, value: String, name: String) async throws {
        let (good, bad) = (EstateAPI.NewListing.fixture("a"), EstateAPI.NewListing.fixture("b") { $0.region = "강남" })
        let text = try [good, bad].map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
        let pattern = try Regex("\"\(field)\":(\\[[^\\]]*\\]|\"[^\"]*\"|[^,}]*)")
        let broken = text[1].replacing(pattern) { _ in "\"\(field)\":\(value)" }
        let json = #"{"creator":"\#(EstateWorld.publicID(9))","listings":[\#(text[0]),\#(broken)]}"#
        let answer = try await world.process.send(.post, EstateAPI.Import.path, json: json)
        #expect(answer.status == .badRequest, "\(answer.text)")
        #expect(answer.text.contains(name), "\(answer.text)")
        #expect(try await world.count("listings") == 0)
    }

    @Test func import_isLimitedToThousand() async throws {
        let listings = (0...1000).map { index in
            EstateAPI.NewListing.fixture("r\(index)") { $0.description = String(repeating: "남", count: 5000) }
        }
        let tooMany = try await world.importAll(listings)
        #expect(tooMany.status == .badRequest)
        #expect(tooMany.text.contains("listings"))
        #expect(try imported(await world.importAll(Array(listings.dropLast()))).created == 1000)
    }

    @Test func import_forUnknownCreator_returns404() async throws {
        #expect(try await world.importAll([.fixture("a")], by: 77).status == .notFound)
        for creator in ["", "x", "%00", #"\u0000"#] {
            let json = #"{"creator":"\#(creator)","listings":[]}"#
            let answer = try await world.process.send(.post, EstateAPI.Import.path, json: json)
            #expect(answer.status == .notFound, "\(creator): \(answer.text)")
        }
        try await world.database.execute("UPDATE people SET withdrawn_at = now(), nickname = '' WHERE account_id = 9")
        #expect(try await world.importAll([.fixture("a")]).status == .notFound)
        #expect(try await world.count("listings") == 0)
    }

    @Test func import_byClient_isRefused() async throws {
        let json = #"{"creator":"\#(EstateWorld.publicID(9))","listings":[]}"#
        for path in [EstateAPI.Import.path, "/internal/listings?ids=a"] {
            #expect(try await world.client(9).send(.post, path, json: json).status.code == 444)
            #expect(try await world.client(9).send(.get, path).status.code == 444)
            let stranger = try await world.client.execute(uri: path, method: .post, headers: [:], body: nil) { $0 }
            #expect(stranger.status == .forbidden)
        }
    }
}
