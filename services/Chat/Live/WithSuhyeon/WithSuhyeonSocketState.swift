import Contracts
import NIOCore

/// What a With Suhyeon socket receives (contract 2.3, 2.4), without I/O and clock: nothing if the account has a newer
/// socket; otherwise the messages of the joined room, or without one the list of rooms when it changes.
///
/// `WithSuhyeonSession` passes in all events and executes the returned actions. The database holds the assignment for
/// all replicas; it is read again whenever it may have changed, and nothing is delivered meanwhile. Events of rooms are
/// announced by notifications and then read, so a missed notification only delays them. Notifications of one replica
/// arrive in commit order: a message that it writes after the account has left the room is not sent. One of another
/// replica can be sent as late as one that was on its way.
struct WithSuhyeonSocketState {
    private enum Phase {
        /// Another socket of the account is active, or this one is not registered yet.
        case superseded
        /// The socket has shown this room at another copy of the service, and is not registered here yet.
        case arriving(RoomID, DeliveryCursor)
        /// The account has joined no room.
        case listing
        case inRoom(RoomSubscription)
        case closed
    }

    /// The reading of the assignment.
    private enum Lookup {
        case idle
        case running
        /// The assignment may have changed since it was read.
        case outdated
    }

    /// The sending of the list of rooms.
    private enum ListUpdate {
        case idle
        /// The list is being read. The numbers are those of the last events of rooms.
        case reading([RoomID: Int64])
        /// A list was sent less than `listPause` ago.
        case pausing
    }

    private var phase = Phase.superseded
    private var lookup = Lookup.idle
    private var list = ListUpdate.idle
    private var unread = UnreadTracker()
    /// Notifications may have been missed.
    private var mustResync = true
    private var hasClaimed = false

    /// The pause between two lists (contract 2.3, rule 3).
    static let listPause = TimeAmount.milliseconds(300)

    /// Whether this is the account's active socket.
    var isActive: Bool {
        switch phase {
        case .listing, .inRoom: true
        case .superseded, .arriving, .closed: false
        }
    }

    init() {}

    // MARK: Moving between copies of the service

    /// What another copy needs to continue a socket. It reads everything else again.
    struct Snapshot: Codable, Equatable {
        var hasClaimed: Bool
        /// The room that the socket shows; nil for none.
        var room: RoomID?
        var cursor: DeliveryCursor?
        var unread: UnreadTracker

        /// Whether a socket can have this state.
        var isValid: Bool {
            guard let cursor else { return room == nil }
            return room != nil && (0...max(cursor.delivered, 0)).contains(cursor.acknowledged)
        }
    }

    /// A socket that comes from another copy. It sends nothing before `resumed`.
    init(resuming snapshot: Snapshot) {
        hasClaimed = snapshot.hasClaimed
        unread = snapshot.unread
        if let room = snapshot.room, let cursor = snapshot.cursor { phase = .arriving(room, cursor) }
    }

    /// Ends the socket here, without releasing the account.
    ///
    /// - Returns: nil when it has ended before.
    mutating func suspend() -> Snapshot? {
        var snapshot = Snapshot(hasClaimed: hasClaimed, unread: unread)
        switch phase {
        case .superseded, .listing: break
        case .arriving(let room, let cursor): (snapshot.room, snapshot.cursor) = (room, cursor)
        case .inRoom(let shown): (snapshot.room, snapshot.cursor) = (shown.room, shown.cursor)
        case .closed: return nil
        }
        phase = .closed
        return snapshot
    }

    // MARK: Events

    mutating func handle(_ event: Event) -> [Action] {
        apply(event) + deliver()
    }

