import TestKit

/// The phone: what it has shown of the other member's messages.
struct SimulatedPhone: Sendable {
    /// The number of the connection, and the copy that it leads to; nil without one.
    var connection: (number: Int, copy: Int)?
    /// The number of the last connection.
    var lastConnection = 0
    private(set) var isConnected = false
    /// The room is open, and messages up to this number were there when it was joined; nil for no room.
    private(set) var openedAt: Int64?
    /// The last message that was shown.
    private(set) var shown: Int64 = 0
    /// The last message on this connection.
    private var lastOnConnection: Int64 = 0

    mutating func connect(to copy: Int) -> Int {
        lastConnection += 1
        connection = (lastConnection, copy)
        (isConnected, lastOnConnection) = (false, 0)
        return lastConnection
    }

    mutating func connected(_ number: Int) {
        if connection?.number == number { isConnected = true }
    }

    mutating func disconnect() {
        (connection, isConnected) = (nil, false)
    }

    mutating func open(at number: Int64) {
        (openedAt, shown) = (number, number)
    }

    mutating func leave() { openedAt = nil }

    /// Shows messages.
    ///
    /// - Parameter rooms: What has been written.
    mutating func show(_ numbers: [Int64], _ rooms: SimulatedRooms) -> BrokenPromise? {
        guard openedAt != nil else { return nil }
        for number in numbers {
            guard number > lastOnConnection else {
                return BrokenPromise("a connection carries each message once, in order", "\(number) comes again")
            }
            lastOnConnection = number
            guard number > shown else { continue }
            guard rooms.peersMessages(after: shown).first == number else {
                return BrokenPromise("no message is missing", "\(number) comes after \(shown)")
            }
            shown = number
        }
        return nil
    }

    /// When nothing has happened for a while.
    func missing(_ rooms: SimulatedRooms) -> BrokenPromise? {
        guard openedAt != nil, rooms.isJoined, let number = rooms.peersMessages(after: shown).first else { return nil }
        return BrokenPromise("every message arrives", "\(number) has not come after \(shown)")
    }
}
