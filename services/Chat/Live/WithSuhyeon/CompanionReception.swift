import FoundationEssentials
import NIOCore

/// What a socket of With Suhyeon receives: nothing beside a newer one, the messages of the room that its owner has joined, or else
/// the list of rooms when there is something new in it.
struct CompanionReception {
    /// No newer socket of the same person receives.
    var isReceiver = false
    /// It has not yet asked to receive.
    var isNew = true
    /// Where it stands is being looked up; what comes meanwhile waits.
    var isTurning = false
    /// Where it stands may have changed.
    var mustTurn = false
    /// News may have been missed.
    var mustLook = true
    /// Where the socket was last said to look: 0 for nowhere; nil while it does not receive.
    var room: Int64?
    /// The joined room.
    var watch: CompanionWatch?
    var news = CompanionNews()
}

/// A joined room: which of its messages are to be shown, and which the phone is known to have.
struct CompanionWatch {
    let view: RoomView
    var isSaving = false
    /// It is known from where on events are to be shown.
    private var isOpen = false
    /// Everything up to here has been shown.
    private(set) var through: Int64
    /// What has come and is not shown yet, and up to which number something has been noticed.
    private var heard: [RoomEvent] = []
    private var noticed: Int64 = 0
    /// Everything up to here has been written to the socket; the phone has everything up to `confirmed`, and that is noted up to
    /// `saved`.
    private(set) var written: Int64
    private(set) var confirmed: Int64
    private(set) var saved: Int64
    /// A ping that followed the frames up to a number: whatever the phone says after it tells that it has them.
    private var ping: (sentAt: NIODeadline, through: Int64)?

    init(_ view: RoomView, shownThrough: Int64) {
        self.view = view
        through = shownThrough
        written = shownThrough
        confirmed = shownThrough
        saved = shownThrough
    }

    var room: Room { view.room }

    // MARK: What is to be shown

    mutating func hear(_ event: RoomEvent) {
        heard.append(event)
    }

    mutating func notice(through sequence: Int64) {
        noticed = max(noticed, sequence)
    }

    /// What is to be shown now of what is heard.
    mutating func takeNoticed() -> [RoomEvent] {
        guard isOpen else { return [] }
        let count = heard.prefix { $0.sequence <= noticed }.count
        let events = heard.prefix(count).filter { $0.sequence > through }
        heard.removeFirst(count)
        through = max(through, events.last?.sequence ?? 0)
        return events
    }

    /// What is to be shown of what was missed, up to a number; what is heard counts from there.
    mutating func open(_ missed: [RoomEvent], through sequence: Int64) -> [RoomEvent] {
        isOpen = true
        through = max(sequence, through)
        return missed.filter { $0.sequence <= sequence }
    }

    // MARK: What the phone has

    /// An event has been told, or needed no telling.
    mutating func wrote(_ event: RoomEvent, isShown: Bool) {
        let isEverythingConfirmed = confirmed == written
        written = max(written, event.sequence)
        if !isShown, isEverythingConfirmed { confirmed = written }
    }

    /// Whether a ping is to be sent now.
    mutating func asks(at now: NIODeadline) -> Bool {
        guard ping == nil, confirmed < written else { return false }
        ping = (now, written)
        return true
    }

    /// Something has come from the phone.
    ///
    /// - Returns: whether more is known of what it has.
    mutating func heard(at moment: NIODeadline) -> Bool {
        guard let asked = ping, moment > asked.sentAt else { return false }
        confirmed = max(confirmed, asked.through)
        ping = nil
        return true
    }

    mutating func noted(through sequence: Int64) {
        saved = max(saved, sequence)
    }
}

/// Which rooms of somebody have something that their list does not show yet.
struct CompanionNews {
    /// Rooms in which something has happened, and up to which number.
    private(set) var heard: [Int64: Int64] = [:]
    /// Up to which number the phone may know of a room.
    private var seen: [Int64: Int64] = [:]
    /// A list is being made.
    var isListing = false
    /// Not before then.
    var nextAt = ContinuousClock.now

    mutating func hear(_ room: Int64, through: Int64) {
        guard through > seen[room] ?? 0 else { return }
        heard[room] = max(heard[room] ?? 0, through)
    }

    mutating func see(_ room: Int64, through: Int64) {
        seen[room] = max(seen[room] ?? 0, through)
        if let last = heard[room], last <= through { heard[room] = nil }
    }

    /// What has happened in rooms, and up to which number the phone knew of them when it connected.
    mutating func compare(_ standings: [(room: Int64, last: Int64, before: Int64)]) {
        for (room, last, before) in standings {
            if seen[room] == nil { seen[room] = before }
            hear(room, through: last)
        }
    }

    /// The rooms of interest, and after which numbers they are.
    var questions: [(room: Int64, after: Int64)] {
        heard.keys.map { ($0, seen[$0] ?? 0) }
    }

    mutating func forget() {
        heard = [:]
    }
}
