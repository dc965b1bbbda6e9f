import Contracts
import FoundationEssentials

/// The state of one recipient in a chat room: unread messages and recent pushes.
///
/// The first message is pushed at once. Messages within the window after it are grouped into one push at its end, which
/// begins the next window; after a window without messages the next one is a first message again (Anlaka contract
/// 4.10).
struct Conversation: Sendable, Equatable {
    /// Seconds.
    static let window: TimeInterval = 3

    var account: AccountID
    var room: PublicID
    var unread = 0
    /// The recipient has read up to this number.
    var readThrough: Int64 = 0
    /// Number of the first message in the current group.
    private(set) var firstSequence: Int64 = 0
    /// Number of messages in the current group.
    private(set) var count = 0
    private(set) var windowEnds = Date.distantPast
    /// Time of the pending grouped push; nil when there is none.
    private(set) var toldAt: Date?

    init(account: AccountID, room: PublicID) {
        self.account = account
        self.room = room
    }

    init(
        account: AccountID,
        room: PublicID,
        unread: Int,
        readThrough: Int64,
        firstSequence: Int64,
        count: Int,
        windowEnds: Date,
        toldAt: Date?
    ) {
        self.init(account: account, room: room)
        self.unread = unread
        self.readThrough = readThrough
        self.firstSequence = firstSequence
        self.count = count
        self.windowEnds = windowEnds
        self.toldAt = toldAt
    }

    /// How a message is pushed.
    enum Telling: Sendable, Equatable {
        /// Not at all: the recipient has read it.
        case not
        /// At once, with its own text.
        case atOnce
        /// Grouped with the messages before it, `count` in total.
        case together(count: Int, at: Date)
    }

    /// Adds a message of the other member.
    ///
    /// The window is measured by when messages were written, not received: a delayed delivery of events groups them in
    /// the same way.
    mutating func receive(_ sequence: Int64, writtenAt: Date, at now: Date) -> Telling {
        guard sequence > readThrough else { return .not }
        unread += 1
        guard min(writtenAt, now) < windowEnds else {
            firstSequence = sequence
            count = 1
            windowEnds = min(writtenAt, now) + Self.window
            toldAt = nil
            return .atOnce
        }
        count += 1
        let at = toldAt.map { $0 > now ? $0 : max(windowEnds, now) } ?? max(windowEnds, now)
        toldAt = at
        windowEnds = at + Self.window
        return .together(count: count, at: at)
    }

    /// Marks messages as read up to a number, which ends the current group.
    mutating func read(through sequence: Int64) {
        guard sequence >= readThrough else { return }
        readThrough = sequence
        unread = 0
        windowEnds = .distantPast
        toldAt = nil
    }
}
