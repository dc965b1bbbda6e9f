package import FoundationEssentials
package import StackKit

/// How far the archive of the write-ahead log is: written once a second by `stack archive`, read by `stack status`.
package struct ArchiveState: Codable, Sendable, Equatable {
    /// The place.
    package var place: String
    /// All that was committed before this moment is archived; nil before the first.
    package var until: Date?
    /// The part of the write-ahead log that is not archived yet, in bytes.
    package var behind: Int?
    /// Why nothing is archived; nil if all is well.
    package var problem: String?

    init(place: String) {
        self.place = place
    }

    /// nil if nothing was archived since the start.
    package init?(of folder: LocalFolder) {
        guard let data = try? Data(contentsOf: URL(filePath: Self.path(folder))),
            let state = try? JSONDecoder().decode(Self.self, from: data)
        else { return nil }
        self = state
    }

    func save(in folder: LocalFolder) throws {
        try JSONEncoder().encode(self).write(to: URL(filePath: Self.path(folder)), options: .atomic)
    }

    /// `1 s and 0 bytes behind`.
    package func lag(at now: Date = .now) -> String {
        guard let until else { return "nothing is archived yet" }
        return "\(max(0, Int(now.timeIntervalSince(until)))) s and \(behind ?? 0) bytes behind"
    }

    private static func path(_ folder: LocalFolder) -> String { "\(folder.path)/run/archive.json" }
}
