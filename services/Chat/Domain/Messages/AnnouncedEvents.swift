import Contracts
import FoundationEssentials

/// Events of a room as text, for the replicas that are announced them. Fields are separated by U+0000, which no text in
/// PostgreSQL has.
enum AnnouncedEvents {
    static let separator: UInt8 = 0
    /// Longer ones are read from the tables, in bytes.
    private static let limit = 16 * 1024

    /// - Returns: nil when the events are too long.
    static func text(_ events: [RoomEvent]) -> String? {
        let size = events.map { $0.message.content.utf8.count + 64 * $0.message.files.count + 192 }.reduce(0, +)
        guard !events.isEmpty, size <= limit else { return nil }
        return events.flatMap(fields).joined(separator: "\0")
    }

    private static func fields(_ event: RoomEvent) -> [String] {
        let message = event.message
        return [
            ([event.kind.rawValue] + [event.trace].compactMap(\.self)).joined(separator: " "),
            "\(event.sequence)", time(event.at), "\(message.sequence)", "\(message.sender)", time(message.createdAt),
            message.editedAt.map(time) ?? "", message.deletedAt.map(time) ?? "",
            message.clientID.map { "=\($0)" } ?? "", message.content, "\(message.files.count)",
        ] + message.files
    }

    /// - Returns: No events when the text is malformed.
    static func events(_ text: Substring, in room: RoomID) -> [RoomEvent] {
        var fields = text.utf8.split(separator: separator, omittingEmptySubsequences: false).map { Substring($0) }[...]
        var events: [RoomEvent] = []
        while !fields.isEmpty {
            guard let event = event(&fields, in: room) else { return [] }
            events.append(event)
        }
        return events
    }

    private static func event(_ fields: inout ArraySlice<Substring>, in room: RoomID) -> RoomEvent? {
        let first = Array(fields.prefix(11))
        fields = fields.dropFirst(11)
        let words = (first.first ?? "").split(separator: " ", maxSplits: 1)
        guard first.count == 11, let kind = words.first.flatMap({ RoomEvent.Kind(rawValue: String($0)) }),
            let sequence = Int64(first[1]),
            let at = date(first[2]), let number = Int64(first[3]), let sender = AccountID(first[4]),
            let createdAt = date(first[5]), let count = Int(first[10]), (0...fields.count).contains(count)
        else { return nil }
        let message = Message(
            room: room,
            sequence: number,
            sender: sender,
            content: String(first[9]),
            files: fields.prefix(count).map(String.init),
            clientID: first[8].isEmpty ? nil : String(first[8].dropFirst()),
            createdAt: createdAt,
            editedAt: date(first[6]),
            deletedAt: date(first[7])
        )
        fields = fields.dropFirst(count)
        let trace = words.count == 2 ? String(words[1]) : nil
        return RoomEvent(sequence: sequence, kind: kind, at: at, message: message, trace: trace)
    }

    /// Microseconds, as PostgreSQL stores them.
    private static func time(_ date: Date) -> String {
        String(Int64((date.timeIntervalSince1970 * 1_000_000).rounded()))
    }

    private static func date(_ text: Substring) -> Date? {
        Int64(text).map { Date(timeIntervalSince1970: Double($0) / 1_000_000) }
    }
}
