import FoundationEssentials
import NIOCore
import Postgres
import Sockets

/// Seat maps of the cars with subscribers in this process. Each is read once, updated by every message, and published
/// to the subscribers.
actor CarViews {
    private enum View {
        /// The seat map is being read; messages received meanwhile are buffered.
        case loading(Task<Shown, any Error>, kept: [(id: LiveMessageID, changes: [SeatChange])])
        case ready(Shown)
    }

    /// A seat map with its encoded message, which is shared by all subscribers.
    private struct Shown {
        let text: SeatMapText
        let message: STOMPMessage

        init(_ text: SeatMapText) {
            self.text = text
            message = STOMPMessage(id: text.through.rawValue, body: ByteBuffer(string: text.text))
        }
    }

    private let database: PostgresClient
    private let hub: STOMPHub
    private let store = CarStore()
    private var views: [CarAddress: View] = [:]
    /// At this number, the views of cars without subscribers are removed.
    private static let manyViews = 256

    init(database: PostgresClient, hub: STOMPHub) {
        self.database = database
        self.hub = hub
    }

    /// The seat map of a car as a message.
    ///
    /// The caller must hold the car's messages before the call, so that none is missed in between.
    func snapshot(of car: CarAddress) async throws -> STOMPMessage {
        try await shown(car).message
    }

    /// Applies a message about a car, and publishes the new seat map.
    func hear(_ message: StoredMessage, about car: CarAddress) async throws {
        let changes = try JSONDecoder().decode([SeatChange].self, from: Data(message.body.utf8))
        if case .loading(let task, let kept) = views[car] {
            views[car] = .loading(task, kept: kept + [(message.id, changes)])
        } else {
            guard isWatched(car) else {
                views[car] = nil
                return
            }
            if case .ready(let shown) = views[car] {
                guard message.id > shown.text.through else { return }
                views[car] = .ready(Shown(shown.text.applying(changes, id: message.id)))
            }
        }
        publish(try await shown(car), of: car)
    }

    /// Reads the seat maps from the database again, and publishes those that differ.
    func compare() async throws {
        for car in views.keys {
            guard case .ready(let shown) = views[car] else { continue }
            let map = try await store.seatMap(of: car, in: database)
            guard case .ready(let now) = views[car], now.text.through == shown.text.through else { continue }
            let next = Shown(SeatMapText(map))
            views[car] = .ready(next)
            if next.text.text != shown.text.text { publish(next, of: car) }
        }
    }

    private func publish(_ shown: Shown, of car: CarAddress) {
        hub.publish(shown.message, to: LiveTopic.car(car).name)
        hub.publish(shown.message, to: LiveTopic.everyCar(of: car.train))
    }

    private func isWatched(_ car: CarAddress) -> Bool {
        hub.hasSubscribers(LiveTopic.car(car).name) || hub.hasSubscribers(LiveTopic.everyCar(of: car.train))
    }

    // MARK: Reading

    private func shown(_ car: CarAddress) async throws -> Shown {
        switch views[car] {
        case .ready(let shown):
            return shown
        case .loading(let task, _):
            return try await task.value
        case nil:
            forgetUnwatched()
            let task = Task { try await load(car) }
            views[car] = .loading(task, kept: [])
            return try await task.value
        }
    }

    /// Applies the messages received during the read, so that all callers get the same seat map.
    private func load(_ car: CarAddress) async throws -> Shown {
        do {
            var text = SeatMapText(try await store.seatMap(of: car, in: database))
            if case .loading(_, let kept) = views[car] {
                for message in kept where message.id > text.through {
                    text = text.applying(message.changes, id: message.id)
                }
            }
            let shown = Shown(text)
            views[car] = .ready(shown)
            return shown
        } catch {
            views[car] = nil
            throw error
        }
    }

    /// Removes the views of cars without subscribers.
    private func forgetUnwatched() {
        guard views.count >= Self.manyViews else { return }
        views = views.filter { car, view in
            if case .loading = view { true } else { isWatched(car) }
        }
    }
}
