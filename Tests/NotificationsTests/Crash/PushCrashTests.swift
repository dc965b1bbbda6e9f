import Authentication
import Contracts
import FoundationEssentials
import NIOHTTP1
import Postgres
import TestKit
import Testing

@testable import Notifications

/// Two copies of the service send 10,000 messages for 2,000 devices to FCM, while both are killed repeatedly.
@Suite(.timeLimit(.minutes(5)))
struct PushCrashTests {
    private static let phones = 2000
    private static let rounds = 5

    @Test
    func pushes_afterProcessCrashes_areSentInOrder() async throws {
        try await CrashHarness.run(schema: "notifications", settings: [:], ["sandbox", "first", "second"]) {
            name,
            harness in
            guard name != "sandbox" else { return .init("sandbox", environment: ["PORTONE_WEBHOOK_URL": ""]) }
            let sandbox = harness.url("sandbox")
            return .init(
                "notifications",
                environment: [
                    "DATABASE_URL": try harness.databaseURL, "AUTH_URL": "http://127.0.0.1:9",
                    "FCM_URL": "\(sandbox)/fcm",
                    "FCM_CREDENTIALS": "\(sandbox)/_control/fcm/service-accounts/madang-*",
                    // A copy takes over another's pushes after six times this limit; a busy machine is slow.
                    "FCM_TIMEOUT": "3", "FCM_CONCURRENCY": "64",
                ]
            )
        } _: { harness, database in
            try await Self.addDevices(database)
            _ = try await harness.call("sandbox", .POST, "/_control/fcm/latency", json: #"{"ms":20}"#)
            async let delivered: Void = Self.deliver(to: harness)
            let kills = try await Self.crash(harness)
            try await delivered
            try await eventually("all pushes are sent", within: .seconds(240)) {
                try await database.one("SELECT count(*) FROM pushes") { try $0.decode(Int.self) } == 0
            }
            try await Self.check(kills, harness)
        }
    }

    private static func addDevices(_ database: PostgresClient) async throws {
        try await database.execute(
            """
            WITH phones AS (
                INSERT INTO devices (app, account_id, session_id, token, digest, since)
                SELECT 'anlaka', n, 's' || n, 't' || n, sha256(convert_to('t' || n, 'UTF8')), now()
                FROM generate_series(1, \(phones)) n RETURNING id, app
            )
            INSERT INTO mailboxes (device_id, app) SELECT id, app FROM phones
            """
        )
    }

    // MARK: What happens

    /// Delivers all events as a relay does: to either copy, until it confirms.
    private static func deliver(to harness: CrashHarness) async throws {
        let chat = (InternalIdentity(caller: .chat), ServiceName.notifications)
        for round in 1...rounds {
            for first in stride(from: 1, through: phones, by: 100) {
                let json = try events(round, first..<first + 100)
                var copy = round
                while true {
                    let name = copy.isMultiple(of: 2) ? "first" : "second"
                    let answer = try? await harness.call(name, .POST, "/internal/events", json: json, as: chat)
                    if answer?.status == 204 { break }
                    copy += 1
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
        }
    }

    private static func events(_ round: Int, _ accounts: Range<Int>) throws -> String {
        let events = try accounts.map { account in
            let message = ChatEvents.MessageSent(
                app: .anlaka,
                room: PublicID.random(),
                sequence: 1,
                sender: 1_000_000,
                recipient: AccountID(rawValue: Int64(account)),
                text: "\(round)",
                files: 0,
                isSeen: false
            )
            let body = String(decoding: try JSONEncoder().encode(message), as: UTF8.self)
            return #"{"id":"\#(UUID())","name":"\#(ChatEvents.MessageSent.name)","body":\#(body)}"#
        }
        return #"{"events":[\#(events.joined(separator: ","))]}"#
    }

    /// Kills and restarts one copy after the other while pushes are queued.
    ///
    /// - Returns: The times of the kills.
    private static func crash(_ harness: CrashHarness) async throws -> [Date] {
        var kills: [Date] = []
        for number in 0..<8 {
            let name = number.isMultiple(of: 2) ? "first" : "second"
            try await Task.sleep(for: .milliseconds(Int.random(in: 100...600)))
            await harness.kill(name)
            kills.append(.now)
            try await harness.start(name)
        }
        return kills
    }

    // MARK: What FCM has seen

    private struct Record: Decodable {
        struct Message: Decodable {
            var token: String
            var body: String
            var push: String
            var at: String
            var answered: Bool

            enum CodingKeys: String, CodingKey {
                case token, body, at, answered
                case push = "apns_id"
            }
        }
        var messages: [Message]
    }

    private static func check(_ kills: [Date], _ harness: CrashHarness) async throws {
        let answer = try await harness.call("sandbox", .GET, "/_control/push?limit=200000")
        let messages = Array(try answer.json(Record.self).messages.reversed())
        let pushes = Dictionary(grouping: messages, by: \.push)
        #expect(pushes.count == phones * rounds)
        let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        var repeated = 0
        for tries in pushes.values {
            #expect(Set(tries.map { $0.token + $0.body }).count == 1)
            for (earlier, later) in zip(tries, tries.dropFirst()) where earlier.answered {
                // The copy that received FCM's response was killed before it recorded the response.
                let between = try Date(earlier.at, strategy: format) - 0.1...Date(later.at, strategy: format)
                #expect(
                    kills.contains { between.contains($0) },
                    "\(earlier.token) \(earlier.body) was answered and sent again"
                )
            }
            if tries.count > 1 { repeated += 1 }
        }
        print(
            "\(messages.count) tries for \(pushes.count) pushes, \(repeated) of them sent again, \(kills.count) kills"
        )
        var shown: [String: [String]] = [:]
        var seen: Set<String> = []
        for message in messages where seen.insert(message.push).inserted {
            shown[message.token, default: []].append(message.body)
        }
        #expect(shown.count == phones)
        let order = (1...rounds).map(String.init)
        #expect(shown.values.allSatisfy { $0 == order })
    }
}
