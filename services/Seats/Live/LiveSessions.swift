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
        var trains: [STOMPSubscription: TrainCode] = [:]
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

    /// Notes which train a subscription is about; nil ends it.
    func look(_ subscription: STOMPSubscription, at train: TrainCode?, _ connection: STOMPConnection, _ account: Int64)
    {
        entries.withLock { $0[account]?[connection]?.trains[subscription] = train }
    }

    /// Takes a word from a copy of the service, this one included.
    func hear(_ notice: LiveNotice, feed: LiveFeed) async {
        switch notice {
        case .watched(let account, let car):
            for (connection, subscription) in subscriptions(of: account, about: car.train) {
                hub.remove(subscription, on: connection)
                await show(car, subscription, on: connection, feed: feed)
            }
        case .revoked(let account, let session):
            for connection in connections(of: account, session: session) {
                connection.close(STOMPRefusal("Your session has ended"))
            }
        }
    }

    /// Tells a subscription who sits where in a car, from now on.
    func show(
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

    private func subscriptions(
        of account: Int64,
        about train: TrainCode
    ) -> [(STOMPConnection, STOMPSubscription)] {
        entries.withLock { entries in
            (entries[account] ?? [:]).flatMap { connection, entry in
                entry.trains.filter { $0.value == train }.map { (connection, $0.key) }
            }
        }
    }

    private func connections(of account: Int64, session: String?) -> [STOMPConnection] {
        entries.withLock { entries in
            (entries[account] ?? [:]).filter { session == nil || $0.value.session == session }.map(\.key)
        }
    }
}
