import AppClients
import Postgres
import PostgresServer
import StackKit

/// Compares what was confirmed to clients with what the database, the sockets and the devices have in the end.
struct UpgradeCheck {
    let users: AppUsers
    let confirmed: AppTraffic.Confirmed
    let sockets: AppSockets
    let record: AppRecord
    let programs: Programs
    let database: PostgresClient

    private static let schemas = [
        "auth", "seats", "workforce", "estate", "community", "chat", "payments", "notifications",
    ]

    func run() async throws {
        await waitForEvents()
        try await compareTexts()
        try await compareNicknames()
        try await comparePushes()
        try await compareSockets()
    }

    /// Waits until every event has been delivered, and every push sent.
    private func waitForEvents() async {
        var waiting: [String] = []
        let outboxes = Self.schemas.filter { $0 != "notifications" }
        do {
            try await waitUntil("all events are delivered", every: .milliseconds(100)) {
                waiting = []
                for schema in outboxes {
                    waiting += try await database.all(
                        """
                        SELECT format('an event of %s for %s: %s', \(schema), subscriber, coalesce(last_error, 'not tried'))
                        FROM \(identifier: schema).outbox_deliveries LIMIT 10
                        """
                    ) { try $0.decode(String.self) }
                }
                let pushes = try await database.one("SELECT count(*) FROM notifications.pushes") {
                    try $0.decode(Int.self)
                }
                if pushes > 0 { waiting.append("\(pushes) pushes") }
                return waiting.isEmpty
            }
        } catch {
            for one in waiting { record.lost(one) }
            if waiting.isEmpty { record.lost("\(error)") }
        }
    }

    /// Records what is missing of the confirmed texts, and what is there more than once.
    private func compare(_ confirmed: Set<String>, with found: [String], _ place: String) {
        var counts: [String: Int] = [:]
        for text in found { counts[text, default: 0] += 1 }
        for text in confirmed where counts[text] == nil { record.lost("\(text) is not \(place)") }
        for (text, count) in counts where count > 1 { record.doubled("\(text) is \(count) times \(place)") }
    }

    private func texts(_ sql: SQL) async throws -> [String] {
        try await database.all(sql) { try $0.decode(String.self) }
    }

    private func compareTexts() async throws {
        compare(confirmed.messages, with: try await texts("SELECT content FROM chat.messages"), "in the rooms")
        compare(confirmed.comments, with: try await texts("SELECT content FROM community.comments"), "below the post")
        // Written from an event of community.
        let alarms = try await texts("SELECT body FROM notifications.alarms WHERE body LIKE 'comment %'")
        compare(confirmed.comments, with: alarms, "in the author's notifications")
    }

    /// Nicknames reach the other services by events of auth.
    private func compareNicknames() async throws {
        let stored = try await texts("SELECT nickname FROM auth.accounts WHERE app = 'anlaka'")
        if !confirmed.nicknames.isEmpty, confirmed.nicknames.isDisjoint(with: stored) {
            record.lost("no new nickname is stored")
        }
        for schema in ["chat", "community", "estate", "payments", "notifications"] {
            let old = try await texts(
                """
                SELECT format('%s is %s in %s', a.nickname, p.nickname, \(schema))
                FROM auth.accounts a JOIN \(identifier: schema).people p ON p.account_id = a.id
                WHERE a.app = 'anlaka' AND p.nickname <> a.nickname
                """
            )
            for one in old { record.lost(one) }
        }
    }

    private func comparePushes() async throws {
        let pushes = try await SandboxClient(programs.sandboxURL).get("push?token=\(users.device)&limit=200000").json()
        let texts = pushes["messages"]?.elements.compactMap { $0["body"]?.string } ?? []
        compare(confirmed.comments, with: texts, "among the pushes of the author's device")
    }

    private func compareSockets() async throws {
        let rooms = try await database.all("SELECT public_id, last_sequence FROM chat.rooms WHERE last_sequence > 0") {
            try $0.decode(String.self, Int64.self)
        }
        do {
            try await waitUntil("the sockets have caught up", every: .milliseconds(100)) {
                let seen = sockets.sequences
                return rooms.allSatisfy { seen[$0.0] == $0.1 }
            }
        } catch {
            let seen = sockets.sequences
            for (room, last) in rooms where seen[room] != last {
                record.lost("the socket of room \(room) is at \(seen[room] ?? 0) of \(last)")
            }
        }
        for passenger in users.passengers {
            let map = try await passenger.seats()
            do {
                try await waitUntil("the seats are shown", every: .milliseconds(100)) {
                    sockets.maps(of: passenger.train).subtracting([map]).isEmpty
                }
            } catch {
                record.lost("sockets of train \(passenger.train) show other seats")
            }
        }
    }
}
