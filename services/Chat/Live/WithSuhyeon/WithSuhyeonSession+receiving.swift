import Contracts
import FoundationEssentials
import Logging
import NIOCore
import Profiles
import Sockets

/// The room that a socket shows (contract 2.3, 2.4). The database holds the state for all replicas; it is read again
/// whenever it may have changed.
extension WithSuhyeonSession: RoomListener {
    // MARK: Changing rooms

    /// Reads the socket's state again. No list is sent meanwhile.
    func turn() {
        guard holder != nil, !isClosed else { return }
        reception.mustTurn = true
        guard !reception.isTurning else { return }
        reception.isTurning = true
        house.work { await self.turnAround() }
    }

    private func turnAround() async {
        var pause = Duration.milliseconds(50)
        while reception.mustTurn, !isClosed {
            reception.mustTurn = false
            do {
                try await stand()
                pause = .milliseconds(50)
            } catch is PersonUnknown {
                end(session: nil)
            } catch {
                house.logger.warning(
                    "With Suhyeon sockets: the state of a socket could not be read, will retry",
                    error: error
                )
                reception.mustTurn = true
                try? await Task.sleep(for: pause)
                pause = min(pause * 2, .seconds(2))
            }
        }
        reception.isTurning = false
        if isClosed { return await leave() }
        showNoticed()
        lookForNews()
    }

    private func stand() async throws {
        guard let account = holder?.account else { return }
        var shown: (room: Int64, through: Int64)?
        if reception.mustLook {
            reception.news.compare(try await house.rooms.standings(of: account, at: openedAt))
            reception.mustLook = false
            // The subscription is set up again; messages that were shown are not repeated.
            shown = reception.watch.map { ($0.room.id, $0.through) }
            stopWatching()
        }
        let standing = try await house.joining.stand(id, of: account, isNew: reception.isNew)
        reception.isNew = false
        reception.isReceiver = standing != nil
        guard let standing else {
            reception.news.forget()
            stopWatching()
            reception.room = nil
            return await house.presences.leave(id)
        }
        guard let room = standing.room else {
            stopWatching()
            return await look(nowhere: account)
        }
        guard reception.watch?.room.id != room else { return }
        stopWatching()
        do {
            let before = shown?.room == room ? shown?.through ?? 0 : 0
            try await watch(room, shownThrough: max(standing.shownThrough, before), for: account)
        } catch is ChatError {
            // The room was deleted, or the account has joined another room or has a newer socket.
            stopWatching()
            reception.mustTurn = true
        } catch {
            stopWatching()
            throw error
        }
    }

    /// Subscribes to a room, shows the missed messages and then new ones, and marks them as read.
    private func watch(_ room: Int64, shownThrough: Int64, for account: Int64) async throws {
        let view = try await house.rooms.view(room, for: account)
        reception.watch = WithSuhyeonRoomSubscription(view, shownThrough: shownThrough)
        // From here on new messages are marked as read by the transaction that writes them; earlier ones by `catchUp`
        // below.
        reception.room = room
        await house.presences.enter(Presence(id: id, account: account, room: room, isReading: true))
        let through = try await house.feed.watch(room, self)
        var missed: [RoomEvent] = []
        var last = shownThrough
        while last < through {
            let page = try await house.messages.events(in: view.room, after: last, for: account)
            guard let end = page.last else { break }
            missed += page
            last = end.sequence
        }
        // Marks all messages in the database: the feed may be behind, and delivers the remaining ones next.
        try await house.joining.catchUp(view.room, on: id, of: account)
        show(reception.watch?.open(missed, through: through) ?? [])
        let noticed = max(reception.news.heard[room] ?? 0, through)
        reception.watch?.notice(through: noticed)
    }

    /// Records a presence without a room. `RoomMembershipStore` writes the same on join and exit, so this is needed
    /// only once.
    private func look(nowhere account: Int64) async {
        guard reception.room != 0 else { return }
        reception.room = 0
        await house.presences.enter(Presence(id: id, account: account, room: 0, isReading: false))
    }

    private func stopWatching() {
        guard let watch = reception.watch else { return }
        house.feed.unwatch(watch.room.id, self)
        reception.watch = nil
    }

    /// Handles the close of the socket: new messages are unread, and another socket of the account may become active.
    func leave() async {
        guard let account = holder?.account else { return }
        let watch = reception.watch
        stopWatching()
        await house.presences.leave(id)
        guard !reception.isNew else { return }
        var pause = Duration.milliseconds(50)
        // If all attempts fail, the claim expires.
        for _ in 0..<8 {
            do {
                if let watch, watch.saved < watch.confirmed {
                    try await house.joining.show(watch.room.id, through: watch.confirmed, on: id, of: account)
                }
                return try await house.joining.leave(id, of: account, isGoodbye: hasLeft)
            } catch {
                house.logger.warning(
                    "With Suhyeon sockets: the claim of a closed socket could not be released",
                    error: error
                )
                try? await Task.sleep(for: pause)
                pause = min(pause * 2, .seconds(1))
            }
        }
    }

    // MARK: Delivery

    nonisolated func hear(_ signal: RoomSignal, in room: Int64) {
        // The deletion of a room is received through `WithSuhyeonConnections`, by all sockets of both members.
        if case .event(let event) = signal { tell { $0.take(event, in: room) } }
    }

    private func take(_ event: RoomEvent, in room: Int64) {
        guard reception.watch?.room.id == room else { return }
        reception.watch?.hear(event)
        showNoticed()
    }

    /// Shows the events that were both delivered by the feed and announced. Notifications arrive in commit order, so a
    /// message written after the account has left the room is not shown.
    func showNoticed() {
        guard !reception.isTurning, let events = reception.watch?.takeNoticed() else { return }
        show(events)
        if let watch = reception.watch { reception.news.see(watch.room.id, through: watch.through) }
    }

    /// Sends the other member's messages, followed by a ping. The pong confirms that they have arrived: a dead
    /// connection may go unnoticed for a while.
    private func show(_ events: [RoomEvent]) {
        guard let view = reception.watch?.view, let socket = socket?.value else { return }
        for event in events {
            let isShown =
                event.kind == .sent && event.message.sender != view.own.account && event.message.deletedAt == nil
            if isShown { socket.write(.text, WithSuhyeonPayload.message(event.message, in: view)) }
            reception.watch?.wrote(event, isShown: isShown)
        }
        ask(socket)
        socket.flush()
    }

    private func ask(_ socket: WebSocket) {
        if reception.watch?.asks(at: .now()) == true { socket.write(.ping, ByteBuffer()) }
    }

    /// Handles data from the client, which may confirm the messages sent before.
    func confirm() {
        guard let socket = socket?.value, reception.watch?.heard(at: socket.lastRead) == true else { return }
        ask(socket)
        guard let watch = reception.watch, !watch.isSaving, watch.saved < watch.confirmed else { return }
        reception.watch?.isSaving = true
        Task { await saveShown(of: watch.room.id) }
    }

    private func saveShown(of room: Int64) async {
        guard let account = holder?.account else { return }
        while let watch = reception.watch, watch.room.id == room, watch.saved < watch.confirmed {
            do {
                try await house.joining.show(room, through: watch.confirmed, on: id, of: account)
            } catch {
                house.logger.warning("With Suhyeon sockets: the confirmed position could not be stored", error: error)
                break
            }
            if reception.watch?.room.id == room { reception.watch?.noted(through: watch.confirmed) }
        }
        if reception.watch?.room.id == room { reception.watch?.isSaving = false }
    }
}
