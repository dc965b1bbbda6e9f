import Contracts
import Sockets
import Synchronization

/// A client connected to the stream, and its subscriptions.
final class StreamClient: Sendable {
    let app: App
    let account: AccountID
    let session: String?
    private let state = Mutex(State())

    private struct State {
        var rooms: [STOMPSubscription: StreamRoom] = [:]
        /// Time of the last typing notification, by the client's ID of the room.
        var typed: [String: ContinuousClock.Instant] = [:]
    }

    /// Minimum interval between two typing notifications in a room.
    static let typingPause = Duration.seconds(1)

    init(app: App, account: AccountID, session: String?) {
        self.app = app
        self.account = account
        self.session = session
    }

    /// A client that comes from another copy.
    convenience init(_ record: StreamRecord, at now: ContinuousClock.Instant = .now) {
        self.init(app: record.app, account: record.account, session: record.session)
        state.withLock { $0.typed = record.typed.mapValues { now - .milliseconds($0) } }
    }

    /// What another copy needs to know of the client.
    func record(at now: ContinuousClock.Instant = .now) -> StreamRecord {
        let typed = state.withLock(\.typed).mapValues { Int64((now - $0) / .milliseconds(1)) }
        return StreamRecord(app: app, account: account, session: session, typed: typed)
    }

    func add(_ room: StreamRoom) {
        state.withLock { $0.rooms[room.subscription] = room }
    }

    func room(of subscription: STOMPSubscription) -> StreamRoom? {
        state.withLock { $0.rooms[subscription] }
    }

    func remove(_ subscription: STOMPSubscription) -> StreamRoom? {
        state.withLock { $0.rooms.removeValue(forKey: subscription) }
    }

    func removeAll() -> [StreamRoom] {
        state.withLock { state in
            defer { state.rooms = [:] }
            return Array(state.rooms.values)
        }
    }

    /// Whether a typing notification may be sent now; more frequent ones are dropped.
    func allowsTyping(in room: String, at now: ContinuousClock.Instant = .now) -> Bool {
        state.withLock { state in
            state.typed = state.typed.filter { now - $0.value < Self.typingPause }
            guard state.typed[room] == nil else { return false }
            state.typed[room] = now
            return true
        }
    }
}
