/// The subscribers of channels in this process.
package struct NotificationSubscribers {
    package typealias Subscriber = AsyncStream<PostgresNotification>.Continuation

    private var subscribers: [String: [UInt64: Subscriber]] = [:]
    private var last: UInt64 = 0

    /// The maximum number of notifications buffered for a slow subscriber. Beyond that the oldest are dropped, and the
    /// subscriber receives `listening`, so that it reloads its state.
    package static let bufferSize = 1024

    package init() {}

    /// The channels with at least one subscriber.
    package var channels: Set<String> { Set(subscribers.keys) }
    package var all: [Subscriber] { subscribers.values.flatMap(\.values) }

    /// - Returns: The id under which it is removed.
    package mutating func add(_ subscriber: Subscriber, to channel: String) -> UInt64 {
        last += 1
        subscribers[channel, default: [:]][last] = subscriber
        return last
    }

    package mutating func remove(_ id: UInt64, from channel: String) {
        subscribers[channel]?[id] = nil
        if subscribers[channel]?.isEmpty == true { subscribers[channel] = nil }
    }

    package func deliver(_ notification: PostgresNotification, on channel: String) {
        for subscriber in (subscribers[channel] ?? [:]).values {
            if case .dropped = subscriber.yield(notification) { subscriber.yield(.listening) }
        }
    }
}
