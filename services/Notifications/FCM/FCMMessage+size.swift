import FoundationEssentials

extension FCMMessage {
    /// Bytes that FCM and APNs take of a message; counted here with all that is around it, so never too few.
    static let limit = 4096

    /// The message as JSON, no longer than FCM takes: of a text that is too long the beginning is shown, and what the app reads
    /// is left out from the longest on, if that does not suffice.
    static func body(of push: Push) throws -> Data {
        var push = push
        var body = try encode(push)
        while body.count - push.token.utf8.count > limit {
            let excess = body.count - push.token.utf8.count - limit
            guard let shorter = push.content.shortened(by: excess) else { return body }
            push.content = shorter
            body = try encode(push)
        }
        return body
    }

    private static func encode(_ push: Push) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return try encoder.encode(FCMMessage(push))
    }
}

extension PushContent {
    private static let ellipsis = "…"
    /// Bytes of text that are always shown.
    private static let leastText = 64

    /// With less of what is longest; nil when nothing is left to leave out.
    fileprivate func shortened(by excess: Int) -> Self? {
        var copy = self
        let longest = data.filter { $0.key != "room_id" && $0.key != "type" }.max {
            ($0.value.utf8.count, $0.key) < ($1.value.utf8.count, $1.key)
        }
        if let longest, longest.value.utf8.count > body.utf8.count {
            copy.data[longest.key] = nil
            return copy
        }
        guard body.utf8.count > Self.leastText else { return nil }
        // A byte of text may be several of JSON, and the text may stand in the message twice: a bit too little is left out
        // rather than too much.
        let least = min(excess / 12, body.utf8.count / 4)
        let room = max(
            body.utf8.count - max(least, 1) - Self.ellipsis.utf8.count,
            Self.leastText - Self.ellipsis.utf8.count
        )
        copy.body = Self.prefix(of: body, bytes: room) + Self.ellipsis
        return copy.body.utf8.count < body.utf8.count ? copy : nil
    }

    /// Whole characters only.
    private static func prefix(of text: String, bytes: Int) -> Substring {
        var end = text.startIndex
        var count = 0
        while end < text.endIndex {
            let next = text.index(after: end)
            count += text[end..<next].utf8.count
            guard count <= bytes else { break }
            end = next
        }
        return text[..<end]
    }
}
