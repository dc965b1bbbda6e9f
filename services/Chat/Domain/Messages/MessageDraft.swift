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

    /// Characters that `content` may have.
    var limit = Self.contentLimit

    /// Characters (Anlaka contract 9).
    static let contentLimit = 5_000
    /// With Suhyeon's app sets no limit, and hears of no refusal: whatever fits into a frame of its socket is kept (contract 2.2).
    static let companionContentLimit = 65_536
    static let fileLimit = 5
    static let clientIDLimit = 100

    /// - Throws: `ChatError.rule`.
    func check() throws(ChatError) {
        guard !content.isEmpty || !files.isEmpty else { throw .rule("content or files must not be empty.") }
        try Self.check(content, limit: limit)
        guard files.count <= Self.fileLimit, Set(files).count == files.count else {
            throw .rule("files must be at most \(Self.fileLimit), each once.")
        }
        if let clientID, clientID.isEmpty || clientID.count > Self.clientIDLimit || clientID.utf8.contains(0) {
            throw .rule("The message's own id must have 1 to \(Self.clientIDLimit) characters.")
        }
    }

    /// - Throws: `ChatError.rule`.
    static func check(_ content: String, limit: Int = contentLimit) throws(ChatError) {
        guard content.count <= limit else {
            throw .rule("content must have at most \(limit) characters.")
        }
        guard !content.utf8.contains(0) else { throw .rule("content has a character that cannot be stored.") }
    }
}
