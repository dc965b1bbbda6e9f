/// The destinations of the stream. The ID of a room is the app's: for With Suhyeon the client's own ID of the room.
enum StreamDestination: Sendable, Equatable {
    /// `/topic/rooms.{id}`, for SUBSCRIBE.
    case room(String)
    /// `/app/rooms.{id}`, for messages by SEND.
    case messages(String)
    /// `/app/rooms.{id}/typing`
    case typing(String)
    /// `/app/rooms.{id}/read`
    case read(String)

    init?(_ text: String) {
        if let room = Self.rest(of: text, after: "/topic/rooms.") {
            self = .room(room)
        } else if let rest = Self.rest(of: text, after: "/app/rooms.") {
            let parts = rest.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            switch (parts.count, parts.last) {
            case (1, _): self = .messages(rest)
            case (2, "typing"): self = .typing(parts[0])
            case (2, "read"): self = .read(parts[0])
            default: return nil
            }
        } else {
            return nil
        }
    }

    private static func rest(of text: String, after prefix: String) -> String? {
        text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : nil
    }
}
