import Contracts
import FoundationEssentials
import Postgres
import ServiceDatabase
import ServiceKit
import Values

/// SQL of pushes. Every change requires a lock on the mailbox.
struct PushStore: Sendable {
    /// Inserts one row per device of the recipients. A pending row of the same grouping gets the new content.
    func insert(_ orders: [ScheduledPush], to apps: Set<App>, at now: Date) throws -> Statement<Int> {
        let contents = orders.map(\.content)
        return .execute(
            """
            INSERT INTO pushes (device_id, kind, title, subtitle, body, data, thread, collapse_id, sender_id, grouping,
                group_start, first_message, last_message, due_at, created_at, trace)
            SELECT m.device_id, o.kind, NULLIF(o.title, ''), NULLIF(o.subtitle, ''), o.body, o.data, NULLIF(o.thread, ''),
                NULLIF(o.collapse, ''), NULLIF(o.sender, 0), NULLIF(o.grouping, ''), NULLIF(o.start, 0), NULLIF(o.first, 0),
                NULLIF(o.last, 0), o.due, \(now), \(TraceContext.handedOn)
            FROM unnest(\(orders.map(\.account)), \(contents.map(\.kind)), \(contents.map { $0.title ?? "" }),
                \(contents.map { $0.subtitle ?? "" }), \(contents.map(\.body)), \(try contents.map { try $0.dataText }),
                \(contents.map { $0.thread ?? "" }), \(contents.map { $0.collapse ?? "" }),
                \(orders.map { $0.sender ?? .system }), \(orders.map { $0.grouping ?? "" }),
                \(orders.map { $0.messages?.groupStart ?? 0 }), \(orders.map { $0.messages?.first ?? 0 }),
                \(orders.map { $0.messages?.last ?? 0 }), \(orders.map(\.due)))
                WITH ORDINALITY
                AS o(account, kind, title, subtitle, body, data, thread, collapse, sender, grouping, start, first, last, due,
                    place)
                JOIN devices d ON d.account_id = o.account JOIN mailboxes m ON m.device_id = d.id
            WHERE d.app = ANY(\(apps.map(\.rawValue))) AND NOT EXISTS (SELECT FROM muted_kinds k WHERE k.account_id = o.account AND k.kind = o.kind)
            ORDER BY o.place, m.device_id
            ON CONFLICT (device_id, grouping) DO UPDATE SET title = excluded.title, subtitle = excluded.subtitle,
                body = excluded.body, data = excluded.data, revision = pushes.revision + 1, trace = excluded.trace,
                first_message = least(pushes.first_message, excluded.first_message),
                last_message = greatest(pushes.last_message, excluded.last_message)
            """
        )
    }

    /// The first due push in each mailbox.
    func first(of devices: [DeviceID], at now: Date, in database: some Querying) async throws -> [Push] {
        // What waits to be pushed is unread.
        let uncounted: SQL =
            Sabotage.badgeRace.isBuiltIn ? "- (SELECT count(*) FROM pushes w WHERE w.device_id = d.id)" : ""
        return try await database.all(
            """
            SELECT p.id, p.device_id, p.revision, d.app, d.account_id, d.token, p.message_id, p.kind, p.title, p.subtitle,
                p.body, p.data, p.thread, p.collapse_id, p.sender_id, p.created_at, p.attempts,
                p.trace,
                (SELECT coalesce(sum(unread), 0) FROM conversations c WHERE c.account_id = d.account_id AND unread > 0)
                    \(uncounted)
                    + (SELECT count(*) FROM (SELECT FROM alarms a
                        WHERE a.account_id = d.account_id AND read_at IS NULL LIMIT 999) unread)
            FROM unnest(\(devices)) AS t(device_id) JOIN devices d ON d.id = t.device_id CROSS JOIN LATERAL (
                SELECT * FROM pushes WHERE device_id = t.device_id AND due_at <= \(now) ORDER BY due_at, id LIMIT 1
            ) p WHERE d.account_id IS NOT NULL
            """
        ) { try $0.decode { try Push(&$0) } }
    }

    /// Deletes finished pushes, unless their content has changed meanwhile.
    func delete(_ pushes: [Push]) -> Statement<Int> {
        .execute(
            """
            DELETE FROM pushes p USING unnest(\(pushes.map(\.id)), \(pushes.map(\.revision))) AS t(id, revision)
            WHERE p.id = t.id AND p.revision = t.revision
            """
        )
    }

    /// Counts a failed attempt.
    func count(_ pushes: [Push]) -> Statement<Int> {
        .execute("UPDATE pushes SET attempts = attempts + 1 WHERE id = ANY(\(pushes.map(\.id)))")
    }

    /// Deletes devices that FCM no longer knows, unless their token has changed meanwhile.
    func deleteDevices(of pushes: [Push]) -> Statement<Int> {
        .execute(
            """
            DELETE FROM devices d USING unnest(\(pushes.map(\.device)), \(pushes.map(\.token))) AS t(id, token)
            WHERE d.id = t.id AND d.token = t.token
            """
        )
    }
}

extension PushContent {
    /// `data` as JSON with sorted keys.
    fileprivate var dataText: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(data), as: UTF8.self)
        }
    }
}

extension Push {
    fileprivate init(_ columns: inout Columns) throws {
        id = try columns.next()
        device = try columns.next()
        revision = try columns.next()
        app = try columns.next()
        account = try columns.next()
        token = try columns.next()
        message = try columns.next()
        content = PushContent(
            kind: try columns.next(),
            title: try columns.next(),
            subtitle: try columns.next(),
            body: try columns.next(),
            data: try JSONDecoder().decode([String: String].self, from: Data(try columns.next(String.self).utf8)),
            thread: try columns.next(),
            collapse: try columns.next()
        )
        sender = try columns.next()
        createdAt = try columns.next()
        attempts = try columns.next()
        trace = try columns.next()
        badge = try columns.next()
    }
}
