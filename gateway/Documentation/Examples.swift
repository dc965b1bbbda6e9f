import Contracts
import FoundationEssentials

/// A call that a test made, and its response: recorded by `make examples`.
struct Example: Codable, Sendable {
    var request: Request
    var response: Response

    struct Request: Codable, Sendable {
        /// With its query.
        var path: String
        var headers: [String: String]?
        /// The media type of a body that is not JSON.
        var type: String?
        var body: JSONValue?
    }

    struct Response: Codable, Sendable {
        var status: Int
        /// The media type of a body that is not JSON.
        var type: String?
        var body: JSONValue?
    }
}

/// The examples of all apps, by operation: `GET /stations/{stationId}`.
enum Examples {
    private static let all = Dictionary(uniqueKeysWithValues: App.allCases.map { ($0, decoded($0)) })

    static func of(_ app: App) -> [String: Example] { all[app] ?? [:] }

    private static func decoded(_ app: App) -> [String: Example] {
        let json =
            switch app {
            case .seatcatcher: PackageResources.seatcatcher_json
            case .moup: PackageResources.moup_json
            case .anlaka: PackageResources.anlaka_json
            case .culture: PackageResources.culture_json
            case .withsuhyeon: PackageResources.withsuhyeon_json
            }
        return (try? JSONDecoder().decode([String: Example].self, from: Data(json))) ?? [:]
    }
}
