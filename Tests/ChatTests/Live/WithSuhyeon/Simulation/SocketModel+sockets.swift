import NIOCore
import TestKit

@testable import Chat

/// The execution of actions, as by `WithSuhyeonSession`.
extension SocketModel {
    mutating func handle(_ event: State.Event, at copy: Int, _ number: Int, _ effects: inout Effects<Self>) {
        guard var socket = copies[copy].sockets[number] else { return }
        let actions = socket.state.handle(event)
        let wasIdle = socket.operations.isEmpty
        socket.operations += actions.filter(\.isOperation)
        if wasIdle, !socket.operations.isEmpty { startOperation(of: number, at: copy, &effects) }
        copies[copy].sockets[number] = socket
        for action in actions { execute(action, at: copy, number, &effects) }
    }

    /// Sends, or sets a timer.
    private mutating func execute(_ action: State.Action, at copy: Int, _ number: Int, _ effects: inout Effects<Self>) {
        let isClosed = copies[copy].sockets[number]?.isClosed ?? true
        switch action {
        case .sendMessages(let messages, _) where !isClosed:
            effects.send(.frames(messages.map(\.sequence), on: number), from: .copy(copy), to: .phone)
        case .ping(let shown) where !isClosed:
            effects.send(.ping(shown, on: number), from: .copy(copy), to: .phone)
            outstanding[number] = shown
            if defect == .confirmsAtOnce { handle(.pongReceived(shown), at: copy, number, &effects) }
        case .pauseList(let time):
            effects.wake(.copy(copy), after: time.nanoseconds / 1_000_000, for: .listPauseEnded(number))
        case .sendMessages, .ping, .sendList, .close, .claim, .readAssignment, .readEvents, .recordShown, .readList,
            .release:
            break
        }
    }

    private func startOperation(of number: Int, at copy: Int, _ effects: inout Effects<Self>) {
        let away = max(0, databaseReturnsAt - effects.now)
        let time = away + Int64.random(in: 1...30, using: &effects.random)
        effects.wake(.copy(copy), after: time, for: .operation(number))
    }

    /// Executes the oldest operation, unless the database is away: then it is tried again.
    mutating func endOperation(of number: Int, at copy: Int, _ effects: inout Effects<Self>) {
        guard let action = copies[copy].sockets[number]?.operations.first else { return }
        guard effects.now >= databaseReturnsAt else { return startOperation(of: number, at: copy, &effects) }
        copies[copy].sockets[number]?.operations.removeFirst()
        if let event = operate(action, at: copy, number, &effects) { handle(event, at: copy, number, &effects) }
        guard let socket = copies[copy].sockets[number] else { return }
        if !socket.operations.isEmpty {
            startOperation(of: number, at: copy, &effects)
        } else if socket.isClosed {
            copies[copy].sockets[number] = nil
        }
    }

    private mutating func operate(
        _ action: State.Action,
        at copy: Int,
        _ number: Int,
        _ effects: inout Effects<Self>
    ) -> State.Event? {
        let claim = SimulatedRooms.Claim(socket: number, copy: copy, life: copies[copy].life)
        switch action {
        case .claim:
            if defect == .claimsOvertake || number > rooms.active?.socket ?? 0 { rooms.claim(claim, at: effects.now) }
            announce(.assignmentChanged, &effects)
            return .claimed
        case .readAssignment(let shown, let resync):
            let openedAt = copies[copy].sockets[number]?.openedAt ?? 0
            let progress = resync ? rooms.progress(since: openedAt) : []
            return .assigned(assignment(of: claim, showing: shown, resync: resync, at: effects.now), progress)
        case .readEvents(let range):
            guard range.after < range.through else {
                broken = BrokenPromise("what is read has events", "\(range)")
                return nil
            }
            let (read, events) = rooms.read(range)
            return .eventsRead(read, events)
        case .recordShown(let position):
            rooms.recordShown(position.sequence, by: claim)
            return .recorded(position)
        case .readList: return .listRead(nil)
        case .release(let shown, _):
            let number = shown.flatMap { $0.room == SimulatedRooms.room ? $0.sequence : nil }
            if rooms.release(claim, shown: number, at: effects.now) { announce(.assignmentChanged, &effects) }
            return nil
        case .sendMessages, .ping, .sendList, .pauseList, .close: return nil
        }
    }

    /// As `RoomMembership.assignment`.
    private mutating func assignment(
        of claim: SimulatedRooms.Claim,
        showing shown: RoomPosition?,
        resync: Bool,
        at now: Int64
    ) -> RoomMembership.Assignment {
        guard rooms.reclaim(claim, at: now) else {
            copies[claim.copy].sockets[claim.socket]?.isPresent = false
            return .superseded
        }
        let isPresent = copies[claim.copy].sockets[claim.socket]?.isPresent ?? false
        let isShown = shown?.room == SimulatedRooms.room
        if rooms.isJoined ? isShown && isPresent : shown?.room == .noRoom, !resync { return .unchanged }
        copies[claim.copy].sockets[claim.socket]?.isPresent = rooms.isJoined
        guard rooms.isJoined else { return .noRoom }
        var after = isShown ? max(rooms.shown, shown?.sequence ?? 0) : rooms.shown
        if defect == .startsAtTheEnd { after = rooms.last }
        return .room(SocketStateDriver.view, after: after, through: rooms.last)
    }
}
