import FoundationEssentials
import Values

extension SabotageTrial {
    private struct File: Decodable {
        var version: Int
        var trials: [SabotageTrial]
    }

    private static let version = 1

    /// The trials of `Resources/sabotages.json`, one for each defect.
    ///
    /// - Throws: `ProofError` for a file of another form.
    package static func all() throws -> [SabotageTrial] {
        do {
            let file = try JSONDecoder().decode(File.self, from: Data(PackageResources.sabotages_json))
            guard file.version == version else { throw ProofError("its version is \(file.version)") }
            return file.trials
        } catch {
            throw ProofError("sabotages.json is not of the form that is expected: \(error)")
        }
    }

    /// The trials of one defect, or of all.
    ///
    /// - Parameter name: Of a defect, or `all`.
    /// - Throws: `ProofError` for another name.
    package static func named(_ name: String) throws -> [SabotageTrial] {
        let all = try all()
        guard name != "all" else { return all }
        let chosen = all.filter { $0.defect.rawValue == name }
        guard !chosen.isEmpty else {
            let names = all.map(\.defect.rawValue).joined(separator: ", ")
            throw ProofError("there is no defect \(name); there are: all, \(names)")
        }
        return chosen
    }
}
