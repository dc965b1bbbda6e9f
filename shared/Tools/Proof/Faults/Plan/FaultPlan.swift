package import FoundationEssentials
import StackKit

/// Which faults occur when. Equal seeds, lengths, offers and rules make equal plans.
package struct FaultPlan: Sendable, Equatable {
    package let seed: UInt64
    /// In microseconds.
    package let length: Int64
    /// In the order of their beginnings. All have ended before the plan has.
    package let faults: [PlannedFault]

    /// The version of the file.
    private static let version = 1

    private struct File: Codable {
        var version: Int
        var seed: UInt64
        var microseconds: Int64
        var faults: [PlannedFault]
    }

    private struct Header: Decodable {
        var version: Int
    }

    package init(seed: UInt64, length: Int64, faults: [PlannedFault]) {
        (self.seed, self.length, self.faults) = (seed, length, faults)
    }

    /// Reads a plan that was written by `json`.
    ///
    /// - Throws: `StackError` if it is of another version, or damaged.
    package init(json: Data) throws {
        guard let header = try? JSONDecoder().decode(Header.self, from: json) else { throw Self.damaged }
        guard header.version == Self.version else {
            throw StackError(
                "the plan of faults has version \(header.version), and this program reads version \(Self.version); "
                    + "repeat the run with the program that wrote it, or make a plan of the same seed"
            )
        }
        guard let file = try? JSONDecoder().decode(File.self, from: json), file.microseconds > 0,
            file.faults.allSatisfy({ $0.begins.microseconds >= 0 && $0.lasts >= 0 && $0.strength >= 0 })
        else { throw Self.damaged }
        let faults = file.faults.sorted { $0.begins < $1.begins }
        self.init(seed: file.seed, length: file.microseconds, faults: faults)
    }

    private static let damaged = StackError("the file is no plan of faults, or is damaged")

    /// The plan as a file, so that a run can be repeated.
    package var json: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
            let file = File(version: Self.version, seed: seed, microseconds: length, faults: faults)
            return try encoder.encode(file)
        }
    }

    /// How many faults of each kind it has, in the order of `FaultKind`; without those that it has none of.
    package var counts: [(kind: FaultKind, count: Int)] {
        FaultKind.allCases.compactMap { kind in
            let count = faults.count { $0.kind == kind }
            return count > 0 ? (kind, count) : nil
        }
    }
}
