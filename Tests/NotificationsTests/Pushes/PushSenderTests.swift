import Contracts
import FoundationEssentials
import Postgres
import Synchronization
import TestKit
import Testing

@testable import Notifications

/// The sender of queued pushes.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1)))
struct PushSenderTests {
    let fixture = PushFixture()

    @Test
    func severalCopies_sendEachPushOnceInOrder() async throws {
        for account in 1...20 {
            try await fixture.register(AccountID(rawValue: Int64(account)), "a\(account)")
            try await fixture.register(AccountID(rawValue: Int64(account)), "b\(account)")
        }
        fixture.phones.answer { _, _ in
            try? await Task.sleep(for: .milliseconds(Int.random(in: 0...3)))
            return .sent
        }
        try await fixture.sending(copies: 3) {
            for number in 0..<10 {
                for account in 1...20 { try await fixture.push("\(number)", to: AccountID(rawValue: Int64(account))) }
            }
            try await eventually { try await fixture.waiting() == 0 }
        }
        for account in 1...20 {
            for phone in ["a", "b"] {
                #expect(fixture.phones.shown(on: "\(phone)\(account)") == (0..<10).map(String.init))
            }
        }
        #expect(Set(fixture.phones.tries.map(\.message)).count == 400)
    }

    /// Waits of a cancelled task end at once, and may not keep all processors from what ends the attempts.
    @Test(arguments: [1, 8])
    func cancelledSenders_endWithTheirAttempts(copies: Int) async throws {
        for account in 1...Int64(copies * 4) {
            try await fixture.register(AccountID(rawValue: account), "device-\(account)")
            try await fixture.push("text", to: AccountID(rawValue: account))
        }
        let release = AsyncStream<Void>.makeStream()
        let released = Task { for await _ in release.stream {} }
        fixture.phones.answer { _, _ in
            await released.value
            return .sent
        }
        var pace = PushPace()
        pace.concurrency = 1
        let senders = (0..<copies).map { [pace] _ in Task { try await fixture.sender(pace).run() } }
        try await eventually { fixture.phones.tries.count == copies }
        for sender in senders { sender.cancel() }
        try await Task.sleep(for: .milliseconds(50))
        release.continuation.finish()
        for sender in senders { _ = await sender.result }
    }

    @Test
    func failedPush_delaysLaterPushesOfDevice() async throws {
        try await fixture.register(1, "one")
        try await fixture.register(2, "two")
        fixture.phones.answer { push, before in push.token == "one" && before < 2 ? .later("503") : .sent }
        try await fixture.push("first", to: 1)
        try await fixture.push("second", to: 1)
        try await fixture.push("other", to: 2)
        try await fixture.sending {
            try await eventually { fixture.phones.shown(on: "two") == ["other"] }
            try await eventually { fixture.phones.tries.count { $0.token == "one" } == 1 }
            try await fixture.push("third", to: 1)
            for _ in 0..<3 {
                try await eventually { try await fixture.dueIn() != nil }
                fixture.clock.advance(by: 70)
            }
            try await eventually { try await fixture.waiting() == 0 }
        }
        #expect(fixture.phones.shown(on: "one") == ["first", "second", "third"])
        #expect(fixture.phones.tries.filter { $0.content.body == "first" }.map(\.attempts) == [0, 1, 2])
    }

    @Test
    func retryAfter_isHonoured() async throws {
        try await fixture.register(1, "one")
        fixture.phones.answer { push, before in
            push.content.body == "text" && before == 0 ? .later("429", after: 1800) : .sent
        }
        try await fixture.push("text", to: 1)
        try await fixture.sending {
            try await eventually { try await (fixture.dueIn() ?? 0) > 1700 }
            fixture.clock.advance(by: 1790)
            try await fixture.push("wakes", to: 1)
            try await Task.sleep(for: .milliseconds(100))
            #expect(fixture.phones.tries.count == 1)
            fixture.clock.advance(by: 20)
            try await eventually { try await fixture.waiting() == 0 }
        }
        #expect(fixture.phones.shown(on: "one") == ["text", "wakes"])
    }

