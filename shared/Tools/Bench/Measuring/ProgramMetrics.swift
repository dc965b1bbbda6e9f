import AsyncHTTPClient
import NIOCore

/// What a program reports about itself.
enum ProgramMetrics {
    /// The lines of `/metrics`.
    ///
    /// - Parameter base: `http://host:port`.
    static func lines(of base: String) async throws -> [Substring] {
        let answer = try await HTTPClient.shared.execute(
            HTTPClientRequest(url: "\(base)/metrics"),
            timeout: .seconds(30)
        )
        return String(buffer: try await answer.body.collect(upTo: 8 << 20)).split(separator: "\n")
    }
}
