import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import Synchronization
import TestKit
import Testing

@testable import Community

/// The rows that a withdrawal from With Suhyeon deletes, and attendances of Anlaka.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct CompanionWithdrawalTests {
    private var world: CompanionWorld { .current }

    @Test(.companions) func withdrawal_deletesPostsAndPicturesAndNotifiesChat() async throws {
        let ids = [try await world.post(), try await world.post()]
        let other = try await world.post(by: 2)
        for account in [1, 1, 2] as [AccountID] {
            let form = GalleryFormJSON().form(Picture.jpeg(size: 700 + Int(account.rawValue)))
            #expect(try await world.client(account).send(.post, "/api/v1/galleries", form: form).status == .ok)
        }
        let pictures = try await world.database.all("SELECT picture FROM gallery_items ORDER BY id") {
            try $0.decode(String.self)
        }
        for _ in 0..<2 {
            let gone = AuthEvents.AccountWithdrawn(account: 1, app: .withsuhyeon)
            #expect(try await world.deliver(gone, from: .auth) == 204)
        }
        #expect(try await world.list().posts.map(\.postId) == [other])
        #expect(try await world.client(2).send(.get, "/api/v1/posts/\(ids[0])").refusal == "410 POST_006")
        #expect(try await world.count("gallery_items") == 1)
        let statuses = try await pictures.asyncMap { name in
            try await world.client(2).send(.get, "/api/v1/galleries/images/\(name)").status.code
        }
        #expect(statuses == [410, 410, 200])
        while world.stubs.state.withLock(\.deletedPosts.count) < 2 { try await Task.sleep(for: .milliseconds(20)) }
        #expect(world.stubs.state.withLock(\.deletedPosts).sorted() == ids)
        #expect(try await world.client(1).send(.post, "/api/v1/posts", json: PostJSON().text).status == .unauthorized)
    }

    @Test(.companions) func concurrentWritesAndWithdrawal_leaveNothing() async throws {
        try await withThrowingTaskGroup { group in
            for _ in 0..<6 {
                group.addTask {
                    _ = try await world.client(1).send(.post, "/api/v1/posts", json: PostJSON().text)
                    let form = GalleryFormJSON().form(Picture.jpeg())
                    _ = try await world.client(1).send(.post, "/api/v1/galleries", form: form)
                }
            }
            group.addTask {
                let gone = AuthEvents.AccountWithdrawn(account: 1, app: .withsuhyeon)
                let status = try await world.deliver(gone, from: .auth)
                #expect(status == 204)
            }
            try await group.waitForAll()
        }
        for table in ["companion_posts", "gallery_items"] { #expect(try await world.count(table) == 0) }
        let served = try await world.database.one(
            "SELECT count(*) FROM uploads WHERE expires_at IS NULL OR expires_at > now()"
        ) { try $0.decode(Int.self) }
        #expect(served == 0)
    }

    @Test(.anlaka) func withdrawal_deletesAttendances() async throws {
        let world = CommunityWorld.current
        for account in [1, 2] as [AccountID] {
            #expect(try await world.client(account).send(.get, "/event-application").status == .ok)
            try await world.database.execute("INSERT INTO attendances VALUES (\(account), '2026-01-01')")
        }
        let gone = AuthEvents.AccountWithdrawn(account: 1, app: .anlaka)
        #expect(try await world.deliver(gone, from: .auth) == 204)
        #expect(try await world.count("attendances") == 1)
        #expect(try await world.count("attendance_pages") == 1)
    }
}

extension Array {
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
