import Contracts
import NIOCore
import Sockets

/// What a subscription has got: the messages of its topic up to an id.
struct LivePosition: Codable, Sendable, Equatable {
    var topic: String
    var id: Int64
}

/// Sockets that move to another copy of the service.
extension LiveService {
    func record(of passenger: ConnectedPassenger) -> ConnectedPassenger { passenger }

    /// - Returns: nil if the seat map of a car was not sent yet.
    func suspend(
        _ subscription: STOMPSubscription,
        on connection: STOMPConnection,
        as passenger: ConnectedPassenger
    ) -> LivePosition? {
        sessions.lookAway(subscription, connection, passenger.account)
        return hub.positions(of: subscription, on: connection).first.map { LivePosition(topic: $0.key, id: $0.value) }
    }

    func principal(of record: ConnectedPassenger) -> ConnectedPassenger { record }

    /// Checks everything but the token, which may have expired since the socket was opened.
    func check(_ passenger: ConnectedPassenger, on connection: STOMPConnection) async throws {
        // Registered before the check, so that a concurrent revocation finds the socket.
        await sessions.add(connection, passenger)
        do {
            let isWelcome = try await passengers.mayConnect(
                passenger.account,
                session: passenger.session,
                in: database
            )
            guard isWelcome else { throw STOMPRefusal("Your session has ended") }
        } catch {
            sessions.remove(connection, passenger)
            throw error
        }
    }

    func resume(
        _ subscription: STOMPSubscription,
        from position: LivePosition?,
        on connection: STOMPConnection,
        as passenger: ConnectedPassenger
    ) async throws {
        let account = passenger.account
        switch LiveDestination(subscription.destination) {
        case .train(let named):
            let train = try await aliases.train(parsing: named.text)
            sessions.look(subscription, at: train, connection, account, shown: position)
            if let car = try await cars.watched(by: account, in: train) {
                try await sessions.show(car, subscription, on: connection, of: account, isFirst: true)
            } else {
                hub.hold(subscription, on: connection, topic: LiveTopic.everyCar(of: train))
                let changed = try await feed.changedCars(of: train)
                sessions.beginEveryCar(subscription, with: changed, on: connection, of: account)
            }
        case .owner(let seat):
            try await resume(.owner(seat: seat, account: account), subscription, from: position, on: connection)
        case .requester(let seat, _):
            try await resume(.requester(seat: seat, account: account), subscription, from: position, on: connection)
        case .path(let id):
            try await resume(.path(id), subscription, from: position, on: connection)
        case .hello:
            openHello(subscription, on: connection)
        case nil:
            throw STOMPRefusal("There is no such destination")
        }
    }

    /// Sends the messages of a topic after a position, then new ones.
    private func resume(
        _ topic: LiveTopic,
        _ subscription: STOMPSubscription,
        from position: LivePosition?,
        on connection: STOMPConnection
    ) async throws {
        guard let position, position.topic == topic.name else { throw STOMPRefusal("Try again in a moment") }
        hub.hold(subscription, on: connection, topic: topic.name)
        let missed = try await feed.messages(of: topic, after: LiveMessageID(rawValue: position.id))
        let through = missed.last?.id ?? position.id
        await feed.follow(topic, after: LiveMessageID(rawValue: through))
        hub.open(subscription, on: connection, topic: topic.name, replay: missed, through: through)
    }
}
