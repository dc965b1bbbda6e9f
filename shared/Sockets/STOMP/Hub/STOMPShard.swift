import NIOCore

/// The subscriptions of one event loop's connections.
final class STOMPShard {
    /// The maximum number of messages buffered for a subscription before `open`; beyond it the connection is closed.
    private static let keptLimit = 1024
    /// The minimum time between two flushes, which equals two frames of a phone's display. A message after a pause is
    /// sent at once; in a burst messages wait up to this time and share system calls. System calls are most of the cost
    /// of a delivery: batching reduces its processor time to between a half and a fifth.
    private static let pace = TimeAmount.milliseconds(32)

    private unowned let hub: STOMPHub
    private let eventLoop: any EventLoop
    private var topics: [String: [STOMPPlace]] = [:]
    private var unflushed: [WebSocket] = []
    private var lastFlush = NIODeadline.uptimeNanoseconds(0)

    init(hub: STOMPHub, eventLoop: any EventLoop) {
        self.hub = hub
        self.eventLoop = eventLoop
    }

    /// Adds a subscription to a topic.
    ///
    /// - Returns: nil if the subscription has ended.
    func hold(
        _ subscription: STOMPSubscription,
        of outlet: STOMPOutlet,
        topic: String
    ) -> (place: STOMPPlace, isNew: Bool)? {
        guard outlet.has(subscription), !outlet.isLeaving else { return nil }
        let own = { (place: STOMPPlace) in
            place.hub === self.hub && place.topic == topic && place.subscription == subscription
        }
        if let place = outlet.places.first(where: own) { return (place, false) }
        let place = STOMPPlace(hub, self, subscription, of: outlet, topic: topic)
        place.index = topics[topic, default: []].count
        topics[topic, default: []].append(place)
        outlet.places.append(place)
        return (place, true)
    }

    func open(_ place: STOMPPlace, replay: [STOMPMessage], through: Int64) {
        let kept = place.kept ?? []
        place.kept = nil
        place.through = through
        place.last = max(place.last, through)
        for message in replay + kept.filter({ $0.id > through }) {
            var writer = STOMPMessageWriter(message)
            write(&writer, to: place)
        }
    }

    func publish(_ message: STOMPMessage, to topic: String) {
        var writer = STOMPMessageWriter(message)
        for place in topics[topic] ?? [] {
            if place.kept == nil {
                if message.id > place.through { write(&writer, to: place) }
            } else if place.kept?.count == Self.keptLimit {
                place.outlet.refuse(STOMPRefusal("This subscription fell too far behind."))
            } else {
                place.kept?.append(message)
            }
        }
    }

    func leave(_ place: STOMPPlace) {
        guard var places = topics.removeValue(forKey: place.topic) else { return }
        places.swapAt(place.index, places.count - 1)
        places[place.index].index = place.index
        places.removeLast()
        if !places.isEmpty { topics[place.topic] = places }
        hub.left(place.topic, on: ObjectIdentifier(eventLoop))
    }

    /// Writes a message and schedules the flush, so that one system call sends all messages of a socket in that time.
    private func write(_ writer: inout STOMPMessageWriter, to place: STOMPPlace) {
        guard let socket = place.outlet.socket else { return }
        let isFirst = !socket.hasUnflushed
        place.last = max(place.last, writer.message.id)
        writer.write(to: place.outlet, for: place.subscription)
        guard isFirst, socket.hasUnflushed else { return }
        if unflushed.isEmpty { scheduleFlush() }
        unflushed.append(socket)
    }

    private func scheduleFlush() {
        let loop = eventLoop.assumeIsolated()
        if eventLoop.now - lastFlush >= Self.pace {
            loop.execute { [self] in flush() }
        } else {
            _ = loop.scheduleTask(deadline: lastFlush + Self.pace) { [self] in flush() }
        }
    }

    private func flush() {
        let sockets = unflushed
        unflushed.removeAll(keepingCapacity: true)
        for socket in sockets { socket.flush() }
        lastFlush = eventLoop.now
    }
}

/// A subscription to a topic.
final class STOMPPlace {
    let hub: STOMPHub
    let subscription: STOMPSubscription
    let topic: String
    unowned let outlet: STOMPOutlet
    private let shard: STOMPShard
    /// Its index in the topic's list.
    var index = 0
    /// The messages buffered before `open`; nil afterwards.
    var kept: [STOMPMessage]? = []
    /// Messages up to this id are not delivered.
    var through = Int64.min
    /// The highest id that was delivered, or that the replay covered.
    var last = Int64.min

    init(
        _ hub: STOMPHub,
        _ shard: STOMPShard,
        _ subscription: STOMPSubscription,
        of outlet: STOMPOutlet,
        topic: String
    ) {
        self.hub = hub
        self.shard = shard
        self.subscription = subscription
        self.outlet = outlet
        self.topic = topic
    }

    func leave() {
        shard.leave(self)
    }
}
