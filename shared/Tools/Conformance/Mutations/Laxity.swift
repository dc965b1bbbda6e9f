import Contracts
import FoundationEssentials

/// A difference between what an app's client notices and what the contract says, with the reason why it stays.
package struct Laxity: Sendable, Decodable, Equatable {
    var app: String
    /// The calls that it is about; nil for all of the app.
    var calls: [String]?
    /// The members, by their path or its end.
    var fields: [String]
    /// The changes that it is about; nil for all.
    var kinds: [Mutant.Kind]?
    package var reason: String

    /// `Resources/laxities.json`.
    package static func all() throws -> [Laxity] {
        try JSONDecoder().decode([Laxity].self, from: Data(PackageResources.laxities_json))
    }

    func explains(_ mutant: Mutant, of call: ContractCall) -> Bool {
        guard app == call.app.rawValue, calls?.contains(call.name) ?? true, kinds?.contains(mutant.kind) ?? true else {
            return false
        }
        return fields.contains { mutant.field == $0 || mutant.field.hasSuffix(".\($0)") }
    }
}
