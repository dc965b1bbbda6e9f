import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Checks the readiness of a program.
package enum Health {
    /// Whether `url` returns 200 within the timeout.
    package static func isReady(_ url: String, within timeout: Duration = .seconds(2)) async -> Bool {
        await answer(of: url, within: timeout) != nil
    }

    /// What `url` returns with 200 within the timeout, up to 64 kB; nil otherwise.
    package static func answer(of url: String, within timeout: Duration = .seconds(2)) async -> [UInt8]? {
        let limit = TimeAmount.nanoseconds(Int64(timeout / .nanoseconds(1)))
        let response = try? await HTTPClient.shared.execute(HTTPClientRequest(url: url), timeout: limit)
        guard let response else { return nil }
        let body = try? await response.body.collect(upTo: 1 << 16)
        return response.status.code == 200 ? body.map { Array($0.readableBytesView) } ?? [] : nil
    }
}
