import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Checks the readiness of a program.
package enum Health {
    /// Whether `url` returns 200 within the timeout.
    package static func isReady(_ url: String, within timeout: Duration = .seconds(2)) async -> Bool {
        let limit = TimeAmount.nanoseconds(Int64(timeout / .nanoseconds(1)))
        let response = try? await HTTPClient.shared.execute(HTTPClientRequest(url: url), timeout: limit)
        guard let response else { return false }
        _ = try? await response.body.collect(upTo: 1 << 16)
        return response.status.code == 200
    }
}
