import Contracts
import FoundationEssentials
import Logging
import NIOCore
import Profiles
import Sockets

/// The execution of actions: frames that the socket sends, and operations whose results are events.
extension WithSuhyeonSession {
    func execute(_ action: WithSuhyeonSocketState.Action) {
        switch action {
        case .claim:
            run { [openedAt, connections] domain, socket in
                let age = connections.now().timeIntervalSince(openedAt)
                try await domain.membership.claim(socket, openedFor: age)
                return .claimed
            }
        case .readAssignment(let shown, let resync):
            run { [openedAt] domain, socket in
                let rooms = resync ? try await domain.rooms.progress(of: socket.account, since: openedAt) : []
                let membership = domain.membership
                return .assigned(try await membership.assignment(of: socket, showing: shown, resync: resync), rooms)
            }
        case .readEvents(let range):
            if let events = connections.domain.feed.recent.events(in: range) {
                return handle(.eventsRead(range, events))
            }
            run { domain, socket in
                let (read, events) = try await domain.messages.events(in: range, for: socket.account)
                return .eventsRead(read, events)
            }
        case .sendMessages(let messages, let view):
            for message in messages { send(WithSuhyeonPayload.message(message, in: view)) }
        case .ping(let shown):
            socket?.value.write(.ping, shown.pingPayload)
        case .recordShown(let shown):
            run { domain, socket in
                try await domain.membership.recordShown(shown, on: socket)
                return .recorded(shown)
            }
        case .readList(let numbers):
            run { domain, socket in
                let rooms = domain.rooms
                guard try await rooms.hasMessages(after: numbers, for: socket.account) else { return .listRead(nil) }
                let views = try await rooms.list(of: socket.account)
                let shown = views.map { RoomPosition(room: $0.room.id, sequence: $0.lastSequence) }
                return .listRead(.init(frame: try await WithSuhyeonPayload.rooms(views), shown: shown))
            }
        case .sendList(let frame):
            send(frame)
        case .pauseList(let pause):
            eventLoop.scheduleTask(in: pause) { self.assumeIsolated { $0.handle(.listPauseEnded) } }
        case .close:
            close(.policyViolation, "the session has ended")
        case .release(let shown, let leavesRoom):
            run(attempts: 8) { domain, socket in
                try await domain.membership.release(socket, shown: shown, leavesRoom: leavesRoom)
                return nil
            }
        }
    }

    /// Runs an operation after all earlier ones, and handles the event that it returns. A failed operation is repeated
    /// while the socket is open, and at least `attempts` times.
    private func run(
        attempts: Int = 1,
        _ operation: @escaping @Sendable (ChatDomain, MemberSocket) async throws -> WithSuhyeonSocketState.Event?
    ) {
        guard let account = holder?.account else { return }
        operations += 1
        let socket = MemberSocket(id: id, account: account, copy: connections.domain.presences.copy)
        lastOperation = connections.spawn { [connections, lastOperation] in
            await lastOperation?.value
            var attempt = 1
            var pause = Duration.milliseconds(50)
            while true {
                do {
                    return await self.operationEnded(with: try await operation(connections.domain, socket))
                } catch is PersonUnknown {
                    return await self.operationEnded(with: .sessionEnded)
                } catch {
                    connections.logger.warning("With Suhyeon sockets: an operation failed, may retry", error: error)
                }
                guard await self.isStaying || attempt < attempts else { return await self.operationEnded(with: nil) }
                attempt += 1
                try? await Task.sleep(for: pause)
                pause = min(pause * 2, .seconds(1))
            }
        }
    }

    private func operationEnded(with event: WithSuhyeonSocketState.Event?) {
        operations -= 1
        if let event { handle(event) }
        suspendIfIdle()
    }
}
