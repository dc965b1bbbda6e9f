import FoundationEssentials
import NIOCore
import Postgres
import ServiceKit
import Sockets

/// Seat maps of the cars with subscribers in this process. Each is read once, updated by every message, and published
/// to the subscribers.
actor CarViews {
    private enum View {
        /// The seat map is being read.
        case loading(Task<Shown, any Error>)
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
    /// The hub must hold the car's messages before the call, so that none is missed in between.
    func snapshot(of car: CarAddress) async throws -> STOMPMessage {
        try await shown(car).message
    }

    /// What the subscribers of a car have been sent.
    enum Position {
        case unwatched
        /// No seat map yet.
        case unread
        /// A seat map that includes the messages up to this one.
        case at(LiveMessageID)
    }

    func position(of car: CarAddress) -> Position {
        guard isWatched(car) else {
            views[car] = nil
            return .unwatched
        }
        if case .ready(let shown) = views[car] { return .at(shown.text.through) }
        return .unread
    }

    /// Publishes the seat map of a car.
    func show(_ car: CarAddress) async throws {
        publish(try await shown(car), of: car)
    }

    /// Applies a message about a car, and publishes the new seat map. After a message of an unknown form the map is read
    /// again.
    func apply(_ message: StoredMessage, to car: CarAddress) async throws {
        guard case .ready(let shown) = views[car], message.id > shown.text.through else { return }
        guard let changes = try? JSONDecoder().decode([SeatChange].self, from: Data(message.body.utf8)) else {
            views[car] = nil
            return try await show(car)
        }
        let next = Shown(shown.text.applying(changes, id: message.id))
        views[car] = .ready(next)
        publish(next, of: car, after: message)
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

    /// - Parameter message: The message that has changed the map.
    private func publish(_ shown: Shown, of car: CarAddress, after message: StoredMessage? = nil) {
        let topic = LiveTopic.car(car).name
        withDeliverySpan(
            "STOMP MESSAGE",
            following: message?.trace,
            destination: topic,
            id: "\(shown.text.through)"
        ) {
            hub.publish(shown.message, to: topic)
                + hub.publish(shown.message, to: LiveTopic.everyCar(of: car.train))
        }
    }

    private func isWatched(_ car: CarAddress) -> Bool {
        hub.hasSubscribers(LiveTopic.car(car).name) || hub.hasSubscribers(LiveTopic.everyCar(of: car.train))
    }

    // MARK: Reading

    private func shown(_ car: CarAddress) async throws -> Shown {
        switch views[car] {
        case .ready(let shown):
            return shown
        case .loading(let task):
            return try await task.value
        case nil:
            forgetUnwatched()
            let task = Task { try await load(car) }
            views[car] = .loading(task)
            return try await task.value
        }
    }

    private func load(_ car: CarAddress) async throws -> Shown {
        do {
            let shown = Shown(SeatMapText(try await store.seatMap(of: car, in: database)))
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
