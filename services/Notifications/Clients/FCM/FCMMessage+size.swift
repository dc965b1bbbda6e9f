extension FCMMessage {
    /// FCM's limit for a message in bytes. The whole JSON without the token is counted, which is never too little.
    static let limit = 4096

    /// The message as JSON, within FCM's limit. If necessary, data fields longer than the body are left out, except
    /// `room_id` and `type`, and then the body is truncated.
    static func body(of push: Push) -> String {
        var push = push
        if let body = fitting(push) { return body }
        while let name = push.content.longestDatum {
            push.content.data[name] = nil
            if let body = fitting(push) { return body }
        }
        let text = push.content.body
        push.content.body = ""
        var best = FCMMessage(push).json
        var (shown, tooMuch) = (0, text.utf8.count)
        while shown + 1 < tooMuch {
            let middle = (shown + tooMuch) / 2
            push.content.body = text.prefix(bytes: middle) + "…"
            if let body = fitting(push) { (best, shown) = (body, middle) } else { tooMuch = middle }
        }
        return best
    }

    /// nil when it exceeds the limit.
    private static func fitting(_ push: Push) -> String? {
        let body = FCMMessage(push).json
        return body.utf8.count - push.token.utf8.count <= limit ? body : nil
    }
}

extension PushContent {
    /// The longest data field that can be left out.
    fileprivate var longestDatum: String? {
        data.filter { $0.key != "room_id" && $0.key != "type" && $0.value.utf8.count > body.utf8.count }
            .max { ($0.value.utf8.count, $0.key) < ($1.value.utf8.count, $1.key) }?.key
    }
}

extension String {
    /// The longest prefix of whole characters with at most this many bytes of UTF-8.
    fileprivate func prefix(bytes: Int) -> Substring {
        var end = startIndex
        var count = 0
        while end < endIndex {
            let next = index(after: end)
            count += self[end..<next].utf8.count
            guard count <= bytes else { break }
            end = next
        }
        return self[..<end]
    }
}
