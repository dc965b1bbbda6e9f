import AppClients
import Apps
import Authentication
import Contracts
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

    /// The seats of the car, which the first request creates.
    func seats() async throws -> [Int64] {
        let answer = try await HTTPTransport("http://127.0.0.1:\(port)").send(
            .get,
            "/trains?carCode=\(Self.car)&trainCode=\(Self.train)",
            headers: [InternalIdentity.header: ServiceFixture.identity(of: 1, in: .seatcatcher)]
        )
        let seats = try answer.expect().value([SeatCatcherSection].self).flatMap(\.seatStatus)
        guard seats.count == 54 else { throw StackError("the car has \(seats.count) seats") }
        return seats.map(\.seatId.rawValue).sorted()
    }
}
