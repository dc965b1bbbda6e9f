package import FoundationEssentials

/// When a number of people is too large for a machine: `thresholds.json`.
package struct Thresholds: Sendable, Decodable {
    package struct Act: Sendable, Decodable {
        /// As in "p99 of send a message".
        package var title: String
        /// The service that answers it.
        package var service: String
        /// Milliseconds that 99 of 100 acts may take at most, from the time at which they were due.
        package var p99: Double
    }

    private static let version = 1

    private var version: Int
    /// The share of acts, of all kinds together, that may fail.
    package var errors: Double
    private var acts: [ActKind: Act]

    /// Those of the project.
    package static func standard() throws -> Thresholds { try Thresholds(json: PackageResources.thresholds_json) }

    /// - Throws: `ProofError` for another version, a file of another form, or a kind of act that is not in it.
    package init(json: some DataProtocol) throws {
        do {
            self = try JSONDecoder().decode(Thresholds.self, from: Data(json))
        } catch {
            throw ProofError("the thresholds are not of the form that is expected: \(error)")
        }
        guard version == Self.version else {
            throw ProofError("the thresholds are of version \(version), and this program reads version \(Self.version)")
        }
        for kind in ActKind.allCases where acts[kind] == nil {
            throw ProofError("the thresholds have no \(kind.rawValue)")
        }
    }

    package subscript(kind: ActKind) -> Act {
        acts[kind] ?? Act(title: kind.rawValue, service: "", p99: .infinity)
    }
}
