import NIOCore
import Synchronization

/// Which subscriptions receive what is published to a topic: a name that the service makes up, not necessarily a
/// destination.
///
/// Each event loop keeps the subscriptions of its own connections, so that a message is written to thousands of them
/// without a lock; publishing only tells the event loops that have any. All calls are possible from anywhere and return at
/// once; what one caller does in some order takes effect in that order.
package final class STOMPHub: Sendable {
    private struct State {
        var shards: [ObjectIdentifier: Shard] = [:]
        /// How many subscriptions each event loop has for a topic, those that are on their way included.
        var topics: [String: [ObjectIdentifier: Int]] = [:]
    }

    private struct Shard: Sendable {
        let eventLoop: any EventLoop
        let box: NIOLoopBoundBox<STOMPShard?>
    }

    private let state = Mutex(State())

    package init() {}

    // MARK: Subscriptions

    /// From now on messages of the topic are kept for this subscription; nothing is delivered before `open`.
    package func hold(_ subscription: STOMPSubscription, on connection: STOMPConnection, topic: String) {
        enter(topic, connection) { $0.hold(subscription, of: connection.outlet.value, topic: topic) }
    }

    /// Delivers `replay`, then what was kept, then what comes. Of the messages of the topic those with an id up to
    /// `through` are dropped, since the replay tells of them: a snapshot and a stream without a gap or a double.
    ///
    /// Without `hold` before it, messages count from this call on.
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

    /// Takes a subscription from a topic, or from all. When it ends, or its connection does, this happens by itself.
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

    /// Counts the place at once, so that what is published after this call reaches it.
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
            state.topics[topic, default: [:]][loop, default: 0] += 1
            shard.eventLoop.execute { [self] in
                let here = shard.box.value ?? STOMPShard(hub: self, eventLoop: shard.eventLoop)
                shard.box.value = here
                if body(here)?.isNew != true { left(topic, on: loop) }
            }
        }
    }

    /// A place is gone.
    func left(_ topic: String, on loop: ObjectIdentifier) {
        state.withLock { state in
            guard let count = state.topics[topic]?[loop] else { return }
            state.topics[topic]?[loop] = count > 1 ? count - 1 : nil
            if state.topics[topic]?.isEmpty == true { state.topics[topic] = nil }
        }
    }

    // MARK: Messages

    /// Sends a message to every subscription of a topic. All sockets see the messages of a topic in the order of these
    /// calls.
    package func publish(_ message: STOMPMessage, to topic: String) {
        state.withLock { state in
            for loop in (state.topics[topic] ?? [:]).keys {
                guard let shard = state.shards[loop] else { continue }
                shard.eventLoop.execute { shard.box.value?.publish(message, to: topic) }
            }
        }
    }

    /// Whether anybody here would receive what is published.
    package func hasSubscribers(_ topic: String) -> Bool {
        state.withLock { $0.topics[topic] != nil }
    }

    /// The topics that somebody here is subscribed to.
    package var topics: Set<String> {
        state.withLock { Set($0.topics.keys) }
    }
}
