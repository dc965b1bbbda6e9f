import FoundationEssentials
import Testing
import Yams

/// The environment of each container of `docker-compose.yml`.
struct ComposeFile {
    /// Values by container and name; nil for a variable that is passed on.
    let environments: [String: [String: String?]]
    let text: String

    init() throws {
        text = try Repository.text("docker-compose.yml")
        let document = try #require(Yams.load(yaml: text) as? [String: Any])
        let services = try #require(document["services"] as? [String: [String: Any]])
        environments = services.compactMapValues { service in
            (service["environment"] as? [String: Any])?.mapValues { value in
                let text = "\(value)"
                return text == "<null>" ? nil : text
            }
        }
    }

    /// The environment that compose gives to a container.
    ///
    /// - Parameter variables: Those of `.env`.
    func environment(of container: String, with variables: [String: String]) throws -> [String: String] {
        var environment: [String: String] = [:]
        for (name, value) in try #require(environments[container]) {
            environment[name] = value.map { Self.interpolated($0, variables) } ?? variables[name]
        }
        return environment
    }

    private static func interpolated(_ text: String, _ variables: [String: String]) -> String {
        text.replacing(/\$\{([A-Z0-9_]+):-([^}]*)\}/) { match in
            let value = variables[String(match.1)] ?? ""
            return value.isEmpty ? String(match.2) : value
        }
    }
}

/// The files beside the source code.
enum Repository {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    static func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: root.appending(path: name)), as: UTF8.self)
    }
}
