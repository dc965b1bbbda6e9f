extension FCMMessage {
    /// Bytes that FCM takes of a message. All of the JSON but the token is counted here, so never too few.
    static let limit = 4096

    /// The message as JSON, no longer than FCM takes: what the app reads beside the texts is left out if it is longer than the
    /// text, but for what names the room and the kind; then as much of the text is shown as there is room for.
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

    /// nil when it is too long.
    private static func fitting(_ push: Push) -> String? {
        let body = FCMMessage(push).json
        return body.utf8.count - push.token.utf8.count <= limit ? body : nil
    }
}

extension PushContent {
    /// What may be left out, if it is longer than the text.
    fileprivate var longestDatum: String? {
        data.filter { $0.key != "room_id" && $0.key != "type" && $0.value.utf8.count > body.utf8.count }
            .max { ($0.value.utf8.count, $0.key) < ($1.value.utf8.count, $1.key) }?.key
    }
}

extension String {
    /// As many whole characters from the beginning as have so many bytes.
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
