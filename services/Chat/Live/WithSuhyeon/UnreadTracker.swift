import Contracts

/// The rooms of an account with events that its client does not know yet.
struct UnreadTracker: Codable, Equatable {
    /// For each such room, the number of the last event.
    private(set) var latest: [RoomID: Int64] = [:]
    /// For each room, the number up to which the client may know the events.
    private var known: [RoomID: Int64] = [:]

    /// Handles the notification of new events.
    mutating func announce(_ room: RoomID, through sequence: Int64) {
        guard sequence > known[room] ?? 0 else { return }
        latest[room] = max(latest[room] ?? 0, sequence)
    }

    /// Shows a room whose client has received the events up to `sequence`, and may know later ones from the list only.
    mutating func enter(_ room: RoomID, after sequence: Int64, through last: Int64) {
        known[room] = sequence
        if let announced = latest[room], announced <= sequence { latest[room] = nil }
        announce(room, through: last)
    }

    mutating func markKnown(_ room: RoomID, through sequence: Int64) {
        known[room] = max(known[room] ?? 0, sequence)
        if let last = latest[room], last <= sequence { latest[room] = nil }
    }

    /// Adds the current state of the rooms. The client knows the messages from before it connected.
    mutating func reconcile(with rooms: [RoomProgress]) {
        for room in rooms {
            if known[room.room] == nil { known[room.room] = room.before }
            announce(room.room, through: room.last)
        }
    }

    /// For each room with unknown events, the number of the last known one.
    var lastKnown: [RoomID: Int64] {
        Dictionary(uniqueKeysWithValues: latest.keys.map { ($0, known[$0] ?? 0) })
    }

    mutating func clear() {
        latest = [:]
    }
}
