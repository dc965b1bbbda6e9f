package import Logging
import Metrics
package import NATS
package import Postgres
import Synchronization

/// Announces by NATS core: to the copies that watch what an announcement is about, without the database.
///
/// The subject of an announcement is `prefix.database.schema.channel`, followed by what it is about: `….chat_live.room.7`.
/// This copy receives its own announcements directly.
///
/// Announcements are lost while a server cannot be reached, so subscribers are made to reload: now and then, each second
/// while this copy is not connected or does not hear another one, and when it is connected or hears that one again; and
/// those of the other copies when this one may have lost announcements to them, by a message to `prefix.database.schema`.
/// Copies give each other signs by the subject `prefix.database.schema.=`, which no channel has.
package final class NATSAnnouncer: Announcer {
    package struct Limits: Sendable {
        package var client = NATSClient.Limits()
        /// The time between two reloads without a connection.
        package var pauseWhileLost = Duration.seconds(1)
        /// The number of such times between two reloads with a connection: another copy may have none.
        package var pausesWhileConnected = 15
        /// The time between two signs to the other copies.
        package var sign = Duration.milliseconds(500)
        /// The time without a sign after which another copy may not be heard.
        package var silence = Duration.milliseconds(1500)
        /// The time after which a copy without signs is forgotten.
        package var memory = Duration.seconds(60)
        /// The time between two measurements of the way of announcements.
        package var measurement = Duration.seconds(5)

        package init() {}
    }

    private let limits: Limits
    private let receivers: Receivers
    private let client: NATSClient
    /// The name of this copy among the others.
    private let copy = String(UInt64.random(in: 0 ... .max), radix: 36)
    private let time = Timer(label: "announcement_seconds")

    /// - Parameter scope: The tokens of subjects that are unique to a schema.
    package init(
        _ configuration: NATSConfiguration,
        scope: [String],
        applicationName: String,
        limits: Limits = Limits(),
        logger: Logger
    ) {
        self.limits = limits
        let root = ([configuration.prefix] + scope.map(Self.token)).joined(separator: ".")
        let receivers = Receivers(root: root, OtherCopies(silence: limits.silence, memory: limits.memory))
        self.receivers = receivers
        client = NATSClient(
            configuration,
            name: applicationName,
            limits: limits.client,
            logger: logger
        ) { event, client in
            receivers.receive(event, from: client)
        }
        client.subscribe(to: root)
        client.subscribe(to: receivers.signs)
    }

    // MARK: Announcer

    package func announce(_ announcements: [Announcement]) {
        for announcement in announcements {
            let channel = Self.token(announcement.channel)
            let keys = announcement.keys.isEmpty ? [""] : announcement.keys
            var payload = announcement.content ?? announcement.payload
            for key in keys {
                if !client.publish(payload, to: subject(channel, key)) {
                    receivers.state.withLock { $0.hasLost = true }
                }
                payload = announcement.payload
            }
            receivers.deliver(.message(announcement.payload), on: channel)
        }
    }

    package func notifications(on channel: String) -> AsyncStream<PostgresNotification> {
        AsyncStream(bufferingPolicy: .bufferingNewest(NotificationSubscribers.bufferSize)) { subscriber in
            add(subscriber, to: Self.token(channel))
        }
    }

    private func add(_ subscriber: NotificationSubscribers.Subscriber, to channel: String) {
        let added = receivers.state.withLock { state in
            state.hasEnded ? nil : (id: state.subscribers.add(subscriber, to: channel), phase: state.phase)
        }
        guard let (id, phase) = added else { return subscriber.finish() }
        let subject = subject(channel, "")
        client.subscribe(to: subject)
        subscriber.onTermination = { [receivers, client] _ in
            receivers.state.withLock { $0.subscribers.remove(id, from: channel) }
            client.unsubscribe(from: subject)
        }
        // The end of the first attempt to connect makes all subscribers reload.
        guard phase != .starting else { return }
        Task {
            await client.confirmSubscriptions()
            subscriber.yield(.listening)
        }
    }

    package func watch(_ key: String, on channel: String) {
        client.subscribe(to: subject(Self.token(channel), key))
    }

    package func unwatch(_ key: String, on channel: String) {
        client.unsubscribe(from: subject(Self.token(channel), key))
    }

    package func confirmWatches() async {
        await client.confirmSubscriptions()
    }

    package func check() async throws {
        try await client.check()
    }

    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.client.run() }
            group.addTask { await self.giveSigns() }
            group.addTask { await self.timeAnnouncements() }
            await reloadNowAndThen()
        }
        receivers.end()
    }

    package func drain() async {
        receivers.state.withLock { $0.hasLeft = true }
        client.publish(OtherCopies.leave(of: copy), to: receivers.signs)
        await client.confirm()
    }

    private func giveSigns() async {
        while (try? await Task.sleep(for: limits.sign)) != nil {
            let (phase, hasLeft) = receivers.state.withLock { ($0.phase, $0.hasLeft) }
            if hasLeft { return }
            if phase == .connected { client.publish(OtherCopies.sign(of: copy), to: receivers.signs) }
        }
    }

    /// Times how long the server takes to receive what was announced before and to answer, which is the way of an
    /// announcement to another copy; it sends none back to the copy that it is from.
    private func timeAnnouncements() async {
        while (try? await Task.sleep(for: limits.measurement)) != nil {
            let start = ContinuousClock.now
            if await client.confirm() { time.record(duration: .now - start) }
        }
    }

    private func reloadNowAndThen() async {
        var pauses = 0
        while (try? await Task.sleep(for: limits.pauseWhileLost * Double.random(in: 0.9...1.1))) != nil {
            pauses += 1
            let (phase, hearsAll) = receivers.state.withLock { ($0.phase, !$0.others.hasSilent(at: .now)) }
            switch phase {
            case .starting: continue
            case .lost: break
            case .connected: if hearsAll, pauses < limits.pausesWhileConnected { continue }
            }
            pauses = 0
            receivers.reload()
        }
    }

    // MARK: Subjects

    private func subject(_ channel: String, _ key: String) -> String {
        let tokens = key.split(separator: "/").map { $0 == "*" ? "*" : Self.token($0) }
        return ([receivers.root, channel] + tokens).joined(separator: ".")
    }

    /// A token of a subject: bytes that have a meaning there are `=` and two hexadecimal digits.
    private static func token(_ text: some StringProtocol) -> String {
        text.utf8.reduce(into: "") { token, byte in
            if byte.isSubjectCharacter {
                token.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                token += (byte < 16 ? "=0" : "=") + String(byte, radix: 16)
            }
        }
    }
}

