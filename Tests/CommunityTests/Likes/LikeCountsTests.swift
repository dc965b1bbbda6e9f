import Contracts
import FoundationEssentials
import Postgres
import Profiles
import TestKit
import Testing

@testable import Community

/// Likes append their changes, which are added up later. No service runs, so that nothing else adds them up.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct LikeCountsTests {
    private let database = TestDatabase.current.client
    private let accounts = (1...12).map { AccountID(rawValue: $0) }

    private var likes: Likes {
        Likes(database: database, people: People(database: database) { _ in nil }, now: { .now })
    }

    /// Inserts people, and posts of the first.
    private func posts(_ count: Int) async throws -> [PublicID] {
        for account in accounts { try await CommunityWorld.addProfile(account, "사람\(account)", .anlaka) }
        return try await database.all(
            """
            INSERT INTO posts (public_id, app, author_id, title, latitude, longitude)
            SELECT lpad(to_hex(n), 24, '0'), 'anlaka', 1, 'a', 37, 127 FROM generate_series(1, \(count)) n
            RETURNING public_id
            """
        ) { try $0.decode(PublicID.self) }
    }

    /// The counts that the app reads, and those of the column.
    private func counts() async throws -> (shown: [Int], stored: [Int]) {
        let ids = try await database.all("SELECT id FROM posts ORDER BY id") { try $0.decode(PostID.self) }
        let shown = try await PostStore().posts(ids, for: 1, in: database).sorted { $0.id < $1.id }
        let stored = try await database.all("SELECT like_count FROM posts ORDER BY id") { try $0.decode(Int.self) }
        return (shown.map(\.likeCount), stored)
    }

    /// The versions of the posts' rows.
    private func versions() async throws -> [String] {
        try await database.all("SELECT ctid::text FROM posts ORDER BY id") { try $0.decode(String.self) }
    }

    private func changeCount() async throws -> Int {
        try await database.one("SELECT count(*) FROM like_changes") { try $0.decode(Int.self) }
    }

    private func like(_ post: PublicID, _ isLiked: Bool = true, by accounts: some Sequence<AccountID>) async throws {
        for account in accounts { try await likes.set(isLiked, post, in: .anlaka, by: account) }
    }

    @Test func likes_areShownAtOnce_andWriteNoPost() async throws {
        let posts = try await posts(2)
        let before = try await versions()
        try await like(posts[0], by: accounts)
        try await like(posts[0], by: accounts)
        try await like(posts[0], false, by: accounts.prefix(4))
        try await like(posts[1], by: accounts.prefix(1))
        let pending = try await counts()
        #expect(pending.shown == [8, 1] && pending.stored == [0, 0])
        #expect(try await versions() == before)
        #expect(try await changeCount() == 17)

        #expect(try await !LikeCounts.posts.addUp(in: database), "The changes are not old enough.")
        #expect(try await changeCount() == 17)
        try await LikeCounts.posts.addUp(olderThan: 0, in: database)
        let added = try await counts()
        #expect(added.shown == [8, 1] && added.stored == [8, 1])
        #expect(try await changeCount() == 0)
        try await LikeCounts.posts.addUp(olderThan: 0, in: database)
        #expect(try await counts().stored == [8, 1])
    }

    /// A post whose changes cancel each other out is not written.
    @Test func changesThatCancelOut_writeNoPost() async throws {
        let posts = try await posts(1)
        try await like(posts[0], by: accounts)
        try await like(posts[0], false, by: accounts)
        let before = try await versions()
        try await LikeCounts.posts.addUp(olderThan: 0, in: database)
        #expect(try await versions() == before)
        #expect(try await changeCount() == 0)
    }

    /// An older replica of the service counts in the post's row.
    @Test func countsOfOlderReplica_areAddedUpWithChanges() async throws {
        let posts = try await posts(1)
        try await like(posts[0], by: accounts.prefix(3))
        try await database.execute(
            """
            WITH new AS (
                INSERT INTO likes (post_id, kind, account_id, public_id) SELECT id, 1, 12, 'c' FROM posts RETURNING post_id
            )
            UPDATE posts SET like_count = like_count + 1 FROM new WHERE id = new.post_id
            """
        )
        #expect(try await counts().shown == [4])
        try await like(posts[0], false, by: [12])
        #expect(try await counts().shown == [3])
        try await LikeCounts.posts.addUp(olderThan: 0, in: database)
        let added = try await counts()
        #expect(added.shown == [3] && added.stored == [3])
    }

    /// The lock of a change of the post delays neither its likes nor the counts of others.
    @Test func lockedPost_isLiked_andAddedUpLater() async throws {
        let posts = try await posts(2)
        try await database.transaction { transaction in
            try await transaction.execute("SELECT FROM posts WHERE public_id = \(posts[0]) FOR NO KEY UPDATE")
            for post in posts { try await like(post, by: accounts.prefix(3)) }
            try await LikeCounts.posts.addUp(olderThan: 0, in: database)
            let counted = try await counts()
            #expect(counted.shown == [3, 3] && counted.stored == [0, 3])
        }
        try await LikeCounts.posts.addUp(olderThan: 0, in: database)
        #expect(try await counts().stored == [3, 3])
    }

    /// What fails after the likes were added up takes that back, and the changes stay.
    @Test func rollback_losesNothing() async throws {
        struct Crash: Error {}
        let posts = try await posts(1)
        try await like(posts[0], by: accounts.prefix(3))
        await #expect(throws: Crash.self) {
            try await database.transaction { transaction in
                try await LikeCounts.posts.addUp(olderThan: 0, in: transaction)
                throw Crash()
            }
        }
        let counted = try await counts()
        #expect(counted.shown == [3] && counted.stored == [0])
    }

    /// Several replicas add up while people like and unlike; a reader meanwhile sees no count twice.
    @Test func concurrentAddingUp_countsEachLikeOnce() async throws {
        let posts = try await posts(3)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    for _ in 0..<30 { try await LikeCounts.posts.addUp(olderThan: 0, in: database) }
                }
            }
            group.addTask {
                for _ in 0..<60 {
                    let shown = try await counts().shown
                    #expect(shown.allSatisfy { (0...12).contains($0) }, "\(shown)")
                }
            }
            for account in accounts {
                group.addTask {
                    for post in posts {
                        for isLiked in [true, false, true] { try await like(post, isLiked, by: [account]) }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await counts().shown == [12, 12, 12])
        try await LikeCounts.posts.addUp(olderThan: 0, in: database)
        #expect(try await counts().stored == [12, 12, 12])
        #expect(try await changeCount() == 0)
    }

    @Test func deletedPost_takesItsChangesAlong() async throws {
        let posts = try await posts(2)
        for post in posts { try await like(post, by: accounts.prefix(2)) }
        try await database.execute("DELETE FROM posts WHERE public_id = \(posts[0])")
        #expect(try await changeCount() == 2)
        #expect(try await counts().shown == [2])
    }
}
