import Contracts

/// What somebody wants to write.
struct MessageDraft: Sendable {
    var room: Int64
    var sender: Int64
    var content: String
    /// The names of uploads of the sender.
    var files: [String] = []
    /// What the phone calls it: one that was sent before under the same name is answered as it is.
    var clientID: String?

    /// Characters (Anlaka contract 9).
    static let contentLimit = 5_000
    static let fileLimit = 5
    static let clientIDLimit = 100

    /// - Throws: `ChatError.rule`.
    func check() throws(ChatError) {
        guard !content.isEmpty || !files.isEmpty else { throw .rule("content or files must not be empty.") }
        try Self.check(content)
        guard files.count <= Self.fileLimit, Set(files).count == files.count else {
            throw .rule("files must be at most \(Self.fileLimit), each once.")
        }
        if let clientID, clientID.isEmpty || clientID.count > Self.clientIDLimit || clientID.utf8.contains(0) {
            throw .rule("The message's own id must have 1 to \(Self.clientIDLimit) characters.")
        }
    }

    /// - Throws: `ChatError.rule`.
    static func check(_ content: String) throws(ChatError) {
        guard content.count <= contentLimit else {
            throw .rule("content must have at most \(contentLimit) characters.")
        }
        guard !content.utf8.contains(0) else { throw .rule("content has a character that cannot be stored.") }
    }
}
