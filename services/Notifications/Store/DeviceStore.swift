import Contracts
import FoundationEssentials
import Postgres
import ServiceDatabase

/// SQL of devices.
struct DeviceStore: Sendable {
    /// Locks an account's devices and the ownership of a token until the transaction ends.
    func lock(_ account: AccountID, token: String? = nil) -> Statement<Int> {
        let names = ["account \(account)"] + (token.map { ["token \($0)"] } ?? [])
        return .execute(
            """
            SELECT pg_advisory_xact_lock(key) FROM (
                SELECT hashtextextended('devices ' || current_schema() || ' ' || name, 0) AS key FROM unnest(\(names)) AS name ORDER BY 1
            ) k
            """
        )
    }

    /// Whether the session has ended or the account was withdrawn.
    func isOver(_ device: Device) -> Statement<Bool?> {
        .optional(
            """
            SELECT EXISTS (SELECT FROM ended_sessions WHERE session_id = \(device.session))
                OR EXISTS (SELECT FROM people WHERE account_id = \(device.account) AND withdrawn_at IS NOT NULL)
            """
        ) { try $0.decode(Bool.self) }
    }

    /// The device of the session and the device with the token.
    func devices(of device: Device) -> Statement<[StoredDevice]> {
        .all(
            """
            SELECT id, account_id, session_id, digest, since FROM devices
            WHERE session_id = \(device.session) OR digest = \(Device.digest(of: device.token)) ORDER BY id FOR UPDATE
            """
        ) { row in
            let (id, account, session, digest, since) = try row.decode(
                as: (DeviceID, AccountID?, String?, [UInt8], Date).self
            )
            return StoredDevice(id: id, account: account, session: session, digest: digest, since: since)
        }
    }

    func insert(_ device: Device, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            """
            WITH device AS (
                INSERT INTO devices (app, account_id, session_id, token, digest, since)
                VALUES (\(device.app), \(device.account), \(device.session), \(device.token),
                    \(Device.digest(of: device.token)), \(device.since))
                RETURNING id, app
            )
            INSERT INTO mailboxes (device_id, app) SELECT id, app FROM device
            """
        )
    }

    func update(_ id: DeviceID, to device: Device, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            """
            UPDATE devices SET account_id = \(device.account), token = \(device.token),
                digest = \(Device.digest(of: device.token)), since = \(device.since)
            WHERE id = \(id)
            """
        )
    }

    func delete(_ id: DeviceID?, in transaction: PostgresTransaction) async throws {
        guard let id else { return }
        try await transaction.execute("DELETE FROM devices WHERE id = \(id)")
    }

    // MARK: Releasing

    /// Records that a session has ended, and releases its device.
    func end(session: String, at now: Date, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            """
            INSERT INTO ended_sessions (session_id, ended_at) VALUES (\(session), \(now)) ON CONFLICT DO NOTHING
            """
        )
        try await release(session: session, at: now, in: transaction)
    }

    func release(session: String, at now: Date, in transaction: PostgresTransaction) async throws {
        try await release("session_id = \(session)", at: now, in: transaction)
    }

    func release(account: AccountID, at now: Date, in transaction: PostgresTransaction) async throws {
        try await release("account_id = \(account)", at: now, in: transaction)
    }

    /// Removes the owner of devices. Pending pushes are deleted with the mailbox.
    private func release(_ condition: SQL, at now: Date, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            """
            WITH gone AS (DELETE FROM devices WHERE \(condition) RETURNING app, digest, since)
            INSERT INTO devices (app, token, digest, since) SELECT app, '', digest, greatest(since, \(now)) FROM gone
            """
        )
    }
}
