import Contracts
import FoundationEssentials

/// The state of one recipient in a chat room: unread messages and recent pushes.
///
/// What is unread follows from the numbers of the messages that were written, read and taken back, in whatever order and
/// however often the events arrive.
///
/// The first message is pushed at once. Messages within the window after it are grouped into one push at its end, which
/// begins the next window; after a window without messages the next one is a first message again (Anlaka contract
/// 4.10).
struct Conversation: Sendable, Equatable {
    /// Seconds.
    static let window: TimeInterval = 3
    /// Maximum number of ranges of unread messages. When there are more, the oldest count as read: chat's lists show no
    /// more than as many unread messages.
    static let rangeLimit = 1000

    var account: AccountID
    var room: PublicID
    /// The recipient has read up to this number.
    private(set) var readThrough: Int64 = 0
    private(set) var unread = MessageNumbers()
    /// Messages after `readThrough` that were taken back.
    private(set) var takenBack = MessageNumbers()
    /// Number of the first message in the current group.
    private(set) var firstSequence: Int64 = 0
    private(set) var windowEnds = Date.distantPast
    /// Time of the pending grouped push; nil when there is none.
    private(set) var pushDueAt: Date?

    init(account: AccountID, room: PublicID) {
        self.account = account
        self.room = room
    }

    /// - Parameters:
    ///   - unreadCount: An older replica stores this number alone, so that the numbers of the messages may differ from
    ///     it. The last messages of the group are then taken for the unread ones, until the room is read.
    ///   - count: Number of messages in the current group.
    init(
        account: AccountID,
        room: PublicID,
        unreadCount: Int,
        unread: MessageNumbers,
        takenBack: MessageNumbers,
        readThrough: Int64,
        firstSequence: Int64,
        count: Int,
        windowEnds: Date,
        pushDueAt: Date?
    ) {
        self.init(account: account, room: room)
        self.unread = unread
        self.takenBack = takenBack
        self.readThrough = readThrough
        self.firstSequence = firstSequence
        self.windowEnds = windowEnds
        self.pushDueAt = pushDueAt
        self.unread.remove(through: readThrough)
        if self.unread.count != unreadCount {
            let last = firstSequence + Int64(count) - 1
            let first = max(last - Int64(unreadCount), readThrough) + 1
            self.unread = first <= last ? MessageNumbers(bounds: [first, last]) : MessageNumbers()
        }
    }

    /// How a message is pushed.
    enum Telling: Sendable, Equatable {
        /// Not at all: the recipient has read it, its sender has taken it back, or it was received before.
        case not
        /// At once, with its own text.
        case atOnce
        /// Grouped with the messages before it, at this time.
        case together(at: Date)
    }

    /// Number of unread messages in the current group.
    var groupCount: Int { unread.count(in: firstSequence...Int64.max) }

    /// Adds a message of the other member.
    ///
    /// The window is measured by when messages were written, not received: a delayed delivery of events groups them in
    /// the same way.
    mutating func receive(_ sequence: Int64, writtenAt: Date, at now: Date) -> Telling {
        guard add(sequence) else { return .not }
        // A message that arrives after later ones.
        guard sequence > firstSequence else { return .atOnce }
        guard min(writtenAt, now) < windowEnds else {
            firstSequence = sequence
            windowEnds = min(writtenAt, now) + Self.window
            pushDueAt = nil
            return .atOnce
        }
        let at = pushDueAt.map { $0 > now ? $0 : max(windowEnds, now) } ?? max(windowEnds, now)
        pushDueAt = at
        windowEnds = at + Self.window
        return .together(at: at)
    }

    /// Adds a message that the recipient sees without having read it, which ends the current group.
    mutating func see(_ sequence: Int64) {
        guard add(sequence) else { return }
        endGroup()
    }

    /// Marks messages as read up to a number.
    mutating func read(through sequence: Int64) {
        guard sequence > readThrough else { return }
        readThrough = sequence
        unread.remove(through: sequence)
        takenBack.remove(through: sequence)
        if groupCount == 0 { endGroup() }
    }

    /// Removes a message that its sender has taken back.
    mutating func takeBack(_ sequence: Int64) {
        guard sequence > readThrough else { return }
        unread.remove(sequence)
        takenBack.insert(sequence)
        _ = takenBack.keepLast(Self.rangeLimit)
        if groupCount == 0 { endGroup() }
    }

    /// The number of messages of which a push is to tell; 0 when it is not to be sent.
    ///
    /// - Parameter seen: The recipient has seen the messages up to this number.
    func count(of messages: PushedMessages, after seen: Int64) -> Int {
        let first = max(messages.first, seen + 1)
        guard first <= messages.last, unread.count(in: first...messages.last) > 0 else { return 0 }
        return unread.count(in: messages.groupStart...messages.last)
    }

    /// - Returns: Whether the message is unread and new.
    private mutating func add(_ sequence: Int64) -> Bool {
        guard sequence > readThrough, !takenBack.contains(sequence), !unread.contains(sequence) else { return false }
        unread.insert(sequence)
        if let forgotten = unread.keepLast(Self.rangeLimit) { read(through: forgotten) }
        return sequence > readThrough
    }

    private mutating func endGroup() {
        windowEnds = .distantPast
        pushDueAt = nil
    }
}
