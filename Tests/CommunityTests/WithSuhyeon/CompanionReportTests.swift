import Contracts
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Community

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct CompanionReportTests {
    private static let people: [AccountID: String] = [1: "하루", 2: "나무", 3: "바다", 4: "산", 5: "들"]
    private static let reason = #"{"reason":"부적절해요"}"#

    private struct Gallery: Decodable {
        struct Item: Decodable { var galleryId: Int64 }
        var galleries: [Item]
    }

    /// Runs `body` with the paths of a post and a picture of account 1.
    private func test(
        _ body: @escaping @Sendable (CompanionWorld, _ posts: String, _ picture: String) async throws -> Void
    ) async throws {
        try await CompanionWorld.test(people: Self.people, { $0.reportsToHide = 3 }) { (world) async throws in
            let post = try await world.post()
            let form = GalleryFormJSON().form(Picture.jpeg())
            #expect(try await world.client(1).send(.post, "/api/v1/galleries", form: form).status == .ok)
            try await body(world, "/api/v1/posts/\(post)", "/api/v1/galleries/1")
        }
    }

    /// The numbers of items in an account's lists, and whether each path is visible (1) or not (0).
    private func seen(by account: AccountID, _ world: CompanionWorld, _ paths: [String]) async throws -> [Int] {
        let home: CompanionWorld.Home = try await world.get("/api/v1/home", account)
        let gallery: Gallery = try await world.get("/api/v1/galleries", account)
        var seen = [try await world.list(account).posts.count, home.homePosts.count, gallery.galleries.count]
        for path in paths {
            let answer = try await world.client(account).send(.get, path)
            #expect(answer.status == .ok || ["410 POST_006", "410 GALLERY_005"].contains(answer.refusal))
            seen.append(answer.status == .ok ? 1 : 0)
        }
        return seen
    }

    @Test func report_hidesItemFromReporterThenFromAll() async throws {
        try await test { (world, post, picture) async throws in
            for account in [2, 2, 3] as [AccountID] {
                for path in [post, picture] {
                    let answer = try await world.client(account).send(.post, "\(path)/reports", json: Self.reason)
                    #expect(answer.isPlainSuccess, "\(answer.text)")
                }
            }
            for account in [2, 3] as [AccountID] {
                #expect(try await seen(by: account, world, [post, picture]) == [0, 0, 0, 0, 0])
            }
            #expect(try await seen(by: 4, world, [post, picture]) == [1, 1, 1, 1, 1])
            for path in [post, picture] {
                #expect(try await world.client(4).send(.post, "\(path)/reports", json: Self.reason).isPlainSuccess)
            }
            #expect(try await seen(by: 5, world, [post, picture]) == [0, 0, 0, 0, 0])
            #expect(try await seen(by: 1, world, [post, picture]) == [1, 1, 1, 1, 1])
            let late = try await world.client(5).send(.post, "\(post)/reports", json: Self.reason)
            #expect(late.refusal == "410 POST_006")
            #expect(try await world.count("reports") == 6)
            for path in [post, picture] { #expect(try await world.client(1).send(.delete, path).status == .noContent) }
            #expect(try await world.count("reports") == 0)
        }
    }

    @Test func withdrawal_ofAuthor_deletesReports() async throws {
        try await test { (world, post, picture) async throws in
            for path in [post, picture] {
                #expect(try await world.client(2).send(.post, "\(path)/reports", json: Self.reason).status == .ok)
            }
            let gone = AuthEvents.AccountWithdrawn(account: 1, app: .withsuhyeon)
            #expect(try await world.deliver(gone, from: .auth) == 204)
            #expect(try await world.count("reports") == 0)
        }
    }

    @Test func invalidReport_isRefused() async throws {
        try await test { (world, post, picture) async throws in
            for path in [post, picture] {
                let own = try await world.client(1).send(.post, "\(path)/reports", json: Self.reason)
                #expect(own.refusal == "400 REQUEST_001")
                let long = String(repeating: "가", count: 501)
                for json in ["", "{}", #"{"reason":null}"#, #"{"reason":" "}"#, #"{"reason":"\#(long)"}"#] {
                    let answer = try await world.client(2).send(.post, "\(path)/reports", json: json)
                    #expect(answer.refusal == "400 REQUEST_001", "\(json): \(answer.text)")
                }
            }
            for (path, refusal) in [
                ("posts/99", "410 POST_006"), ("galleries/99", "410 GALLERY_005"), ("posts/x", "410 REQUEST_009"),
                ("galleries/x", "410 REQUEST_009"),
            ] {
                let answer = try await world.client(2).send(.post, "/api/v1/\(path)/reports", json: Self.reason)
                #expect(answer.refusal == refusal, "\(path)")
            }
            #expect(try await world.count("reports") == 0)
        }
    }
}
