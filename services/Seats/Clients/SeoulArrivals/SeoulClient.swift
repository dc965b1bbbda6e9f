import AsyncHTTPClient
import FoundationEssentials
import NIOCore
import NIOHTTP1
import ServiceKit

/// Client of Seoul's realtime subway arrivals API (SeatCatcher contract 7).
struct SeoulClient: Sendable {
    let baseURL: String
    /// Part of the path; must not be logged.
    let key: String
    let http: HTTPClient
    /// Timeout for the whole response.
    var timeout = Duration.seconds(3)

    /// More rows than any station has.
    private static let rows = 100

    /// All rows of a station, of all lines and directions; empty for a station without trains, or an unknown one.
    ///
    /// - Parameter name: the station's name in the API.
    /// - Throws: `ArrivalsUnavailable`.
    func arrivals(at name: String) async throws -> [Arrival] {
        let path = "api/subway/\(key)/json/realtimeStationArrival/0/\(Self.rows)"
        guard let url = URL(string: "\(baseURL)/\(path)")?.appending(component: name) else {
            throw ArrivalsUnavailable()
        }
        let request = HTTPClientRequest(url: url.absoluteString)
        do {
            return try await withTimeout(timeout) {
                let (body, status) = try await measuringCall(of: "Seoul's open data") {
                    let response = try await http.execute(request, timeout: .seconds(10))
                    let body = try await response.body.collect(upTo: 1 << 20)
                    return ((body, response.status), Int(response.status.code))
                }
                guard status == .ok else { throw ArrivalsUnavailable() }
                let answer = try JSONDecoder().decode(SeoulAnswer.self, from: Data(body.readableBytesView))
                return try answer.arrivals(now: .now)
            }
        } catch {
            throw ArrivalsUnavailable()
        }
    }
}
