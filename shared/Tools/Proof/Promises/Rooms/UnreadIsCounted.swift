import Contracts

/// A number of unread messages, on a list of rooms or on the icon of an app, is that of what a person has not read.
///
/// Assumes that `RoomHistory` has all reads of the room and its table at the end, and that each room has a badge of its own:
/// a person is in no other. Acts without an answer may have had their effect or not, and badges count other notices, too.
///
/// Checks that a list shows at least the messages that were acknowledged before and not read through any number that a
/// phone has named, and at most those that may have been sent and were not read; and that a push's badge is at least the
/// number of unread messages up to the latest of which the device was pushed.
package enum UnreadIsCounted {
    /// The maximum number of violations that are reported of a room, or of a device.
    private static let limit = 3

    package static func lists(_ rooms: [RoomHistory]) -> [Violation] {
        rooms.flatMap { room in
            var known: [AccountID: UnreadMessages] = [:]
            return room.unreadCounts.lazy.compactMap { count -> Violation? in
                let reader = count.attempt.account
                let unread = known[reader] ?? UnreadMessages(room, of: reader)
                known[reader] = unread
                return violation(count, unread, in: room)
            }.prefix(limit)
        }
    }

    private static func violation(
        _ count: UnreadCount,
        _ unread: UnreadMessages,
        in room: RoomHistory
    ) -> Violation? {
        guard count.attempt.outcome.isDone, let ended = count.attempt.ended else { return nil }
        let begun = count.attempt.begun
        let least = unread.least(acknowledgedBefore: begun, until: ended)
        let most = unread.most(readBefore: begun, until: ended)
        guard count.count < least || count.count > most else { return nil }
        let bound = count.count < least ? "at least \(least)" : "at most \(most)"
        return Violation(
            "\(count.attempt.phone) was shown \(count.count) unread messages of room \(room.room), of \(bound).",
            story: story(of: room, for: count.attempt.account, until: ended) + [count.step]
        )
    }

    /// - Parameter slack: Microseconds by which the time of an arrival may be wrong.
    package static func badges(
        _ history: PushHistory,
        _ rooms: [RoomHistory],
        slack: Int64 = 1_000_000
    ) -> [Violation] {
        let rooms = Dictionary(rooms.map { ($0.room, $0) }) { first, _ in first }
        let occasions = Dictionary(history.occasions.map { ($0.marker, $0) }) { first, _ in first }
        let owners = Dictionary(grouping: history.holdings, by: \.device)
        let devices = Dictionary(grouping: history.arrivals, by: \.device).sorted { $0.key < $1.key }
        return devices.flatMap { device, arrivals -> [Violation] in
            // A device that has changed its owner may have been pushed for either.
            guard let holdings = owners[device], let owner = holdings.first?.account, holdings.count == 1 else {
                return []
            }
            var (found, unread, last): ([Violation], [String: UnreadMessages], [String: Int64]) = ([], [:], [:])
            for arrival in arrivals.sorted(by: { $0.at < $1.at }) {
                guard let badge = arrival.badge, let thread = arrival.thread, let room = rooms[thread] else { continue }
                let messages = unread[thread] ?? UnreadMessages(room, of: owner)
                unread[thread] = messages
                let own = arrival.marker.flatMap { occasions[$0] }?.number ?? 0
                last[thread] = max(last[thread] ?? 0, own)
                let end = arrival.at.after(slack)
                let least = messages.least(through: last[thread] ?? 0, until: end)
                guard badge < least else { continue }
                found.append(
                    Violation(
                        "Device \(device) was pushed the badge \(badge), with at least \(least) unread messages.",
                        story: story(of: room, for: owner, until: end) + [arrival.step]
                    )
                )
            }
            return Array(found.prefix(limit))
        }
    }

    /// The latest messages to a person, and how far they were read.
    private static func story(of room: RoomHistory, for reader: AccountID, until end: Moment) -> [Step] {
        let reads = room.reads.filter { $0.attempt.account == reader && $0.attempt.begun < end }.suffix(3).map(\.step)
        return room.sends.filter { $0.attempt.account != reader && $0.attempt.begun < end }.suffix(12).map(\.step)
            + reads
    }
}
