import Contracts
import FoundationEssentials
import Postgres

/// Devices and their owners. A token belongs to the account that has registered it last; a session has one device.
struct Devices: Sendable {
    let database: PostgresClient
    let now: @Sendable () -> Date
    private let store = DeviceStore()

    /// FCM's limit, in bytes.
    static let longestToken = 4096

    /// Registers the token of a signed-in session; an empty token removes the session's registration.
    ///
    /// - Throws: `NotificationsError.rule` when the token is invalid.
    func register(_ token: String, of account: AccountID, session: String, in app: App) async throws {
        let token = try Self.checked(token)
        try await database.transaction(key: "account \(account)") { transaction in
            if token.isEmpty {
                try await transaction.run([store.lock(account)])
                try await store.release(session: session, at: now(), in: transaction)
            } else {
                let device = Device(app: app, account: account, session: session, token: token, since: now())
                try await claim(device, in: transaction)
            }
        }
    }

    /// Registers the token of a sign-in. An invalid one is ignored.
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

    /// Stores a registration, unless a later one exists or the session has ended.
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

    /// Releases the device of an ended session, and blocks later registrations by it.
    func end(session: String, of account: AccountID, in transaction: PostgresTransaction) async throws {
        try await transaction.run([store.lock(account)])
        try await store.end(session: session, at: now(), in: transaction)
    }

    /// Releases the devices of a withdrawn account.
    func forget(_ account: AccountID, in transaction: PostgresTransaction) async throws {
        try await transaction.run([store.lock(account)])
        try await store.release(account: account, at: now(), in: transaction)
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
