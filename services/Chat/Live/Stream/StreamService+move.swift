import Contracts
import Sockets

/// Sockets of the stream that move to another copy of the service.
extension StreamService {
    func record(of client: StreamClient) -> StreamRecord { client.record() }

    func suspend(
        _ subscription: STOMPSubscription,
        on connection: STOMPConnection,
        as client: StreamClient
    ) -> StreamPosition? {
        client.room(of: subscription)?.suspend()
    }

    func principal(of record: StreamRecord) -> StreamClient { StreamClient(record) }

    func check(_ client: StreamClient, on connection: STOMPConnection) async throws {
        guard try await domain.sessions.mayContinue(client.account, session: client.session) else {
            throw STOMPRefusal("Your session has ended.")
        }
    }

    /// Sends the events after the last one, and then new ones; the peer's state as to a new subscription. A room that was
    /// deleted before the move is over.
    func resume(
        _ subscription: STOMPSubscription,
        from position: StreamPosition?,
        on connection: STOMPConnection,
        as client: StreamClient
    ) async throws {
        guard let position, case .room(let id) = StreamDestination(subscription.destination) else { return }
        let joined: (listener: StreamRoom, start: Int64)
        do {
            joined = try await domain.joins.take {
                try await join(room(id, of: client), by: subscription, from: position, on: connection, as: client)
            }
        } catch ChatError.roomNotFound {
            return connection.deliver(StreamView.gone, to: subscription)
        }
        try await joined.listener.begin(after: position.through, start: joined.start)
    }

    private func join(
        _ room: Room,
        by subscription: STOMPSubscription,
        from position: StreamPosition,
        on connection: STOMPConnection,
        as client: StreamClient
    ) async throws -> (StreamRoom, Int64) {
        let view = StreamView(try await domain.rooms.view(room.id, for: client.account))
        let listener =
            client.room(of: subscription)
            ?? StreamRoom(
                subscription,
                on: connection,
                view: view,
                messages: domain.messages,
                presence: position.presence
            )
        client.add(listener)
        let start = try await domain.feed.subscribe(room.id, listener)
        // Read after the subscription, so that the position sent here is never older than the events that follow.
        let current = try await domain.rooms.view(room.id, for: client.account)
        try await domain.presences.takeOver(listener.presence)
        try await showPeer(of: current, to: listener, in: view)
        return (listener, start)
    }
}
