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
    let rig = PushRig()

    @Test
    func outage_isProbed_andPushesAreSentAfterwards() async throws {
        let isDown = Mutex(true)
        rig.phones.answer { _, _ in isDown.withLock(\.self) ? .later("503") : .sent }
        for account in 1...200 { try await rig.register(AccountID(rawValue: Int64(account)), "t\(account)") }
        var pace = PushPace()
        pace.concurrency = 8
        try await rig.sending(pace) {
            for account in 1...200 { try await rig.push("text", to: AccountID(rawValue: Int64(account))) }
            // One hour passes, minute by minute.
            try await rig.eventually { rig.phones.tries.count >= 5 }
            for _ in 0..<60 {
                rig.clock.pass(60)
                try await Task.sleep(for: .milliseconds(20))
            }
            let tried = rig.phones.tries.count
            #expect(tried < 100, "FCM was tried \(tried) times while it was down")
            let waiting = try await rig.waiting()
            #expect(waiting == 200)
            isDown.withLock { $0 = false }
            rig.clock.pass(120)
            try await rig.eventually { try await rig.waiting() == 0 }
        }
        #expect(rig.phones.shownCount == 200)
    }

    @Test
    func outageOfOneApp_doesNotDelayOthers() async throws {
        rig.phones.answer { push, _ in push.app == .moup ? .misconfigured("403") : .sent }
        try await rig.register(1, "moup", app: .moup)
        try await rig.register(2, "anlaka", app: .anlaka)
        try await rig.sending {
            try await rig.push("text", to: 1)
            try await rig.eventually { rig.phones.tries.count == 1 }
            for number in 0..<3 { try await rig.push("\(number)", to: 2) }
            try await rig.push("more", to: 1)
            try await rig.eventually { rig.phones.shown(on: "anlaka").count == 3 }
            try await rig.eventually { try await rig.waiting() == 2 }
        }
        #expect(rig.phones.tries.count { $0.app == .moup } == 1)
    }

    @Test
    func newPush_precedesBacklog() async throws {
        for account in 1...300 { try await rig.register(AccountID(rawValue: Int64(account)), "t\(account)") }
        for account in 1...299 { try await rig.push("old", to: AccountID(rawValue: Int64(account))) }
        rig.clock.pass(60)
        var pace = PushPace()
        pace.lateRate = 10
        try await rig.sending(pace) {
            try await rig.eventually { rig.phones.shownCount > 0 }
            try await rig.push("new", to: 300)
            try await rig.eventually { rig.phones.shown(on: "t300") == ["new"] }
            let waiting = try await rig.waiting()
            #expect(waiting > 200)
        }
    }

    @Test
    func killedCopy_pushesAreSentAfterLease() async throws {
        try await rig.register(1, "one")
        try await rig.push("text", to: 1)
        rig.phones.answer { _, _ in
            try? await Task.sleep(for: .seconds(60))
            return .later("never answered")
        }
        try await rig.sending { try await rig.eventually { rig.phones.tries.count == 1 } }
        rig.phones.answer { _, _ in .sent }
        try await rig.sending {
            try await Task.sleep(for: .milliseconds(100))
            #expect(rig.phones.tries.count == 1)
            rig.clock.pass(PushPace().lease + 1)
            try await rig.eventually { try await rig.waiting() == 0 }
        }
        #expect(rig.phones.shown(on: "one") == ["text"])
        #expect(Set(rig.phones.tries.map(\.message)).count == 1)
    }

    @Test
    func shutdown_takesNoPushes_andAwaitsSending() async throws {
        try await rig.register(1, "one")
        try await rig.register(2, "two")
        let answer = Rendezvous(2)
        rig.phones.answer { _, _ in
            await answer.arrive()
            return .sent
        }
        try await rig.push("text", to: 1)
        let group = ServiceGroup(services: [rig.sender()], logger: .quiet)
        async let ended: Void = group.run()
        try await rig.eventually { rig.phones.tries.count == 1 }
        await group.triggerGracefulShutdown()
        try await rig.push("late", to: 2)
        try await Task.sleep(for: .milliseconds(100))
        #expect(rig.phones.tries.count == 1)
        await answer.arrive()
        try await ended
        #expect(rig.phones.shown(on: "one") == ["text"])
        let left = try await rig.database.all("SELECT body FROM pushes") { try $0.decode(String.self) }
        #expect(left == ["late"])
    }

    @Test
    func shutdown_releasesUnsentPushes() async throws {
        for account in 1...3 {
            try await rig.register(AccountID(rawValue: Int64(account)), "t\(account)")
            try await rig.push("text", to: AccountID(rawValue: Int64(account)))
        }
        let answer = Rendezvous(2)
        rig.phones.answer { _, _ in
            await answer.arrive()
            return .sent
        }
        var pace = PushPace()
        pace.concurrency = 1
        let group = ServiceGroup(services: [rig.sender(pace)], logger: .quiet)
        async let ended: Void = group.run()
        try await rig.eventually { try await leased() == 3 }
        try await rig.eventually { rig.phones.tries.count == 1 }
        await group.triggerGracefulShutdown()
        try await Task.sleep(for: .milliseconds(100))
        await answer.arrive()
        try await ended
        let (waiting, taken) = (try await rig.waiting(), try await leased())
        #expect(waiting == 2)
        #expect(taken == 0)
    }

    @Test
    func pushBehindSlowSend_isReleased_andSentLater() async throws {
        for account in 1...2 {
            try await rig.register(AccountID(rawValue: Int64(account)), "t\(account)")
            try await rig.push("text", to: AccountID(rawValue: Int64(account)))
        }
        let answer = Rendezvous(2)
        rig.phones.answer { [phones = rig.phones] _, _ in
            if phones.tries.count == 1 { await answer.arrive() }
            return .sent
        }
        var pace = PushPace()
        pace.concurrency = 1
        try await rig.sending(pace) {
            try await rig.eventually { rig.phones.tries.count == 1 }
            try await rig.eventually { try await leased() == 2 }
            rig.clock.pass(PushPace().longestWait + 1)
            await answer.arrive()
            try await rig.eventually { try await rig.waiting() == 0 }
        }
        #expect(rig.phones.tries.count == 2)
    }

    @Test
    func probeWaitingTooLong_isRepeated() async throws {
        try await rig.register(1, "moup", app: .moup)
        try await rig.register(2, "anlaka", app: .anlaka)
        let answer = Rendezvous(2)
        rig.phones.answer { push, before in
            if push.app == .moup { return before == 0 ? .misconfigured("403") : .sent }
            await answer.arrive()
            return .sent
        }
        var pace = PushPace()
        pace.concurrency = 1
        pace.longestTry = 600
        try await rig.sending(pace) {
            try await rig.push("text", to: 1)
            try await rig.eventually { rig.phones.tries.count == 1 }
            try await rig.eventually { try await leased() == 0 }
            try await rig.push("text", to: 2)
            try await rig.eventually { rig.phones.tries.count == 2 }
            rig.clock.pass(300)
            try await rig.eventually { try await leased() == 2 }
            rig.clock.pass(PushPace().longestWait + 1)
            await answer.arrive()
            try await rig.eventually { try await rig.waiting() == 0 }
        }
        #expect(rig.phones.tries.map(\.app) == [.moup, .anlaka, .moup])
    }

    private func leased() async throws -> Int {
        try await rig.database.one("SELECT count(lease) FROM mailboxes") { try $0.decode(Int.self) }
    }

    @Test
    func unreadablePush_isSentAfterLease() async throws {
        var pace = PushPace()
        pace.concurrency = 2
        for account in 1...2 {
            try await rig.register(AccountID(rawValue: Int64(account)), "t\(account)")
            try await rig.push("text", to: AccountID(rawValue: Int64(account)))
        }
        try await rig.database.execute("ALTER TABLE pushes RENAME COLUMN body TO hidden")
        try await rig.sending(pace) {
            try await rig.eventually {
                try await leased() == 2
            }
            try await rig.database.execute("ALTER TABLE pushes RENAME COLUMN hidden TO body")
            try await rig.register(3, "t3")
            try await rig.push("text", to: 3)
            try await rig.eventually { rig.phones.shown(on: "t3") == ["text"] }
            rig.clock.pass(PushPace().lease + 1)
            try await rig.eventually { try await rig.waiting() == 0 }
        }
        #expect(rig.phones.shownCount == 3)
    }
}
