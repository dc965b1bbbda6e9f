import FoundationEssentials
import Testing

/// The project's own files, read as text.
struct SourceTree {
    struct File: Sendable, CustomStringConvertible {
        /// From the project's root.
        var path: String
        var text: String

        var description: String { path }
        var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
        var folders: [Substring] { path.split(separator: "/").dropLast() }
        var name: Substring { path.split(separator: "/").last ?? "" }

        /// The modules that the file imports.
        var imports: [Substring] {
            lines.compactMap { line in
                let words = line.split(separator: " ").drop { $0.hasPrefix("@") }.map { $0 }
                guard let position = words.firstIndex(of: "import"), position <= 1, position + 1 < words.count,
                    position == 0 || ["package", "public", "internal", "private", "fileprivate"].contains(words[0])
                else { return nil }
                return words[position + 1]
            }
        }
    }

    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Every file with an ending below some folders of the root.
    static func files(_ ending: String, in folders: [String]) -> [File] {
        folders.flatMap { folder -> [File] in
            let paths = (try? FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)) ?? []
            return paths.filter { $0.hasSuffix(ending) }.sorted().compactMap { path in
                let file = root.appending(path: folder).appending(path: path)
                guard let data = try? Data(contentsOf: file) else { return nil }
                return File(path: "\(folder)/\(path)", text: String(decoding: data, as: UTF8.self))
            }
        }
    }

    /// The documents at the root.
    static let documents = ["CHANGELOG.md", "CONTRIBUTING.md", "README.md", "SECURITY.md"].compactMap { path in
        (try? Data(contentsOf: root.appending(path: path))).map {
            File(path: path, text: String(decoding: $0, as: UTF8.self))
        }
    }

    static let production = files(".swift", in: ["shared", "services", "gateway"])
    static let services = files(".swift", in: ["services"])
}
