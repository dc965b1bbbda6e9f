import AsyncHTTPClient
import Authentication
import Contracts
import FoundationEssentials
import NIOCore
import NIOHTTP1
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
        struct Group: Decodable {
            var seatStatus: [Seat]
            struct Seat: Decodable { var seatId: Int64 }
        }
        var request = HTTPClientRequest(
            url: "http://127.0.0.1:\(port)/trains?carCode=\(Self.car)&trainCode=\(Self.train)"
        )
        request.headers.add(name: InternalIdentity.header, value: ServiceFixture.identity(of: 1, in: .seatcatcher))
        let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(5))
        let body = try await answer.body.collect(upTo: 1 << 20)
        let seats = try JSONDecoder().decode([Group].self, from: Data(body.readableBytesView)).flatMap(\.seatStatus)
        guard answer.status == .ok, seats.count == 54 else {
            throw StackError("the car cannot be read: \(answer.status)")
        }
        return seats.map(\.seatId).sorted()
    }
}