/// What receives announcements in this process.
private final class Receivers: Sendable {
    enum Phase {
        /// The first attempt to connect has not ended.
        case starting
        case connected
        case lost
    }

    struct State {
        /// By the token of the channel.
        var subscribers = NotificationSubscribers()
        var phase = Phase.starting
        /// Whether announcements to other copies may have been lost.
        var hasLost = false
        /// Whether this copy has taken its leave of the others.
        var hasLeft = false
        var hasEnded = false
        var others: OtherCopies
    }

    /// What all subjects begin with.
    let root: String
    let state: Mutex<State>

    init(root: String, _ others: OtherCopies) {
        self.root = root
        state = Mutex(State(others: others))
    }

    /// The subject of the copies' signs.
    var signs: String { "\(root).=" }

    func receive(_ event: NATSClient.Event, from client: NATSClient) {
        switch event {
        case .connected:
            let hasLost = state.withLock { state in
                defer { (state.phase, state.hasLost) = (.connected, false) }
                state.others.forget()
                return state.hasLost
            }
            reload()
            if hasLost { client.publish("", to: root) }
        case .disconnected:
            state.withLock { ($0.phase, $0.hasLost) = (.lost, true) }
            reload()
        case .message(root, _):
            reload()
        case .message(signs, let payload):
            if state.withLock({ $0.others.receive(payload, at: .now) }) { reload() }
        case .message(let subject, let payload):
            guard subject.hasPrefix(root) else { return }
            let channel = subject.dropFirst(root.count + 1).prefix { $0 != "." }
            deliver(.message(payload), on: String(channel))
        }
    }

    func deliver(_ notification: PostgresNotification, on channel: String) {
        state.withLock { $0.subscribers.deliver(notification, on: channel) }
    }

    func reload() {
        state.withLock { state in
            for subscriber in state.subscribers.all { subscriber.yield(.listening) }
        }
    }

    func end() {
        let subscribers = state.withLock { state in
            state.hasEnded = true
            return state.subscribers.all
        }
        for subscriber in subscribers { subscriber.finish() }
    }
}
