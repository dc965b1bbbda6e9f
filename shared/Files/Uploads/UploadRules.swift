/// The limits on uploads for a purpose, and their path prefix in an app.
package struct UploadRules: Sendable, Equatable {
    /// The maximum size of a file, in bytes.
    package let limit: Int
    package let types: Set<FileType>
    /// The prefix of the name in stored and returned paths.
    package let prefix: String

    package init(limit: Int, types: Set<FileType>, prefix: String) {
        self.limit = limit
        self.types = types
        self.prefix = prefix
    }

    package func path(_ name: String) -> String { prefix + name }

    /// The name in a path; nil for any other path.
    package func name(in path: String) -> String? {
        guard path.hasPrefix(prefix) else { return nil }
        let name = String(path.dropFirst(prefix.count))
        return Upload.isName(name) ? name : nil
    }
}
