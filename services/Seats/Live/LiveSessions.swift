import STOMP
import Synchronization

/// Who is connected to this process, and who of them looks at which train.
final class LiveSessions: Sendable {
    struct Passenger: Sendable, Equatable {
        var account: Int64
        var session: String
    }

    private struct Entry {
        var session: String
        var views: [STOMPSubscription: View] = [:]
    }

    /// What a subscription to a train shows.
    private struct View {
        var train: TrainCode
        /// Nil until it is known; then every car.
        var car: CarAddress?
    }

    private let hub: STOMPHub
    private let entries = Mutex<[Int64: [STOMPConnection: Entry]]>([:])

    init(hub: STOMPHub) {
        self.hub = hub
    }

    func add(_ connection: STOMPConnection, _ passenger: Passenger) {
        entries.withLock {
            $0[passenger.account, default: [:]][connection] = Entry(session: passenger.session)
        }
    }

    func remove(_ connection: STOMPConnection, _ passenger: Passenger) {
        entries.withLock { entries in
            entries[passenger.account]?[connection] = nil
            if entries[passenger.account]?.isEmpty == true { entries[passenger.account] = nil }
        }
    }

    // MARK: Trains

    /// A subscription is about a train from now on.
    func add(_ subscription: STOMPSubscription, about train: TrainCode, _ connection: STOMPConnection, _ account: Int64)
    {
        entries.withLock { $0[account]?[connection]?.views[subscription] = View(train: train) }
    }

    func remove(_ subscription: STOMPSubscription, _ connection: STOMPConnection, _ account: Int64) {
        entries.withLock { $0[account]?[connection]?.views[subscription] = nil }
    }

    /// Tells a new subscription who sits where, unless the passenger has turned to another car meanwhile.
    ///
    /// - Parameter car: nil while it is not known which one the passenger looks at; then what changes in any of the train's.
    func show(
        _ car: CarAddress?,
        of train: TrainCode,
        _ subscription: STOMPSubscription,
        on connection: STOMPConnection,
        _ account: Int64,
        feed: LiveFeed
    ) async {
        let isFirst = entries.withLock { entries in
            guard let view = entries[account]?[connection]?.views[subscription], view.car == nil else { return false }
            entries[account]?[connection]?.views[subscription]?.car = car
            return true
        }
        guard isFirst else { return }
        let topic = car.map { LiveTopic.car($0).name } ?? LiveTopic.everyCar(of: train)
        if let car {
            await stream(car, subscription, on: connection, feed: feed)
        } else {
            hub.open(subscription, on: connection, topic: topic)
        }
        let current = entries.withLock { $0[account]?[connection]?.views[subscription]?.car }
        if current != car { hub.remove(subscription, on: connection, topic: topic) }
    }

    /// Takes a word from a copy of the service, this one included.
    func hear(_ notice: LiveNotice, feed: LiveFeed) async {
        switch notice {
        case .watched(let account, let car):
            for (connection, subscription) in turn(account, to: car) {
                hub.remove(subscription, on: connection)
                await stream(car, subscription, on: connection, feed: feed)
            }
        case .revoked(let account, let session):
            for connection in connections(of: account, session: session) {
                connection.close(STOMPRefusal("Your session has ended"))
            }
        }
    }

    private func stream(
        _ car: CarAddress,
        _ subscription: STOMPSubscription,
        on connection: STOMPConnection,
        feed: LiveFeed
    ) async {
        let topic = LiveTopic.car(car).name
        hub.hold(subscription, on: connection, topic: topic)
        do {
            let snapshot = try await feed.snapshot(of: car)
            hub.open(
                subscription,
                on: connection,
                topic: topic,
                replay: snapshot.map { [$0] } ?? [],
                through: snapshot?.id ?? 0
            )
        } catch {
            connection.close(STOMPRefusal("The seats cannot be read, try again"))
        }
    }

    /// Notes the car that a passenger looks at now.
    ///
    /// - Returns: the subscriptions that show something else of its train.
    private func turn(_ account: Int64, to car: CarAddress) -> [(STOMPConnection, STOMPSubscription)] {
        entries.withLock { entries in
            var turned: [(STOMPConnection, STOMPSubscription)] = []
            for (connection, entry) in entries[account] ?? [:] {
                for (subscription, view) in entry.views where view.train == car.train && view.car != car {
                    entries[account]?[connection]?.views[subscription]?.car = car
                    turned.append((connection, subscription))
                }
            }
            return turned
        }
    }

    private func connections(of account: Int64, session: String?) -> [STOMPConnection] {
        entries.withLock { entries in
            (entries[account] ?? [:]).filter { session == nil || $0.value.session == session }.map(\.key)
        }
    }
}
