import AsyncHTTPClient
import Authentication
import Contracts
import FoundationEssentials
import NIOCore
import NIOHTTP1

/// The service seats by itself, on a loopback port that the system picked.
struct SeatsRig: Sendable {
    let port: Int
    let databaseURL: String

    private static let train = "2234"
    private static let car = "7250"
    /// Nobody listens there.
    private static let nowhere = "http://127.0.0.1:9"

    /// Runs the service while `body` runs.
    func withService<Value: Sendable>(
        _ bench: BenchContext,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let environment = [
            "HOST": "127.0.0.1", "PORT": "\(port)", "DATABASE_URL": databaseURL, "LOG_LEVEL": "error",
            "AUTH_URL": Self.nowhere, "SEOUL_URL": Self.nowhere,
        ]
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                try await BenchProgram.run("\(bench.executables)/seats", [], environment: environment)
            }
            group.addTask {
                try await waitUntilReady()
                return try await body()
            }
            defer { group.cancelAll() }
            while let value = try await group.next() {
                if let value { return value }
            }
            throw StackError("the service ended by itself")
        }
    }

    private func waitUntilReady() async throws {
        for _ in 0..<500 {
            if await Health.isReady("http://127.0.0.1:\(port)/readyz") { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw StackError("the service does not become ready")
    }

    /// The seats of the car, which is made when it is asked for first.
    func seats() async throws -> [Int64] {
        struct Group: Decodable {
            var seatStatus: [Seat]
            struct Seat: Decodable { var seatId: Int64 }
        }
        let identity = InternalIdentity(caller: "gateway", app: .seatcatcher, account: 1, session: "bench")
        var request = HTTPClientRequest(
            url: "http://127.0.0.1:\(port)/trains?carCode=\(Self.car)&trainCode=\(Self.train)"
        )
        let now = Int64(Date.now.timeIntervalSince1970)
        request.headers.add(name: InternalIdentity.header, value: identity.signed(with: .development, now: now))
        let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(5))
        let body = try await answer.body.collect(upTo: 1 << 20)
        let seats = try JSONDecoder().decode([Group].self, from: Data(body.readableBytesView)).flatMap(\.seatStatus)
        guard answer.status == .ok, seats.count == 54 else {
            throw StackError("the car cannot be read: \(answer.status)")
        }
        return seats.map(\.seatId).sorted()
    }
}
