import Contracts
import FoundationEssentials
import Postgres
import ServiceLifecycle
import Synchronization
import TestKit
import Testing

@testable import Notifications

/// Outages of FCM and of copies of the service.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1)))
struct PushOutageTests {
    let fixture = PushFixture()

    @Test
    func outage_isProbed_andPushesAreSentAfterwards() async throws {
        let isDown = Mutex(true)
        fixture.phones.answer { _, _ in isDown.withLock(\.self) ? .later("503") : .sent }
        for account in 1...200 { try await fixture.register(AccountID(rawValue: Int64(account)), "t\(account)") }
        var pace = PushPace()
        pace.concurrency = 8
        try await fixture.sending(pace) {
            for account in 1...200 { try await fixture.push("text", to: AccountID(rawValue: Int64(account))) }
            // One hour passes, minute by minute.
            try await eventually { fixture.phones.tries.count >= 5 }
            for _ in 0..<60 {
                fixture.clock.advance(by: 60)
                try await Task.sleep(for: .milliseconds(20))
            }
            let tried = fixture.phones.tries.count
            #expect(tried < 100, "FCM was tried \(tried) times while it was down")
            let waiting = try await fixture.waiting()
            #expect(waiting == 200)
            isDown.withLock { $0 = false }
            fixture.clock.advance(by: 120)
            try await eventually { try await fixture.waiting() == 0 }
        }
        #expect(fixture.phones.shownCount == 200)
    }

    @Test
    func outageOfOneApp_doesNotDelayOthers() async throws {
        fixture.phones.answer { push, _ in push.app == .moup ? .misconfigured("403") : .sent }
        try await fixture.register(1, "moup", app: .moup)
        try await fixture.register(2, "anlaka", app: .anlaka)
        try await fixture.sending {
            try await fixture.push("text", to: 1)
            try await eventually { fixture.phones.tries.count == 1 }
            for number in 0..<3 { try await fixture.push("\(number)", to: 2) }
            try await fixture.push("more", to: 1)
            try await eventually { fixture.phones.shown(on: "anlaka").count == 3 }
            try await eventually { try await fixture.waiting() == 2 }
        }
        #expect(fixture.phones.tries.count { $0.app == .moup } == 1)
    }

    @Test
    func rejectedCertificate_delaysItsPlatformOnly() async throws {
        let isRejected = Mutex(true)
        fixture.phones.answer { push, _ in
            push.token == "iphone" && isRejected.withLock(\.self) ? .platformRejected("401") : .sent
        }
        try await fixture.register(1, "iphone")
        try await fixture.register(2, "android")
        try await fixture.sending {
            try await fixture.push("first", to: 1)
            for turn in 1...6 {
                try await eventually { fixture.phones.tries.count { $0.token == "iphone" } == turn }
                try await fixture.push("\(turn)", to: 2)
                try await eventually { fixture.phones.shown(on: "android").count == turn }
                if turn == 6 { isRejected.withLock { $0 = false } }
                try await eventually { try await fixture.dueIn() != nil }
                fixture.clock.advance(by: 70)
            }
            try await eventually { fixture.phones.shown(on: "iphone") == ["first"] }
        }
    }

    @Test
    func newPush_precedesBacklog() async throws {
        for account in 1...300 { try await fixture.register(AccountID(rawValue: Int64(account)), "t\(account)") }
        for account in 1...299 { try await fixture.push("old", to: AccountID(rawValue: Int64(account))) }
        fixture.clock.advance(by: 60)
        var pace = PushPace()
        pace.lateRate = 10
        try await fixture.sending(pace) {
            try await eventually { fixture.phones.shownCount > 0 }
            try await fixture.push("new", to: 300)
            try await eventually { fixture.phones.shown(on: "t300") == ["new"] }
            let waiting = try await fixture.waiting()
            #expect(waiting > 200)
        }
    }

    @Test
    func killedCopy_pushesAreSentAfterLease() async throws {
        try await fixture.register(1, "one")
        try await fixture.push("text", to: 1)
        fixture.phones.answer { _, _ in
            try? await Task.sleep(for: .seconds(60))
            return .later("never answered")
        }
        try await fixture.sending { try await eventually { fixture.phones.tries.count == 1 } }
        fixture.phones.answer { _, _ in .sent }
        try await fixture.sending {
            try await Task.sleep(for: .milliseconds(100))
            #expect(fixture.phones.tries.count == 1)
            fixture.clock.advance(by: PushPace().lease + 1)
            try await eventually { try await fixture.waiting() == 0 }
        }
        #expect(fixture.phones.shown(on: "one") == ["text"])
        #expect(Set(fixture.phones.tries.map(\.message)).count == 1)
    }

