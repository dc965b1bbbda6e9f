import Contracts
import Postgres
import Sockets
import Synchronization

/// The connected passengers of this process, and their subscriptions to trains.
final class LiveSessions: Sendable {
    private struct Entry {
        var session: String
        var looks: [STOMPSubscription: Look] = [:]
    }

    /// A subscription to a train.
    private struct Look {
        var train: TrainCode
        /// nil for every car.
        var car: CarAddress?
        /// What another copy has shown of a car.
        var shown: LivePosition?
    }

    private let hub: STOMPHub
    private let views: CarViews
    private let announcer: any Announcer
    private let entries = Mutex<[AccountID: [STOMPConnection: Entry]]>([:])

    init(hub: STOMPHub, views: CarViews, announcer: any Announcer) {
        self.hub = hub
        self.views = views
        self.announcer = announcer
    }

    /// Returns when announcements about the passenger arrive.
    func add(_ connection: STOMPConnection, _ passenger: ConnectedPassenger) async {
        entries.withLock { entries in
            if entries[passenger.account] == nil {
                announcer.watch(LiveNotification.key(passenger.account), on: LiveNotification.channel)
            }
            entries[passenger.account, default: [:]][connection] = Entry(session: passenger.session)
        }
        await announcer.confirmWatches()
    }

    func remove(_ connection: STOMPConnection, _ passenger: ConnectedPassenger) {
        entries.withLock { entries in
            entries[passenger.account]?[connection] = nil
            guard entries[passenger.account]?.isEmpty == true else { return }
            entries[passenger.account] = nil
            announcer.unwatch(LiveNotification.key(passenger.account), on: LiveNotification.channel)
        }
    }

    // MARK: Ended sessions

    /// The connected passengers, for a check of their authorization.
    var passengers: [ConnectedPassenger] {
        entries.withLock { entries in
            entries.flatMap { account, connections in
                connections.values.map { ConnectedPassenger(account: account, session: $0.session) }
            }
        }
    }

    /// Closes the sockets of a passenger.
    ///
    /// - Parameter session: nil for all sessions.
    func close(account: AccountID, session: String?) {
        for connection in connections(of: account, session: session) {
            connection.close(STOMPRefusal("Your session has ended"))
        }
    }

    // MARK: Cars

    /// Registers a subscription to a train before its car is known, so that a concurrent change of the watched car
    /// finds it.
    ///
    /// - Parameter shown: What another copy has shown: the map of that car is left out if it is that of this message or an
    ///   earlier one.
    func look(
        _ subscription: STOMPSubscription,
        at train: TrainCode,
        _ connection: STOMPConnection,
        _ account: AccountID,
        shown: LivePosition? = nil
    ) {
        entries.withLock { $0[account]?[connection]?.looks[subscription] = Look(train: train, shown: shown) }
    }

    func lookAway(_ subscription: STOMPSubscription, _ connection: STOMPConnection, _ account: AccountID) {
        entries.withLock { $0[account]?[connection]?.looks[subscription] = nil }
    }

    /// Sends a car's seat map to a new subscription, and its changes from then on, unless the watched car has changed
    /// meanwhile. Without a car, the changes of every car of the train are sent.
    func begin(
        _ subscription: STOMPSubscription,
        with car: CarAddress?,
        on connection: STOMPConnection,
        of account: AccountID
    ) async {
        if let car {
            await showOrClose(car, subscription, on: connection, of: account, isFirst: true)
        } else {
            beginEveryCar(subscription, with: [], on: connection, of: account)
        }
    }

    /// Sends seat maps to a new subscription, and the changes of every car of its train from then on, unless the
    /// passenger watches a car meanwhile.
    func beginEveryCar(
        _ subscription: STOMPSubscription,
        with maps: [STOMPMessage],
        on connection: STOMPConnection,
        of account: AccountID
    ) {
        entries.withLock { entries in
            guard let look = entries[account]?[connection]?.looks[subscription], look.car == nil else { return }
            hub.open(
                subscription,
                on: connection,
                topic: LiveTopic.everyCar(of: look.train),
                replay: maps,
                through: 0
            )
        }
    }

    /// Switches a passenger's subscriptions to another car.
    func turn(_ account: AccountID, to car: CarAddress) async {
        for (connection, subscription) in subscriptions(of: account, about: car.train) {
            await showOrClose(car, subscription, on: connection, of: account, isFirst: false)
        }
    }

    private func showOrClose(
        _ car: CarAddress,
        _ subscription: STOMPSubscription,
        on connection: STOMPConnection,
        of account: AccountID,
        isFirst: Bool
    ) async {
        do {
            try await show(car, subscription, on: connection, of: account, isFirst: isFirst)
        } catch {
            connection.close(STOMPRefusal("The seats cannot be read, try again"))
        }
    }

    /// Sends a car's seat map and its changes to a subscription that does not show the car.
    ///
    /// - Parameter isFirst: Only if the subscription shows no car.
    func show(
        _ car: CarAddress,
        _ subscription: STOMPSubscription,
        on connection: STOMPConnection,
        of account: AccountID,
        isFirst: Bool
    ) async throws {
        let topic = LiveTopic.car(car).name
        // The entry and the hub change under one lock, otherwise a subscription could belong to two cars.
        let isWanted = entries.withLock { entries in
            guard let look = entries[account]?[connection]?.looks[subscription], look.car != car,
                !isFirst || look.car == nil
            else { return false }
            entries[account]?[connection]?.looks[subscription]?.car = car
            hub.remove(subscription, on: connection)
            hub.hold(subscription, on: connection, topic: topic)
            return true
        }
        guard isWanted else { return }
        let snapshot = try await views.snapshot(of: car)
        entries.withLock { entries in
            guard let look = entries[account]?[connection]?.looks[subscription], look.car == car else { return }
            let shown = look.shown?.topic == topic ? look.shown?.id : nil
            let isNews = shown.map { snapshot.id > $0 } ?? true
            entries[account]?[connection]?.looks[subscription]?.shown = nil
            hub.open(
                subscription,
                on: connection,
                topic: topic,
                replay: isNews ? [snapshot] : [],
                through: max(snapshot.id, shown ?? snapshot.id)
            )
        }
    }

    private func subscriptions(
        of account: AccountID,
        about train: TrainCode
    ) -> [(STOMPConnection, STOMPSubscription)] {
        entries.withLock { entries in
            (entries[account] ?? [:]).flatMap { connection, entry in
                entry.looks.filter { $0.value.train == train }.map { (connection, $0.key) }
            }
        }
    }

    private func connections(of account: AccountID, session: String?) -> [STOMPConnection] {
        entries.withLock { entries in
            (entries[account] ?? [:]).filter { session == nil || $0.value.session == session }.map(\.key)
        }
    }
}
