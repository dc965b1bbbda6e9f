import Contracts

/// What is unread of a room for one of its two people, as far as phones know.
struct UnreadMessages {
    private struct Message {
        var number: Int64
        /// nil for a deleted message without a known text.
        var send: MessageSend?
        var isThere: Bool
    }

    private let messages: [Message]
    private let reads: [RoomRead]

    /// The highest number that is counted.
    static let limit: Int64 = 1000

    /// - Parameter reader: One of the two people.
    init(_ room: RoomHistory, of reader: AccountID) {
        let byMarker = Dictionary(room.sends.map { ($0.marker, $0) }) { first, _ in first }
        let byNumber = Dictionary(room.sends.compactMap { send in send.number.map { ($0, send) } }) { first, _ in first
        }
        messages = room.table.filter { $0.kind == .sent }.compactMap { row in
            let send = row.marker.flatMap { byMarker[$0] } ?? byNumber[row.number]
            guard send?.attempt.account != reader else { return nil }
            return Message(number: row.number, send: send, isThere: row.marker != nil)
        }
        reads = room.reads.filter { $0.attempt.account == reader && !$0.attempt.outcome.isRefused }
    }

    /// The messages that are unread for sure: they were acknowledged before, and not read until then. Those that are
    /// deleted at the end may have been so before.
    func least(acknowledgedBefore begun: Moment, until ended: Moment) -> Int64 {
        least(readUntil: ended) { send in
            guard send.attempt.outcome.isDone, let answered = send.attempt.ended else { return false }
            return answered < begun
        }
    }

    /// The messages up to a number that are unread for sure.
    func least(through number: Int64, until ended: Moment) -> Int64 {
        let read = read(until: ended)
        return min(
            Int64(messages.count { $0.isThere && $0.send != nil && $0.number > read && $0.number <= number }),
            Self.limit
        )
    }

    private func least(readUntil ended: Moment, _ isKnown: (MessageSend) -> Bool) -> Int64 {
        let read = read(until: ended)
        let count = messages.count { message in
            message.isThere && message.number > read && message.send.map(isKnown) == true
        }
        return min(Int64(count), Self.limit)
    }

    /// The messages that may be unread: all of the other person that may have been sent until then, except for those that
    /// were read before, as the answer said.
    func most(readBefore begun: Moment, until ended: Moment) -> Int64 {
        let known = reads.filter { $0.attempt.outcome.isDone && ($0.attempt.ended ?? ended) < begun }
        let read = known.map(\.through).max() ?? 0
        return Int64(messages.count { $0.number > read && $0.send.map { $0.attempt.begun < ended } ?? true })
    }

    /// The highest number that may have been read.
    private func read(until ended: Moment) -> Int64 {
        reads.filter { $0.attempt.begun < ended }.map(\.through).max() ?? 0
    }
}
