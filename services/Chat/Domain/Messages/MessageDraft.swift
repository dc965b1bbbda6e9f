import Contracts
import Values

/// A message to be written.
struct MessageDraft: Sendable {
    var room: RoomID
    var sender: AccountID
    var content: String
    /// Names of the sender's uploads.
    var files: [String] = []
    /// Identifier chosen by the client. A draft with the ID of a stored message returns that message.
    var clientID: String?
    /// The span that it follows from, as `traceparent`.
    var trace: String?

    /// Maximum length of `content` in characters; nil when only its size is limited.
    var limit: Int? = Self.contentLimit

    /// Characters (Anlaka contract 9).
    static let contentLimit = 5_000
    /// Bytes of `content`. With Suhyeon's client sets no limit and cannot show an error, so the limit is the size of a
    /// frame (contract 2.2).
    static let byteLimit = 65_536
    static let fileLimit = 5
    /// Unicode scalars.
    static let clientIDLimit = 100

    /// - Throws: `ChatError.rule`.
    func check() throws(ChatError) {
        guard !content.isEmpty || !files.isEmpty else { throw .rule("content or files must not be empty.") }
        try Self.check(content, limit: limit)
        guard files.count <= Self.fileLimit, Set(files).count == files.count else {
            throw .rule("files must be at most \(Self.fileLimit), each once.")
        }
        if let clientID,
            clientID.isEmpty || clientID.unicodeScalars.count > Self.clientIDLimit || clientID.utf8.contains(0)
        {
            throw .rule("The message's own id must have 1 to \(Self.clientIDLimit) characters.")
        }
    }

    /// - Throws: `ChatError.rule`.
    static func check(_ content: String, limit: Int?) throws(ChatError) {
        guard content.utf8.count <= byteLimit else { throw .rule("content must have at most \(byteLimit) bytes.") }
        if let limit, !TypedText.fits(content, characters: limit) {
            throw .rule("content must have at most \(limit) characters.")
        }
        guard !content.utf8.contains(0) else { throw .rule("content has a character that cannot be stored.") }
    }
}
