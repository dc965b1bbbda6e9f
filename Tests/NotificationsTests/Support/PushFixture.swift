import Contracts
import FoundationEssentials
import Postgres
import Synchronization
import TestKit

@testable import Notifications

/// Devices, a queue and senders on the current test's database, with an FCM whose responses the test sets.
struct PushFixture: Sendable {
    let clock = ManualClock()
    let phones = FakeDevices()
    /// What the senders have logged.
    let log = RecordedLog()

    var database: PostgresClient { TestDatabase.current.client }
    var queue: PushQueue { PushQueue(apps: Set(App.allCases), now: { [clock] in clock.now }) }
    var devices: Devices { Devices(database: database, now: { [clock] in clock.now }) }
    var conversations: Conversations { Conversations(queue: queue, now: { [clock] in clock.now }) }

    func register(_ account: AccountID, _ token: String, session: String? = nil, app: App = .anlaka) async throws {
        try await devices.register(token, of: account, session: session ?? "session of \(token)", in: app)
    }

    func push(_ body: String, to account: AccountID, grouping: String? = nil, after seconds: TimeInterval = 0)
        async throws
    {
        let content = PushContent(kind: PushKind.announcement, title: "제목", body: body, collapse: grouping)
        let order = ScheduledPush(account: account, content: content, grouping: grouping, due: clock.now + seconds)
        try await database.transaction { try await queue.add([order], in: $0) }
    }

    /// Delivers the event of a chat message.
    func write(
        _ sequence: Int64,
        _ text: String = "안녕",
        to account: AccountID = 1,
        in room: PublicID = "a1",
        isSeen: Bool = false,
        isRead: Bool? = nil
    ) async throws {
        let message = ChatEvents.MessageSent(
            app: .anlaka,
            room: room,
            sequence: sequence,
            sender: 9,
            recipient: account,
            text: text,
            files: text.isEmpty ? 1 : 0,
            isSeen: isSeen,
            isRead: isRead
        )
        try await database.transaction { try await conversations.receive([message], in: $0) }
    }

    /// Delivers the event of account 1's reading of room `a1`.
    func read(through sequence: Int64) async throws {
        let event = ChatEvents.MessagesRead(app: .anlaka, account: 1, room: "a1", through: sequence)
        try await database.transaction { try await conversations.read([event], in: $0) }
    }

    /// Delivers the event of a message to account 1 in room `a1` that was taken back.
    func takeBack(_ sequence: Int64) async throws {
        let event = ChatEvents.MessageTakenBack(app: .anlaka, room: "a1", sequence: sequence, recipient: 1)
        try await database.transaction { try await conversations.takeBack([event], in: $0) }
    }

    /// Delivers the event of the end of room `a1`.
    func end(_ accounts: [AccountID]) async throws {
        let event = ChatEvents.RoomEnded(app: .withsuhyeon, room: "a1", accounts: accounts)
        try await database.transaction { try await conversations.end([event], in: $0) }
    }

    func sender(_ pace: PushPace = PushPace()) -> PushSender {
        PushSender(
            database: database,
            apps: Set(App.allCases),
            pace: pace,
            logger: log.logger,
            now: { [clock] in clock.now },
            attempt: { [phones] in await phones.take($0) }
        )
    }

    /// Runs copies of the sender while `body` runs, and stops them as by `kill -9`.
    func sending(
        copies: Int = 1,
        _ pace: PushPace = PushPace(),
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup { group in
            for _ in 0..<copies { group.addTask { try await sender(pace).run() } }
            group.addTask {
                try await body()
                throw CancellationError()
            }
            defer { group.cancelAll() }
            do { while try await group.next() != nil {} } catch is CancellationError {}
        }
    }

    /// The count of queued pushes.
    func waiting() async throws -> Int {
        try await database.one("SELECT count(*) FROM pushes") { try $0.decode(Int.self) }
    }
}

/// The pushes that devices have received, and FCM's response to each attempt.
final class FakeDevices: Sendable {
    private struct State {
        var tries: [Push] = []
        var shown: [String: [String]] = [:]
    }

    typealias Answer = @Sendable (Push, _ before: Int) async -> PushOutcome

    private let state = Mutex(State())
    private let answer = Mutex<Answer> { _, _ in .sent }

    func answer(_ answer: @escaping Answer) { self.answer.withLock { $0 = answer } }

    /// All attempts, in order.
    var tries: [Push] { state.withLock(\.tries) }

    /// The texts that a device shows, oldest first.
    func shown(on token: String) -> [String] { state.withLock { $0.shown[token] ?? [] } }

    var shownCount: Int { state.withLock { $0.shown.values.reduce(0) { $0 + $1.count } } }

    func take(_ push: Push) async -> PushOutcome {
        let before = state.withLock { state in
            defer { state.tries.append(push) }
            return state.tries.count { $0.message == push.message }
        }
        let outcome = await answer.withLock(\.self)(push, before)
        if outcome == .sent { state.withLock { $0.shown[push.token, default: []].append(push.content.body) } }
        return outcome
    }
}
