import NIOCore
import StackKit

extension BurstLoad {
    /// Sends requests and reports their response times.
    ///
    /// - Parameters:
    ///   - title: The kind of request.
    ///   - reach: The goal for the 99th percentile, in milliseconds; nil without a goal.
    static func times(_ requests: [Request], of title: String, reach: Double?) async throws -> [BenchResult] {
        let answers = try await run(requests, timeout: .seconds(60))
        guard answers.allSatisfy(\.isGood) else {
            throw StackError("\(title) failed: \(answers.first { !$0.isGood }?.status ?? 0)")
        }
        let times = answers.map { Double($0.time.nanoseconds) / 1_000_000 }.sorted()
        return [
            BenchResult(name: "\(title), median", unit: "ms", ours: times[times.count / 2]),
            BenchResult(
                name: "\(title), 99 of 100 within",
                unit: "ms",
                ours: times[times.count * 99 / 100],
                goal: reach.map { .atMost($0) }
            ),
        ]
    }
}

extension GatewayFixture {
    /// A request of a client, sent at a constant rate per second.
    func request(_ path: String, key: String, _ token: String, at number: Int, of rate: Int) -> BurstLoad.Request {
        BurstLoad.Request(
            port: gateway,
            text: """
                GET \(path) HTTP/1.1\r\nHost: madang\r\nSeSACKey: \(key)\r\nAuthorization: \(token)\r\n\r\n
                """,
            delay: .microseconds(Int64(number * 1_000_000 / rate))
        )
    }
}
