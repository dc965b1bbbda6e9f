import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Notifications

/// The pushes of announcements, which are queued in batches.
@Suite(.database(Migrations.all))
struct BroadcastsTests {
    private var world: NotificationsWorld { .current }
    private var database: PostgresClient { TestDatabase.current.client }

    private func broadcasts(_ part: Int = 1000) -> Broadcasts {
        let queue = PushQueue(apps: Set(App.allCases)) { .now }
        return Broadcasts(database: database, queue: queue, part: part) { .now }
    }

    private func draft(_ title: String = "점검 안내", app: App = .moup, source: UUID = UUID()) throws -> AnnouncementDraft {
        AnnouncementDraft(app: app, text: try NotificationText(title: title, content: nil), source: source)
    }

    /// Registers devices of accounts and sessions.
    private func add(_ phones: [(account: AccountID, session: String)], app: App = .moup) async throws {
        let devices = Devices(database: database) { .now }
        for (account, session) in phones {
            try await devices.register("token-\(session)", of: account, session: session, in: app)
        }
    }

    /// The count of queued pushes by session.
    private func pushes() async throws -> [String: Int] {
        let rows = try await database.all(
            "SELECT d.session_id, count(*) FROM pushes p JOIN devices d ON d.id = p.device_id GROUP BY 1"
        ) { try $0.decode(as: (String, Int).self) }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    private func finish(_ broadcasts: Broadcasts) async throws -> Int {
        var parts = 0
        while try await broadcasts.pushNext() { parts += 1 }
        return parts
    }

    @Test
    func concurrentBatches_queueOnePushPerDevice() async throws {
        let phones =
            (1...25).map { (account: AccountID(rawValue: Int64($0)), session: "s\($0)") } + [
                (account: 3, session: "second")
            ]
        try await add(phones)
        try await add([(account: 100, session: "other")], app: .anlaka)
        _ = try await broadcasts().send(draft())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    let broadcasts = broadcasts(4)
                    while try await database.one(
                        "SELECT count(*) FROM announcements WHERE pushed_through IS NOT NULL",
                        { try $0.decode(Int.self) }
                    ) > 0 { _ = try await broadcasts.pushNext() }
                }
            }
            try await group.waitForAll()
        }
        let expected = Dictionary(uniqueKeysWithValues: phones.map { ($0.session, 1) })
        #expect(try await pushes() == expected)
    }

    @Test(arguments: [(0, 1), (3, 1), (4, 2), (9, 3)])
    func batches_coverAllDevices(_ people: Int, _ parts: Int) async throws {
        try await add((0..<people).map { (account: AccountID(rawValue: Int64($0 + 1)), session: "s\($0)") })
        let broadcasts = broadcasts(4)
        _ = try await broadcasts.send(draft())
        #expect(try await finish(broadcasts) == parts)
        #expect(try await pushes().count == people)
        #expect(try await !broadcasts.pushNext())
    }

    @Test
    func failedBatch_isRolledBackAndRepeated() async throws {
        try await add((1...5).map { (account: AccountID(rawValue: Int64($0)), session: "s\($0)") })
        let broadcasts = broadcasts(2)
        _ = try await broadcasts.send(draft())
        _ = try await broadcasts.pushNext()
        #expect(try await pushes().count == 2)
        try await database.execute("ALTER TABLE pushes ADD CONSTRAINT full_check CHECK (id < 3)")
        await #expect(throws: PostgresError.self) { _ = try await broadcasts.pushNext() }
        #expect(try await pushes().count == 2)
        try await database.execute("ALTER TABLE pushes DROP CONSTRAINT full_check")
        _ = try await finish(broadcasts)
        #expect(try await pushes() == ["s1": 1, "s2": 1, "s3": 1, "s4": 1, "s5": 1])
    }

    @Test
    func devicesAddedAfterAnnouncement_getNoPush() async throws {
        try await add([(account: 1, session: "s1")])
        let broadcasts = broadcasts(1)
        _ = try await broadcasts.send(draft())
        try await add([(account: 2, session: "s2")])
        _ = try await finish(broadcasts)
        #expect(try await pushes() == ["s1": 1])

        // An account registers the device of another account.
        _ = try await broadcasts.send(draft())
        try await Devices(database: database) { .now }.register("token-s1", of: 3, session: "s3", in: .moup)
        let announcements = Announcements(database: database) { .now }
        try await database.transaction { try await announcements.welcome(Reader(app: .moup, account: 3), in: $0) }
        _ = try await finish(broadcasts)
        #expect(try await pushes() == ["s2": 1])
    }

    @Test
    func mutedAnnouncements_areNotPushed() async throws {
        try await add([(account: 1, session: "s1"), (account: 2, session: "s2")])
        let off = [Preference(kind: PushKind.announcement, isPushed: false)]
        _ = try await Preferences(database: database).change(off, of: Reader(app: .moup, account: 1))
        let broadcasts = broadcasts()
        _ = try await broadcasts.send(draft())
        _ = try await finish(broadcasts)
        #expect(try await pushes() == ["s2": 1])
    }

    @Test
    func repeatedSource_sendsOnce_andRejectsOtherContent() async throws {
        let (broadcasts, source) = (broadcasts(), UUID())
        let id = try await broadcasts.send(draft(source: source))
        #expect(try await broadcasts.send(draft(source: source)) == id)
        for other in [try draft("다른", source: source), try draft(app: .anlaka, source: source)] {
            await #expect(throws: NotificationsError.keyReused) { _ = try await broadcasts.send(other) }
        }
    }

    @Test
    func push_withoutContent_showsTitleAsBody() {
        var announcement = OngoingAnnouncement(
            id: 7,
            app: .moup,
            title: "가",
            content: nil,
            lastDevice: 0,
            pushedThrough: 0
        )
        #expect(announcement.push.title == "공지사항" && announcement.push.body == "가")
        announcement.content = String(repeating: "나", count: 2000)
        #expect(announcement.push.title == "가" && announcement.push.body.count == 1000)
        #expect(announcement.push.data == ["type": "ANNOUNCEMENT", "announcementId": "7"])
    }

    @Test(.service)
    func announcement_isPushedByService() async throws {
        try await world.addPhone(.seatcatcher, 1)
        try await world.addPhone(.seatcatcher, 1, session: "another")
        let id = try await world.announce(.seatcatcher, "점검 안내", "두 시부터", key: "k")
        #expect(try await world.announce(.seatcatcher, "점검 안내", "두 시부터", key: "k") == id)
        try await world.announcementsAreOut()
        let pushes = try await world.pushes()
        #expect(Set(pushes.map(\.session)) == ["session 1", "another"] && pushes.count == 2)
        let reused = try await world.tryToAnnounce(.seatcatcher, "다른", key: "k")
        #expect(reused.status == .conflict)
        #expect(try await world.tryToAnnounce(.seatcatcher, " ").status == .badRequest)
        let unknown = try await ServiceClient(world.client, to: .notifications, process: .stack)
            .send(.post, "/internal/announcements", json: #"{"app":"nothing","title":"a"}"#)
        #expect(unknown.status == .badRequest && unknown.text.contains("app"))
        let phone = try await world.client(.moup, 11).send(.post, "/internal/announcements", json: "{}")
        #expect(phone.status == .notFound)
    }
}