    @Test
    func shutdown_takesNoPushes_andAwaitsSending() async throws {
        try await fixture.register(1, "one")
        try await fixture.register(2, "two")
        let answer = Rendezvous(2)
        fixture.phones.answer { _, _ in
            await answer.arrive()
            return .sent
        }
        try await fixture.push("text", to: 1)
        let group = ServiceGroup(services: [fixture.sender()], logger: .quiet)
        async let ended: Void = group.run()
        try await eventually { fixture.phones.tries.count == 1 }
        await group.triggerGracefulShutdown()
        try await fixture.push("late", to: 2)
        try await Task.sleep(for: .milliseconds(100))
        #expect(fixture.phones.tries.count == 1)
        await answer.arrive()
        try await ended
        #expect(fixture.phones.shown(on: "one") == ["text"])
        let left = try await fixture.database.all("SELECT body FROM pushes") { try $0.decode(String.self) }
        #expect(left == ["late"])
    }

    @Test
    func shutdown_releasesUnsentPushes() async throws {
        for account in 1...3 {
            try await fixture.register(AccountID(rawValue: Int64(account)), "t\(account)")
            try await fixture.push("text", to: AccountID(rawValue: Int64(account)))
        }
        let answer = Rendezvous(2)
        fixture.phones.answer { _, _ in
            await answer.arrive()
            return .sent
        }
        var pace = PushPace()
        pace.concurrency = 1
        let group = ServiceGroup(services: [fixture.sender(pace)], logger: .quiet)
        async let ended: Void = group.run()
        try await eventually { try await leased() == 3 }
        try await eventually { fixture.phones.tries.count == 1 }
        await group.triggerGracefulShutdown()
        try await Task.sleep(for: .milliseconds(100))
        await answer.arrive()
        try await ended
        let (waiting, taken) = (try await fixture.waiting(), try await leased())
        #expect(waiting == 2)
        #expect(taken == 0)
    }

    @Test
    func pushBehindSlowSend_isReleased_andSentLater() async throws {
        for account in 1...2 {
            try await fixture.register(AccountID(rawValue: Int64(account)), "t\(account)")
            try await fixture.push("text", to: AccountID(rawValue: Int64(account)))
        }
        let answer = Rendezvous(2)
        fixture.phones.answer { [phones = fixture.phones] _, _ in
            if phones.tries.count == 1 { await answer.arrive() }
            return .sent
        }
        var pace = PushPace()
        pace.concurrency = 1
        try await fixture.sending(pace) {
            try await eventually { fixture.phones.tries.count == 1 }
            try await eventually { try await leased() == 2 }
            fixture.clock.advance(by: PushPace().longestWait + 1)
            await answer.arrive()
            try await eventually { try await fixture.waiting() == 0 }
        }
        #expect(fixture.phones.tries.count == 2)
    }

    @Test
    func probeWaitingTooLong_isRepeated() async throws {
        try await fixture.register(1, "moup", app: .moup)
        try await fixture.register(2, "anlaka", app: .anlaka)
        let answer = Rendezvous(2)
        fixture.phones.answer { push, before in
            if push.app == .moup { return before == 0 ? .misconfigured("403") : .sent }
            await answer.arrive()
            return .sent
        }
        var pace = PushPace()
        pace.concurrency = 1
        pace.longestTry = 600
        try await fixture.sending(pace) {
            try await fixture.push("text", to: 1)
            try await eventually { fixture.phones.tries.count == 1 }
            try await eventually { try await leased() == 0 }
            try await fixture.push("text", to: 2)
            try await eventually { fixture.phones.tries.count == 2 }
            fixture.clock.advance(by: 300)
            try await eventually { try await leased() == 2 }
            fixture.clock.advance(by: PushPace().longestWait + 1)
            await answer.arrive()
            try await eventually { try await fixture.waiting() == 0 }
        }
        #expect(fixture.phones.tries.map(\.app) == [.moup, .anlaka, .moup])
    }

    private func leased() async throws -> Int {
        try await fixture.database.one("SELECT count(lease) FROM mailboxes") { try $0.decode(Int.self) }
    }

    @Test
    func unreadablePush_isSentAfterLease() async throws {
        var pace = PushPace()
        pace.concurrency = 2
        for account in 1...2 {
            try await fixture.register(AccountID(rawValue: Int64(account)), "t\(account)")
            try await fixture.push("text", to: AccountID(rawValue: Int64(account)))
        }
        try await fixture.database.execute("ALTER TABLE pushes RENAME COLUMN body TO hidden")
        try await fixture.sending(pace) {
            try await eventually { fixture.log.lines.contains { $0.message.hasSuffix("pushes could not be taken") } }
            #expect(try await leased() == 2)
            try await fixture.database.execute("ALTER TABLE pushes RENAME COLUMN hidden TO body")
            try await fixture.register(3, "t3")
            try await fixture.push("text", to: 3)
            try await eventually { fixture.phones.shown(on: "t3") == ["text"] }
            // What was shown is sent again if its lease ends before that is recorded.
            try await eventually { try await fixture.waiting() == 2 }
            fixture.clock.advance(by: PushPace().lease + 1)
            try await eventually { try await fixture.waiting() == 0 }
        }
        #expect(fixture.phones.shownCount == 3)
    }
}
