package import Files

/// What files are taken for a purpose, and by which paths an app knows them.
package struct UploadRules: Sendable, Equatable {
    /// Bytes of one file.
    package let limit: Int
    package let types: Set<FileType>
    /// What stands before the name in what is stored and answered.
    package let prefix: String

    package init(limit: Int, types: Set<FileType>, prefix: String) {
        self.limit = limit
        self.types = types
        self.prefix = prefix
    }

    package func path(_ name: String) -> String { prefix + name }

    /// The name in a path; nil for a path of something else.
    package func name(in path: String) -> String? {
        guard path.hasPrefix(prefix) else { return nil }
        let name = String(path.dropFirst(prefix.count))
        return Upload.isName(name) ? name : nil
    }
}
