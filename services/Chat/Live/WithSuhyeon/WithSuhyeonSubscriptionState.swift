import FoundationEssentials
import NIOCore

/// What a With Suhyeon socket receives: nothing if the account has a newer socket; otherwise the messages of the joined
/// room, or without one the list of rooms when it changes.
struct WithSuhyeonSubscriptionState {
    /// This is the account's active socket.
    var isReceiver = false
    /// The socket has not been claimed yet.
    var isNew = true
    /// The state is being read; deliveries wait.
    var isTurning = false
    /// The state may have changed.
    var mustTurn = false
    /// Notifications may have been missed.
    var mustLook = true
    /// The room of the last recorded presence: 0 for none; nil while the socket is not active.
    var room: Int64?
    /// The joined room.
    var watch: WithSuhyeonRoomSubscription?
    var news = WithSuhyeonUnreadTracker()
}

/// A joined room: which messages are to be shown, and which the client has confirmed.
struct WithSuhyeonRoomSubscription {
    let view: RoomView
    var isSaving = false
    /// The number from which events are shown is known.
    private var isOpen = false
    /// Events up to this number have been shown.
    private(set) var through: Int64
    /// Events delivered by the feed and not shown yet, and the highest number announced.
    private var heard: [RoomEvent] = []
    private var noticed: Int64 = 0
    /// Numbers up to which events were written to the socket, confirmed by the client, and recorded in the database.
    private(set) var written: Int64
    private(set) var confirmed: Int64
    private(set) var saved: Int64
    /// An outstanding ping, sent after the frames up to a number: data that the client sends later confirms them.
    private var ping: (sentAt: NIODeadline, through: Int64)?

    init(_ view: RoomView, shownThrough: Int64) {
        self.view = view
        through = shownThrough
        written = shownThrough
        confirmed = shownThrough
        saved = shownThrough
    }

    var room: Room { view.room }

    // MARK: Delivery

    mutating func hear(_ event: RoomEvent) {
        heard.append(event)
    }

    mutating func notice(through sequence: Int64) {
        noticed = max(noticed, sequence)
    }

    /// Removes and returns the events that can be shown now.
    mutating func takeNoticed() -> [RoomEvent] {
        guard isOpen else { return [] }
        let count = heard.prefix { $0.sequence <= noticed }.count
        let events = heard.prefix(count).filter { $0.sequence > through }
        heard.removeFirst(count)
        through = max(through, events.last?.sequence ?? 0)
        return events
    }

    /// Starts delivery: returns the missed events to be shown, up to a number. Events from the feed follow after it.
    mutating func open(_ missed: [RoomEvent], through sequence: Int64) -> [RoomEvent] {
        isOpen = true
        through = max(sequence, through)
        return missed.filter { $0.sequence <= sequence }
    }

    // MARK: Confirmation

    /// Records that an event was sent, or did not need to be.
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

    /// Handles data from the client.
    ///
    /// - Returns: Whether more events are confirmed.
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

/// The rooms of an account with events that its list does not show yet.
struct WithSuhyeonUnreadTracker {
    /// Rooms with events, and their highest number.
    private(set) var heard: [Int64: Int64] = [:]
    /// The highest number of each room that the client may know.
    private var seen: [Int64: Int64] = [:]
    /// A list is being prepared.
    var isListing = false
    /// Earliest time of the next list.
    var nextAt = ContinuousClock.now

    mutating func hear(_ room: Int64, through: Int64) {
        guard through > seen[room] ?? 0 else { return }
        heard[room] = max(heard[room] ?? 0, through)
    }

    mutating func see(_ room: Int64, through: Int64) {
        seen[room] = max(seen[room] ?? 0, through)
        if let last = heard[room], last <= through { heard[room] = nil }
    }

    /// Adds the current state of the rooms, and the numbers that the client knew when it connected.
    mutating func compare(_ standings: [(room: Int64, last: Int64, before: Int64)]) {
        for (room, last, before) in standings {
            if seen[room] == nil { seen[room] = before }
            hear(room, through: last)
        }
    }

    /// The rooms to check, and the number after which new messages count.
    var questions: [(room: Int64, after: Int64)] {
        heard.keys.map { ($0, seen[$0] ?? 0) }
    }

    mutating func forget() {
        heard = [:]
    }
}
