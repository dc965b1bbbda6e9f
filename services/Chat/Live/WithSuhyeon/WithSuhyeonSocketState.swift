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

    /// The pause between two lists (contract 2.3, rule 3).
    static let listPause = TimeAmount.milliseconds(300)

    /// Whether this is the account's active socket.
    var isActive: Bool {
        switch phase {
        case .listing, .inRoom: true
        case .superseded, .closed: false
        }
    }

    mutating func handle(_ event: Event, at now: NIODeadline) -> [Action] {
        apply(event, at: now) + deliver()
    }

    private mutating func apply(_ event: Event, at now: NIODeadline) -> [Action] {
        switch (phase, event) {
        case (.closed, _):
            return []
        case (_, .opened):
            lookup = .running
            return [.claim]
        case (_, .claimed):
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
            return subscription.deliver(events, through: range.through, at: now)
        case (.inRoom(var subscription), .dataReceived(let moment)):
            defer { phase = .inRoom(subscription) }
            return subscription.acknowledge(at: moment)
        case (.inRoom(var subscription), .recorded(let shown)) where shown.room == subscription.room:
            defer { phase = .inRoom(subscription) }
            return subscription.recorded(at: now)
        case (_, .eventsRead), (_, .dataReceived), (_, .recorded):
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
        switch assignment {
        case .superseded:
            phase = .superseded
            unread.clear()
        case .noRoom:
            phase = .listing
        case .room(let view, let after, let through):
            var cursor = DeliveryCursor(at: after)
            if case .inRoom(let current) = phase, current.room == view.room.id { cursor = current.cursor }
            phase = .inRoom(RoomSubscription(view, at: cursor))
            unread.enter(view.room.id, after: cursor.delivered, through: through)
        case .unchanged:
            break
        }
        if lookup == .outdated { return readAssignment() }
        lookup = .idle
        return []
    }

    private mutating func release(leavesRoom: Bool) -> [Action] {
        defer { phase = .closed }
        return [.release(shown: shown, leavesRoom: leavesRoom)]
    }

    /// The room, 0 for none, and its last event that the client has received; nil when the socket is not active.
    private var shown: RoomPosition? {
        switch phase {
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
        case (.listing, _), (.superseded, _), (.closed, _):
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
