import AppClients
import Apps
import Authentication
import Contracts
import Postgres
import StackKit

/// The seats service alone, on a free loopback port.
struct SeatsFixture: Sendable {
    let port: Int
    let databaseURL: String

    private static let train = "2234"
    private static let car = "7250"
    private var fixture: ServiceFixture {
        ServiceFixture(
            name: "seats",
            port: port,
            databaseURL: databaseURL,
            environment: [
                "AUTH_URL": ServiceFixture.closedURL, "NOTIFICATIONS_URL": ServiceFixture.closedURL,
                "SEOUL_URL": ServiceFixture.closedURL,
            ]
        )
    }

    /// Runs the service while `body` runs.
    func withService<Value: Sendable>(
        _ bench: BenchContext,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await fixture.withService(bench, body)
    }

    /// The seats of the car, which its first occupant creates.
    func seats() async throws -> [Int64] {
        let transport = HTTPTransport("http://127.0.0.1:\(port)")
        func headers(_ method: String, _ path: String) -> [String: String] {
            [InternalIdentity.header: ServiceFixture.identity(of: 1, in: .seatcatcher, method, path, to: .seats)]
        }
        let path = "/trains?carCode=\(Self.car)&trainCode=\(Self.train)"
        let car = try await transport.send(.get, path, headers: headers("GET", path))
        let seats = try car.expect().value([SeatCatcherSection].self).flatMap(\.seatStatus).map(\.seatId.rawValue)
        guard seats.count == 54 else { throw StackError("the car has \(seats.count) seats") }
        let first = "/user/seats?seatId=\(seats[0])"
        try await transport.send(.post, first, headers: headers("POST", first)).expect(201)
        try await transport.send(.delete, "/user/seats", headers: headers("DELETE", "/user/seats")).expect(204)
        return seats.sorted()
    }

    /// The statements that announce the train: the seats of other trains cannot be occupied.
    static let sightings: [SQL] = [
        "INSERT INTO seats.trains (code, sighted_at) VALUES (\(Self.train), now())",
        """
        INSERT INTO seats.sightings
            (service_date, train_code, line, direction, terminal, station_id, seconds, seen_at)
        VALUES (seats.service_date(), \(Self.train), 'LINE_7', 1, '온수', 219, 60, now())
        """,
    ]
}
