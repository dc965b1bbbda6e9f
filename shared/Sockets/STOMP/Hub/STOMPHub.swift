import NIOCore
import Synchronization

/// Distributes published messages to the subscriptions of a topic. A topic is a name chosen by the service, not
/// necessarily a destination.
///
/// Each event loop manages the subscriptions of its own connections, so that a message is written to thousands of them
/// without a lock; publishing only notifies event loops with subscriptions. All methods are thread-safe and return
/// immediately; the calls of one caller take effect in order.
package final class STOMPHub: Sendable {
    private struct State {
        var shards: [ObjectIdentifier: Shard] = [:]
        /// The number of subscriptions to a topic per event loop, including pending ones.
        var topics: [String: [ObjectIdentifier: Int]] = [:]
    }

    private struct Shard: Sendable {
        let eventLoop: any EventLoop
        let box: NIOLoopBoundBox<STOMPShard?>
    }

    private let state = Mutex(State())
    private let changed: @Sendable (_ topic: String, _ hasSubscribers: Bool) -> Void

    /// - Parameter changed: Called when a topic has got its first subscription, including pending ones, or has lost its last
    ///   one, in order; must not block.
    package init(changed: @escaping @Sendable (_ topic: String, _ hasSubscribers: Bool) -> Void = { _, _ in }) {
        self.changed = changed
    }

    // MARK: Subscriptions

    /// Buffers messages of the topic for this subscription from now on; nothing is delivered before `open`.
    package func hold(_ subscription: STOMPSubscription, on connection: STOMPConnection, topic: String) {
        enter(topic, connection) { $0.hold(subscription, of: connection.outlet.value, topic: topic) }
    }

    /// Delivers `replay`, then the buffered messages, then new ones. Messages of the topic with an id up to `through`
    /// are dropped, because the replay covers them: together this gives a snapshot and a stream without gaps or
    /// duplicates.
    ///
    /// Without a preceding `hold`, messages are delivered from this call on.
    package func open(
        _ subscription: STOMPSubscription,
        on connection: STOMPConnection,
        topic: String,
        replay: [STOMPMessage] = [],
        through: Int64 = .min
    ) {
        enter(topic, connection) { shard in
            let place = shard.hold(subscription, of: connection.outlet.value, topic: topic)
            place.map { shard.open($0.place, replay: replay, through: through) }
            return place
        }
    }

    /// Removes a subscription from one topic, or from all. This happens automatically when the subscription or its
    /// connection ends.
    package func remove(
        _ subscription: STOMPSubscription,
        on connection: STOMPConnection,
        topic: String? = nil
    ) {
        connection.eventLoop.execute { [self] in
            let outlet = connection.outlet.value
            let leaves = { (place: STOMPPlace) in
                place.hub === self && place.subscription == subscription && (topic == nil || place.topic == topic)
            }
            for place in outlet.places where leaves(place) { place.leave() }
            outlet.places.removeAll(where: leaves)
        }
    }

    /// What a subscription has got of each topic: the highest id that was delivered or that the replay covered. Topics
    /// that are not open yet are left out. Called on the connection's event loop.
    package func positions(of subscription: STOMPSubscription, on connection: STOMPConnection) -> [String: Int64] {
        let places = connection.outlet.value.places.filter { place in
            place.hub === self && place.subscription == subscription && place.kept == nil
        }
        return Dictionary(places.map { ($0.topic, $0.last) }) { first, _ in first }
    }

    /// Counts the subscription immediately, so that messages published after this call reach it.
    private func enter(
        _ topic: String,
        _ connection: STOMPConnection,
        _ body: @escaping @Sendable (STOMPShard) -> (place: STOMPPlace, isNew: Bool)?
    ) {
        let loop = ObjectIdentifier(connection.eventLoop)
        state.withLock { state in
            let shard =
                state.shards[loop]
                ?? Shard(eventLoop: connection.eventLoop, box: .makeEmptyBox(eventLoop: connection.eventLoop))
            state.shards[loop] = shard
            if state.topics[topic] == nil { changed(topic, true) }
            state.topics[topic, default: [:]][loop, default: 0] += 1
            shard.eventLoop.execute { [self] in
                let here = shard.box.value ?? STOMPShard(hub: self, eventLoop: shard.eventLoop)
                shard.box.value = here
                if body(here)?.isNew != true { left(topic, on: loop) }
            }
        }
    }

    /// Handles the removal of a subscription from a topic.
    func left(_ topic: String, on loop: ObjectIdentifier) {
        state.withLock { state in
            guard let count = state.topics[topic]?[loop] else { return }
            state.topics[topic]?[loop] = count > 1 ? count - 1 : nil
            guard state.topics[topic]?.isEmpty == true else { return }
            state.topics[topic] = nil
            changed(topic, false)
        }
    }

    // MARK: Messages

    /// Sends a message to every subscription of a topic. All sockets receive the messages of a topic in the order of
    /// these calls.
    ///
    /// - Returns: The number of subscriptions, including pending ones.
    @discardableResult
    package func publish(_ message: STOMPMessage, to topic: String) -> Int {
        state.withLock { state in
            let subscriptions = state.topics[topic] ?? [:]
            for loop in subscriptions.keys {
                guard let shard = state.shards[loop] else { continue }
                shard.eventLoop.execute { shard.box.value?.publish(message, to: topic) }
            }
            return subscriptions.values.reduce(0, +)
        }
    }

    /// Whether this process has subscriptions to a topic.
    package func hasSubscribers(_ topic: String) -> Bool {
        state.withLock { $0.topics[topic] != nil }
    }

    /// The topics with subscriptions in this process.
    package var topics: Set<String> {
        state.withLock { Set($0.topics.keys) }
    }
}
