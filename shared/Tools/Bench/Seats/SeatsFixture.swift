import AppClients
import Apps
import Authentication
import Contracts
import Postgres
import PostgresServer
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

    /// Runs the service, on a server of its own and with its train seen, while `body` runs.
    static func run<Value: Sendable>(
        _ bench: BenchContext,
        _ body: @escaping @Sendable (SeatsFixture, PostgresServer) async throws -> Value
    ) async throws -> Value {
        try await bench.withPostgres { server in
            let database = Database(server: server)
            try await database.bootstrap()
            let fixture = SeatsFixture(port: try FreePort.find(), databaseURL: try database.url(role: "seats"))
            return try await fixture.withService(bench) {
                try await server.withClient(of: Database.name) { client in
                    for sighting in sightings { try await client.execute(sighting) }
                }
                return try await body(fixture, server)
            }
        }
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
        let car = try await send(.get, Self.path).expect()
        let seats = try car.value([SeatCatcherSection].self).flatMap(\.seatStatus).map(\.seatId.rawValue)
        guard seats.count == 54 else { throw StackError("the car has \(seats.count) seats") }
        try await change(seats[0])
        return seats.sorted()
    }

    /// Takes a seat and leaves it.
    func change(_ seat: Int64) async throws {
        try await send(.post, "/user/seats?seatId=\(seat)").expect(201)
        try await send(.delete, "/user/seats").expect(204)
    }

    /// The entity tag of the car's seats.
    func tag() async throws -> String {
        guard let tag = try await send(.get, Self.path).expect().header("ETag") else {
            throw StackError("the seats of a car have no entity tag")
        }
        return tag
    }

    /// A request for the car's seats.
    ///
    /// - Parameter tag: The entity tag of what the phone has.
    func request(known tag: String?) -> BurstLoad.Request {
        let identity = Self.identity("GET", Self.path)
        let known = tag.map { "If-None-Match: \($0)\r\n" } ?? ""
        return BurstLoad.Request(
            port: port,
            text: """
                GET \(Self.path) HTTP/1.1\r\nHost: seats\r\n\(InternalIdentity.header): \(identity)\r\n\(known)\r\n
                """
        )
    }

    private static let path = "/trains?carCode=\(Self.car)&trainCode=\(Self.train)"

    private static func identity(_ method: String, _ path: String) -> String {
        ServiceFixture.identity(of: 1, in: .seatcatcher, method, path, to: .seats)
    }

    private func send(_ method: Operation.Method, _ path: String) async throws -> ClientResponse {
        try await HTTPTransport("http://127.0.0.1:\(port)").send(
            method,
            path,
            headers: [InternalIdentity.header: Self.identity(method.rawValue, path)]
        )
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