    private mutating func apply(_ event: Event) -> [Action] {
        switch (phase, event) {
        case (.closed, _):
            return []
        case (_, .opened):
            lookup = .running
            return [.claim]
        case (_, .resumed):
            lookup = .running
            // The other copy may have sent a list a moment ago.
            list = .pausing
            return [.pauseList(Self.listPause)] + (hasClaimed ? readAssignment() : [.claim])
        case (_, .claimed):
            hasClaimed = true
            return readAssignment()
        case (_, .assignmentChanged):
            return reconcile()
        case (_, .notificationsMissed):
            mustResync = true
            return reconcile()
        case (_, .assigned(let assignment, let rooms)):
            unread.reconcile(with: rooms)
            return assign(assignment)
        case (_, .announced(let room, let through)):
            if isActive || lookup != .idle { unread.announce(room, through: through) }
            return []
        case (.inRoom(var subscription), .eventsRead(let range, let events)):
            defer { phase = .inRoom(subscription) }
            // During a lookup the account may have left the room: the events are read again after it.
            guard subscription.endReading(range), lookup == .idle else { return [] }
            unread.markKnown(range.room, through: range.through)
            return subscription.deliver(events, through: range.through)
        case (.inRoom(var subscription), .pongReceived(let shown)):
            defer { phase = .inRoom(subscription) }
            return subscription.acknowledge(shown)
        case (.inRoom(var subscription), .recorded(let shown)) where shown.room == subscription.room:
            defer { phase = .inRoom(subscription) }
            return subscription.recorded()
        case (_, .eventsRead), (_, .pongReceived), (_, .recorded):
            return []
        case (_, .listRead(let list)):
            return send(list)
        case (_, .listPauseEnded):
            list = .idle
            return []
        case (_, .sessionEnded):
            return [.close] + release(leavesRoom: true)
        case (_, .closed(let isNormal)):
            return release(leavesRoom: isNormal)
        }
    }

    // MARK: Assignment

    private mutating func reconcile() -> [Action] {
        guard lookup == .idle else {
            lookup = .outdated
            return []
        }
        return readAssignment()
    }

    private mutating func readAssignment() -> [Action] {
        lookup = .running
        defer { mustResync = false }
        return [.readAssignment(showing: shown, resync: mustResync)]
    }

    private mutating func assign(_ assignment: RoomMembership.Assignment) -> [Action] {
        var actions: [Action] = []
        switch assignment {
        case .superseded:
            phase = .superseded
            unread.clear()
        case .noRoom:
            phase = .listing
        case .room(let view, let after, let through):
            var subscription = RoomSubscription(view, at: cursor(in: view.room.id) ?? DeliveryCursor(at: after))
            unread.enter(view.room.id, after: subscription.cursor.delivered, through: through)
            actions = subscription.ping()
            phase = .inRoom(subscription)
        case .unchanged:
            break
        }
        if lookup == .outdated { return actions + readAssignment() }
        lookup = .idle
        return actions
    }

    /// How far the client has received a room that the socket shows.
    private func cursor(in room: RoomID) -> DeliveryCursor? {
        switch phase {
        case .inRoom(let shown) where shown.room == room: shown.cursor
        case .arriving(room, let cursor): cursor
        case .superseded, .arriving, .listing, .inRoom, .closed: nil
        }
    }

    private mutating func release(leavesRoom: Bool) -> [Action] {
        defer { phase = .closed }
        return [.release(shown: shown, leavesRoom: leavesRoom)]
    }

    /// The room, 0 for none, and its last event that the client has received; nil when the socket is not active.
    private var shown: RoomPosition? {
        switch phase {
        case .arriving(let room, let cursor): RoomPosition(room: room, sequence: cursor.acknowledged)
        case .inRoom(let shown): RoomPosition(room: shown.room, sequence: shown.cursor.acknowledged)
        case .listing: RoomPosition(room: .noRoom, sequence: 0)
        case .superseded, .closed: nil
        }
    }

    // MARK: Delivery

    /// Reads what was announced and is not known to the client.
    private mutating func deliver() -> [Action] {
        guard lookup == .idle, !unread.latest.isEmpty else { return [] }
        switch (phase, list) {
        case (.inRoom(var subscription), _):
            defer { phase = .inRoom(subscription) }
            return unread.latest[subscription.room].map { subscription.read(through: $0) } ?? []
        case (.listing, .idle):
            list = .reading(unread.latest)
            return [.readList(after: unread.lastKnown)]
        case (.listing, _), (.superseded, _), (.arriving, _), (.closed, _):
            return []
        }
    }

    /// Sends the list, unless a room was joined meanwhile: the app would stop to show its new messages.
    ///
    /// - Parameter read: nil when there are only the account's own messages, or edits and deletions.
    private mutating func send(_ read: RoomList?) -> [Action] {
        guard case .reading(let latest) = list else { return [] }
        list = .idle
        let isWanted = if case .listing = phase { lookup == .idle } else { false }
        guard isWanted || read == nil else { return [] }
        for (room, last) in latest { unread.markKnown(room, through: last) }
        guard let read else { return [] }
        for shown in read.shown { unread.markKnown(shown.room, through: shown.sequence) }
        list = .pausing
        return [.sendList(read.frame), .pauseList(Self.listPause)]
    }
}
