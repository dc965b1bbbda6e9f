import FoundationEssentials

/// How somebody stands to a room of chat: what they have not read, and what they were told of it lately.
///
/// The first message is told of at once. What follows within the window is told of together, when the window ends, and
/// begins another one; after a quiet window the next message is a first one again (Anlaka contract 4.10).
struct Conversation: Sendable, Equatable {
    /// Seconds.
    static let window: TimeInterval = 3

    var account: Int64
    var room: String
    var unread = 0
    /// They have read everything up to this number.
    var readThrough: Int64 = 0
    /// The number of the first message of those that are told of together.
    private(set) var firstSequence: Int64 = 0
    /// How many they are.
    private(set) var count = 0
    private(set) var windowEnds = Date.distantPast
    /// When what has come since the last push is told of; nil when nothing has.
    private(set) var toldAt: Date?

    init(account: Int64, room: String) {
        self.account = account
        self.room = room
    }

    init(
        account: Int64,
        room: String,
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

    /// How a message is told of.
    enum Telling: Sendable, Equatable {
        /// They have read it.
        case not
        /// At once, as it is.
        case atOnce
        /// With what came before it, `count` together.
        case together(count: Int, at: Date)
    }

    /// Takes in a message of the other.
    ///
    /// The window is measured between messages as they were written, however late they are heard of: what a busy service
    /// hands over in pieces is told of as it was written.
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

    /// They have read everything up to a number: nothing of it is told of any more.
    mutating func read(through sequence: Int64) {
        guard sequence >= readThrough else { return }
        readThrough = sequence
        unread = 0
        windowEnds = .distantPast
        toldAt = nil
    }
}
