import Contracts
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Community

/// Files that two posts of one author use.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .anlaka) struct SharedFileTests {
    private var world: CommunityWorld { .current }

    private func isKept(_ path: String) async throws -> Bool {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        return try await world.database.one(
            "SELECT expires_at IS NULL FROM uploads WHERE name = \(name)"
        ) { try $0.decode(Bool.self) }
    }

    @Test func sharedFile_staysUntilLastPostIsDeleted() async throws {
        let paths = try await world.upload(1, [Picture.jpeg()])
        let posts = [try await world.post(files: paths, by: 1), try await world.post(files: paths, by: 1)]
        _ = try await world.client(1).send(.delete, "/v1/posts/\(posts[0])")
        #expect(try await isKept(paths[0]))
        _ = try await world.client(1).send(.delete, "/v1/posts/\(posts[1])")
        #expect(try await !isKept(paths[0]))
    }

    /// One of two concurrent deletions must release the file.
    @Test func concurrentDeletions_releaseSharedFile() async throws {
        for _ in 0..<15 {
            let paths = try await world.upload(1, [Picture.jpeg()])
            let posts = [try await world.post(files: paths, by: 1), try await world.post(files: paths, by: 1)]
            try await withThrowingTaskGroup(of: Int.self) { group in
                for post in posts {
                    group.addTask { try await world.client(1).send(.delete, "/v1/posts/\(post)").status.code }
                }
                for try await code in group { #expect(code == 200) }
            }
            #expect(try await !isKept(paths[0]))
        }
    }
}
