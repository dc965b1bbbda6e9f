import Contracts
import TestKit

@testable import Chat

/// The database: the events of one room, and the account's active socket and joined room, with the statements of
/// `RoomMembershipStore`. Each method is a transaction.
struct SimulatedRooms: Sendable {
    struct Claim: Sendable, Equatable {
        var socket: Int
        var copy: Int
        /// The number of crashes of the copy.
        var life: Int
    }

    static let room: RoomID = 5
    /// Milliseconds for which an account stays in its room without a socket.
    private static let grace: Int64 = 30_000

    private(set) var events: [RoomEvent] = []
    /// For each event, the instant at which it was written.
    private var instants: [Int64] = []
    private(set) var active: Claim?
    private(set) var isJoined = false
    private(set) var shown: Int64 = 0
    /// When the account last had a socket; nil while it has one.
    private var seenAt: Int64? = -.max / 2

    var last: Int64 { Int64(events.count) }

    /// The numbers of the other member's messages after a number.
    func peersMessages(after number: Int64) -> [Int64] {
        events[Int(number)...].filter { $0.message.sender == 9 }.map(\.sequence)
    }

    mutating func write(by sender: AccountID, at now: Int64) {
        events.append(SocketStateDriver.event(last + 1, by: sender))
        instants.append(now)
    }

    func read(_ range: EventRange) -> (EventRange, [RoomEvent]) {
        // A page has at most three events.
        let page = EventRange(room: range.room, after: range.after, through: min(range.through, range.after + 3))
        return (page, Array(events[Int(page.after)..<Int(page.through)]))
    }

    mutating func join(at now: Int64) {
        (isJoined, shown) = (true, last)
        seenAt = seenAt.map { max($0, now) }
    }

    mutating func exit() { isJoined = false }

    mutating func claim(_ claim: Claim, at now: Int64) {
        keepRoom(at: now)
        (active, seenAt) = (claim, nil)
    }

    /// Whether the socket is the active one, or becomes it because there is none.
    mutating func reclaim(_ claim: Claim, at now: Int64) -> Bool {
        guard active == claim || active == nil || seenAt.map({ $0 < now - Self.grace / 2 }) ?? false else {
            return false
        }
        keepRoom(at: now)
        (active, seenAt) = (claim, nil)
        return true
    }

    private mutating func keepRoom(at now: Int64) {
        if let seenAt, seenAt <= now - Self.grace { isJoined = false }
    }

    mutating func recordShown(_ number: Int64, by claim: Claim) {
        guard active == claim, isJoined else { return }
        shown = max(shown, number)
    }

    /// - Returns: Whether it was the active socket.
    mutating func release(_ claim: Claim, shown number: Int64?, at now: Int64) -> Bool {
        if let number { recordShown(number, by: claim) }
        guard active == claim else { return false }
        (active, seenAt) = (nil, now)
        return true
    }

    /// Releases the sockets of a copy that has crashed.
    mutating func release(copy: Int, life: Int, at now: Int64) -> Bool {
        guard let active, active.copy == copy, active.life == life else { return false }
        (self.active, seenAt) = (nil, now)
        return true
    }

    func progress(since moment: Int64) -> [RoomProgress] {
        let before = instants.lastIndex { $0 < moment }.map { Int64($0) + 1 } ?? 0
        return [RoomProgress(room: Self.room, last: last, before: before)]
    }
}
