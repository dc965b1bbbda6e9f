import Contracts
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Postgres
import Subway
import TestKit
import Testing

@testable import Seats

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct StationRoutesTests {
    private var world: SeatsWorld { .current }

    private struct StationBody: Decodable {
        var id: Int64
        var name: String
        var line: String
        var timeMinSec: String
        var acmlTime: Int
        var distKm: Double
        var acmlDist: Double
    }

    private var phone: ServiceClient {
        ServiceClient(SeatsWorld.current.client, to: .seats, app: .seatcatcher, account: 1)
    }

    @Test(.service(passengers: [:])) func stationSearch_withKoreanKeyword_returnsStation() async throws {
        let answer = try await phone.send(.get, "/stations?keyword=%EA%B0%95%EB%82%A8&line=2&order=up")
        #expect(answer.status == .ok)
        let found = try answer.json([StationBody].self)
        #expect(found.map(\.name) == ["강남"])
        let station = try #require(found.first)
        #expect(station.line == "2")
        #expect(station.timeMinSec.contains(":"))
        #expect(station.acmlTime > 0)
        let keys = try #require(try answer.json([[String: Anything]].self).first).keys
        #expect(Set(keys) == ["id", "name", "line", "timeMinSec", "acmlTime", "distKm", "acmlDist"])
    }

    @Test(
        .service(passengers: [:]),
        arguments: [
            ("/stations?keyword=%EC%97%86%EC%9D%8C", 204), ("/stations?line=9", 204), ("/stations?line=LINE_2", 200),
            ("/stations?line=42", 400), ("/stations?line=LINE_42", 400), ("/stations?order=sideways", 200),
            ("/stations", 200),
            ("/stations?keyword=", 200), ("/stations/11", 200), ("/stations/279", 404), ("/stations/0", 404),
            ("/stations/-1", 404), ("/stations/abc", 400), ("/stations/99999999999999999999", 400),
        ]
    )
    func stationRoutes_returnContractStatuses(path: String, status: Int) async throws {
        let answer = try await phone.send(.get, path)
        #expect(answer.status.code == status)
        if [204, 404].contains(status) || path.contains("42") { #expect(answer.text == "") }
    }

    @Test(
        .service(passengers: [:]),
        arguments: [
            ("/stations?line=2", "private, max-age=3600"), ("/stations/11", "private, max-age=3600"),
            ("/tags", "private, no-cache"), ("/tags/1", "private, no-cache"),
        ]
    )
    func catalogues_areKeptByClients(path: String, cacheControl: String) async throws {
        let answer = try await phone.catalogue(path)
        #expect(answer.status == .ok && answer.statusWithTag == .notModified && answer.cacheControl == cacheControl)
        let other = ServiceClient(world.client, to: .seats, app: .seatcatcher, account: 2)
        #expect(try await other.catalogue(path) == answer)
    }

    @Test(.service(passengers: [:])) func unauthenticatedRequest_returns401() async throws {
        let answer = try await ServiceClient(world.client, to: .seats, app: .seatcatcher).send(.get, "/stations")
        #expect(answer.status == .unauthorized)
    }

    @Test func stationIDs_areStableAcrossRestarts() async throws {
        for _ in 0..<2 { try await SeatsWorld.test(passengers: [:]) { _ in } }
        let rows = try await TestDatabase.current.client.one("SELECT count(*), max(id) FROM stations") {
            try $0.decode(Int.self, Int.self)
        }
        #expect(rows == (278, 278))
    }

    @Test func concurrentLoads_storeStationsOnce() async throws {
        let database = TestDatabase.current.client
        let stations = try StationData.stations()
        for _ in 0..<10 {
            try await database.execute("TRUNCATE lines CASCADE")
            try await withThrowingDiscardingTaskGroup { group in
                for _ in 0..<4 { group.addTask { try await StationStore(database: database).load(stations) } }
            }
        }
        #expect(try await database.one("SELECT count(*) FROM stations") { try $0.decode(Int.self) } == 278)
    }

    private struct Anything: Decodable { init(from decoder: any Decoder) {} }
}
