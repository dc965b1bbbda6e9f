import Contracts
import FoundationEssentials
import Postgres

/// Whose phone is where. A token has one owner: whoever signed in with it last; a session has one phone.
struct Devices: Sendable {
    let database: PostgresClient
    let now: @Sendable () -> Date
    private let store = DeviceStore()

    /// What FCM takes, in bytes.
    static let longestToken = 4096
    /// Days for which sessions that have ended, and tokens that were let go of, are remembered: longer than any news of them
    /// are on their way.
    private static let memory: TimeInterval = 30 * 86_400

    init(database: PostgresClient, now: @escaping @Sendable () -> Date) {
        self.database = database
        self.now = now
    }

    /// A signed-in phone says which token it has; an empty one takes back what the session has said.
    ///
    /// - Throws: `NotificationsError.rule` for what cannot be a token.
    func register(_ token: String, of account: Int64, session: String, in app: App) async throws {
        let token = try Self.checked(token)
        try await database.transaction { transaction in
            if token.isEmpty {
                try await transaction.run([store.lock(account)])
                try await store.release(session: session, at: now(), in: transaction)
            } else {
                let device = Device(app: app, account: account, session: session, token: token, since: now())
                try await claim(device, in: transaction)
            }
        }
    }

    /// A phone gave its token when it signed in. One that cannot be a token is nobody's.
    func receive(_ event: AuthEvents.PushTokenReceived, in transaction: PostgresTransaction) async throws {
        guard let token = try? Self.checked(event.token), !token.isEmpty else { return }
        let device = Device(
            app: event.app,
            account: event.account,
            session: event.session,
            token: token,
            since: event.at ?? now()
        )
        try await claim(device, in: transaction)
    }

    /// Keeps what a phone has said, unless somebody has given the same since, or the session has ended.
    private func claim(_ device: Device, in transaction: PostgresTransaction) async throws {
        let (_, isOver, known) = try await transaction.run(
            store.lock(device.account, token: device.token),
            store.isOver(device),
            store.devices(of: device)
        )
        guard isOver != true else { return }
        let digest = Device.digest(of: device.token)
        let bySession = known.first { $0.session == device.session }
        let byToken = known.first { $0.digest == digest }
        switch DeviceClaim.of(device, bySession: bySession, byToken: byToken) {
        case .insert(let former):
            try await store.delete(former, in: transaction)
            try await store.insert(device, in: transaction)
        case .renew(let id, let former):
            try await store.delete(former, in: transaction)
            try await store.update(id, to: device, in: transaction)
        case .confirm(let id):
            try await store.update(id, to: device, in: transaction)
        case .ignore:
            break
        }
    }

    /// A session has ended: its phone is nobody's, now and whatever arrives later.
    func end(session: String, of account: Int64, in transaction: PostgresTransaction) async throws {
        try await transaction.run([store.lock(account)])
        try await store.end(session: session, at: now(), in: transaction)
    }

    /// Somebody has left.
    func forget(_ account: Int64, in transaction: PostgresTransaction) async throws {
        try await transaction.run([store.lock(account)])
        try await store.release(account: account, at: now(), in: transaction)
    }

    /// Forgets what no news can be on their way of any more.
    func prune() async throws {
        try await store.prune(before: now() - Self.memory, in: database)
    }

    private static func checked(_ token: String) throws -> String {
        guard token.utf8.count <= longestToken else {
            throw NotificationsError.rule("The token must have at most \(longestToken) bytes.")
        }
        guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw NotificationsError.rule("The token must be of visible ASCII characters without spaces.")
        }
        return token
    }
}
