import Contracts
import FoundationEssentials
import Logging
import NIOCore
import People
import WebSocket

/// Which room a socket shows (contract 2.3, 2.4). Where it stands is in the database, for all copies of the service; whenever it
/// may have changed, it is looked up.
extension CompanionSession: RoomListener {
    // MARK: Turning to a room

    /// Looks up where the socket stands. Until that is known, no list is sent.
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
                house.logger.warning("a socket could not be turned", error: error)
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
            // Looked at as if it were new; what has been shown is not shown again.
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
            // The room is gone, or its owner has gone to another one, or to another socket.
            stopWatching()
            reception.mustTurn = true
        } catch {
            stopWatching()
            throw error
        }
    }

    /// Shows what was missed of a room, and then what comes. It is read.
    private func watch(_ room: Int64, shownThrough: Int64, for account: Int64) async throws {
        let view = try await house.rooms.view(room, for: account)
        reception.watch = CompanionWatch(view, shownThrough: shownThrough)
        // What comes from now on is read by the transaction that writes it; what came before it, here.
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
        // All of it, since the feed may be behind the database: what it has not told yet, it tells next.
        try await house.joining.catchUp(view.room, on: id, of: account)
        show(reception.watch?.open(missed, through: through) ?? [])
        let noticed = max(reception.news.heard[room] ?? 0, through)
        reception.watch?.notice(through: noticed)
    }

    /// The socket is there, and looks into no room. Joining and leaving a room write down the same at once, so it is said only once.
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

    /// The socket has gone: what comes is unread, and another one of the same person may receive.
    func leave() async {
        guard let account = holder?.account else { return }
        let watch = reception.watch
        stopWatching()
        await house.presences.leave(id)
        guard !reception.isNew else { return }
        var pause = Duration.milliseconds(50)
        // Should it never succeed, time tells that the socket has gone.
        for _ in 0..<8 {
            do {
                if let watch, watch.saved < watch.confirmed {
                    try await house.joining.show(watch.room.id, through: watch.confirmed, on: id, of: account)
                }
                return try await house.joining.leave(id, of: account, isGoodbye: hasLeft)
            } catch {
                house.logger.warning("a socket could not leave", error: error)
                try? await Task.sleep(for: pause)
                pause = min(pause * 2, .seconds(1))
            }
        }
    }

    // MARK: Showing

    nonisolated func hear(_ signal: RoomSignal, in room: Int64) {
        // That a room is gone is heard by all sockets of the two, whether they look into it or not.
        if case .event(let event) = signal { tell { $0.take(event, in: room) } }
    }

    private func take(_ event: RoomEvent, in room: Int64) {
        guard reception.watch?.room.id == room else { return }
        reception.watch?.hear(event)
        showNoticed()
    }

    /// Shows what has been heard and noticed. Notices come in the order of commits, so that nothing is shown which was written
    /// after its owner had turned away.
    func showNoticed() {
        guard !reception.isTurning, let events = reception.watch?.takeNoticed() else { return }
        show(events)
        if let watch = reception.watch { reception.news.see(watch.room.id, through: watch.through) }
    }

    /// Tells what the other has written. A ping goes after it, whose answer says that it has arrived: a connection may be dead for
    /// a while before that is noticed.
    private func show(_ events: [RoomEvent]) {
        guard let view = reception.watch?.view, let socket = socket?.value else { return }
        for event in events {
            let isShown =
                event.kind == .sent && event.message.sender != view.own.account && event.message.deletedAt == nil
            if isShown { socket.write(.text, CompanionPayload.message(event.message, in: view)) }
            reception.watch?.wrote(event, isShown: isShown)
        }
        ask(socket)
        socket.flush()
    }

    private func ask(_ socket: WebSocket) {
        if reception.watch?.asks(at: .now()) == true { socket.write(.ping, ByteBuffer()) }
    }

    /// Something has come from the phone, which may say that it has what was shown.
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
                house.logger.warning("it could not be noted what was shown", error: error)
                break
            }
            if reception.watch?.room.id == room { reception.watch?.noted(through: watch.confirmed) }
        }
        if reception.watch?.room.id == room { reception.watch?.isSaving = false }
    }
}
