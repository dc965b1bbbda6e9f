import FoundationEssentials
import StackKit

/// How often each kind of fault occurs, how long it lasts, and what may not fail with it at once: `faults.json`.
package struct FaultRules: Sendable, Decodable {
    /// The number that a plan has on average; rates are raised to it if a system does not offer some kinds.
    package var faultsPerMinute: Double
    /// How many programs, and how many providers, may be away at once.
    package var mostAtOnce: Int
    /// The programs whose routes call a provider, by provider.
    var providers: [String: [String]]
    /// The programs whose routes call a service's internal ones, by service.
    var callers: [String: [String]]
    private var kinds: [String: Kind]

    package struct Kind: Sendable, Decodable {
        /// What happens, for reports.
        package var title: String
        package var perMinute: Double
        /// The shortest and the longest time that it lasts, in seconds; nil for what happens at once.
        var seconds: [Double]?
        /// The least and the greatest `PlannedFault.strength`.
        var strength: [Int]?
        /// How long its effect goes on after its end, at most, such as a restart: in seconds.
        var settles: Double?
        /// How long nothing else may fail then, so that recovery can be measured: in seconds. Kinds with it are heavy.
        var quiet: Double?
        /// The least time between the beginnings of two faults of a target, of kinds that have it: in seconds. A supervisor
        /// starts what dies sooner again after a growing pause, of up to a minute.
        var apart: Double?
        /// The greatest time that its beginning, and its end, may take, in seconds.
        var limit: Double?
        /// What no other fault may break or need meanwhile; `target` stands for the target.
        var breaks: [String]?
        var needs: [String]?
        /// `target`, `all` or `none`: whose routes it may make unavailable.
        var concerns: String

        package var isHeavy: Bool { quiet != nil }
    }

    /// Those of the project.
    ///
    /// - Throws: `StackError` if a kind has none.
    package static func standard() throws -> FaultRules {
        let rules = try JSONDecoder().decode(FaultRules.self, from: Data(PackageResources.faults_json))
        for kind in FaultKind.allCases where rules.kinds[kind.rawValue] == nil {
            throw StackError("faults.json has no \(kind.rawValue)")
        }
        return rules
    }

    package subscript(kind: FaultKind) -> Kind {
        get { kinds[kind.rawValue] ?? Kind(title: kind.rawValue, perMinute: 0, concerns: "all") }
        set { kinds[kind.rawValue] = newValue }
    }

    /// The title of a kind.
    package func title(of kind: FaultKind) -> String { self[kind].title }
}
