import AsyncHTTPClient
import Postgres
import Subway
import TestKit
import Testing

@testable import Seats

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .arrivals) struct SeoulClientTests {
    private var world: ArrivalsWorld { .current }

    @Test(arguments: ["시청", "총신대입구(이수)", "남한산성입구(성남법원, 검찰청)", "응암순환(상선)", "서울"])
    func stationArrivals_includeAllRows(name: String) async throws {
        let client = SeoulClient(baseURL: world.seoulURL, key: "key", http: .shared)
        let arrivals = try await client.arrivals(at: name)
        #expect(arrivals.count >= 2)
        if name == "시청" { #expect(Set(arrivals.map(\.line)) == [.line1, .line2]) }
    }

    @Test func unknownStation_hasNoArrivals() async throws {
        let client = SeoulClient(baseURL: world.seoulURL, key: "key", http: .shared)
        let arrivals = try await client.arrivals(at: "없는 역/../?#")
        #expect(arrivals == [])
    }

    @Test(arguments: [
        #"{"provider":"seoul","kind":"timeout","count":1}"#, #"{"provider":"seoul","kind":"http","count":1}"#,
        #"{"provider":"seoul","kind":"http","status":200,"count":1}"#,
        #"{"provider":"seoul","kind":"slow","delay_ms":2000,"count":1}"#,
    ])
    func failedCall_throwsArrivalsUnavailable(fault: String) async throws {
        var client = SeoulClient(baseURL: world.seoulURL, key: "key", http: .shared)
        client.timeout = .milliseconds(300)
        try await world.control("faults", fault)
        await #expect(throws: ArrivalsUnavailable.self) { try await client.arrivals(at: "강남") }
        client.timeout = .seconds(20)
        let arrivals = try await client.arrivals(at: "강남")
        #expect(!arrivals.isEmpty)
    }
}