    @Test
    func unregisteredDevice_isRemovedUnlessRenewed() async throws {
        try await fixture.register(1, "dead", session: "s1")
        try await fixture.register(1, "live", session: "s2")
        try await fixture.register(2, "old", session: "s3")
        let moved = Mutex(false)
        fixture.phones.answer { [fixture] push, _ in
            guard push.token != "live", push.token != "new" else { return .sent }
            if push.token == "old", !moved.withLock({ $0 }) {
                moved.withLock { $0 = true }
                try? await fixture.register(2, "new", session: "s3")
            }
            return .gone
        }
        for account in [AccountID(1), 2] {
            try await fixture.push("first", to: account)
            try await fixture.push("second", to: account)
        }
        try await fixture.sending { try await eventually { try await fixture.waiting() == 0 } }
        #expect(fixture.phones.shown(on: "live") == ["first", "second"])
        #expect(fixture.phones.tries.count { $0.token == "dead" } == 1)
        #expect(fixture.phones.shown(on: "new") == ["second"])
        let tokens = try await fixture.tokens()
        #expect(tokens == ["live", "new"])
    }

    @Test
    func refusedPush_isDropped() async throws {
        try await fixture.register(1, "one")
        fixture.phones.answer { push, _ in push.content.body == "bad" ? .refused("400") : .sent }
        try await fixture.push("bad", to: 1)
        try await fixture.push("good", to: 1)
        try await fixture.sending { try await eventually { try await fixture.waiting() == 0 } }
        #expect(fixture.phones.shown(on: "one") == ["good"])
        #expect(fixture.phones.tries.count == 2)
    }

    @Test
    func stalePush_isDroppedUnsent() async throws {
        try await fixture.register(1, "one")
        try await fixture.push("old", to: 1)
        fixture.clock.advance(by: 4 * 86_400)
        try await fixture.push("new", to: 1)
        try await fixture.sending { try await eventually { try await fixture.waiting() == 0 } }
        #expect(fixture.phones.shown(on: "one") == ["new"])
    }

    @Test
    func pushChangedDuringSending_isSentAgain() async throws {
        try await fixture.register(1, "one")
        let isFirst = Mutex(true)
        fixture.phones.answer { [fixture] push, _ in
            if isFirst.withLock({ first in
                defer { first = false }; return first
            }) {
                try? await fixture.push("3", to: 1, grouping: "room")
            }
            return .sent
        }
        try await fixture.push("2", to: 1, grouping: "room")
        try await fixture.sending { try await eventually { try await fixture.waiting() == 0 } }
        #expect(fixture.phones.shown(on: "one") == ["2", "3"])
    }

    @Test
    func scheduledPush_isSentWhenDue() async throws {
        try await fixture.register(1, "one")
        try await fixture.push("later", to: 1, after: 60)
        try await fixture.push("now", to: 1)
        try await fixture.sending {
            try await eventually { try await fixture.waiting() == 1 }
            fixture.clock.advance(by: 59)
            try await fixture.push("before", to: 1)
            try await eventually { try await fixture.waiting() == 1 }
            fixture.clock.advance(by: 2)
            try await eventually { try await fixture.waiting() == 0 }
        }
        #expect(fixture.phones.shown(on: "one") == ["now", "before", "later"])
    }
}

extension PushFixture {
    /// Seconds until the first postponed mailbox is due.
    func dueIn() async throws -> TimeInterval? {
        let due = try await database.one(
            "SELECT min(due_at) FROM mailboxes WHERE lease IS NULL AND due_at > \(clock.now)"
        ) { try $0.decode(Date?.self) }
        return due?.timeIntervalSince(clock.now)
    }

    /// The tokens of registered devices.
    func tokens() async throws -> [String] {
        try await database.all("SELECT token FROM devices WHERE account_id IS NOT NULL ORDER BY token") {
            try $0.decode(String.self)
        }
    }
}
