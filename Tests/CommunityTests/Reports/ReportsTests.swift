import Apps
import Contracts
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing
import Values

@testable import Community

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct ReportsTests {
    private var world: CommunityWorld { .current }
    private static let people = Dictionary(uniqueKeysWithValues: (AccountID(1)...9).map { ($0, "사람\($0)") })

    @Test(.anlaka) func report_hidesPostFromReporter() async throws {
        let id = try await world.post(by: 1)
        try await world.like(id, by: 2)
        for _ in 0..<2 { #expect(try await world.report(id, by: 2) == 200) }
        #expect(try await world.count("reports") == 1)
        #expect(try await world.show(id, by: 2) == nil)
        for path in ["users/\(CommunityWorld.publicID(1))", "likes/me", "search?title=%EA%B5%AD", Self.nearby] {
            #expect(try await world.posts(path, by: 2).data == [], "\(path)")
        }
        #expect(try await world.like(id, by: 2) == 404)
        #expect(try await world.say("가", on: id, by: 2).status == .notFound)
        for account in [1, 9] as [AccountID] {
            #expect(try await world.show(id, by: account)?.likeCount == 1)
            #expect(try await world.posts(Self.nearby, by: account).data.map(\.postID) == [id])
        }
    }

    private static let nearby =
        "geolocation?longitude=\(CommunityWorld.home.longitude)&latitude=\(CommunityWorld.home.latitude)"

    @Test func enoughReports_hidePostFromAll() async throws {
        try await CommunityWorld.test(.anlaka, people: Self.people, { $0.reportsToHide = 3 }) { (world) async throws in
            let (id, other) = (try await world.post(by: 1), try await world.post(by: 1))
            // Concurrent reports, two by each user.
            let codes = try await withThrowingTaskGroup(of: Int.self) { group in
                for account in 2...4 {
                    for _ in 0..<2 {
                        group.addTask { try await world.report(id, by: AccountID(rawValue: Int64(account))) }
                    }
                }
                for account in 2...3 {
                    group.addTask { try await world.report(other, by: AccountID(rawValue: Int64(account))) }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(codes == [200])
            #expect(try await world.show(id, by: 9) == nil)
            #expect(try await world.report(id, by: 9) == 404)
            #expect(try await world.report(id, by: 2) == 200)
            for path in ["users/\(CommunityWorld.publicID(1))", "search?title=%EA%B5%AD", Self.nearby] {
                #expect(try await world.posts(path, by: 9).data.map(\.postID) == [other], "\(path)")
            }
            #expect(try await world.show(id, by: 1) != nil)
            #expect(try await world.posts("users/\(CommunityWorld.publicID(1))", by: 1).data.count == 2)
            #expect(try await world.show(other, by: 9) != nil)
            #expect(try await world.count("reports") == 5)
            #expect(try await world.client(1).send(.delete, "/v1/posts/\(id)").status == .ok)
            #expect(try await world.count("reports") == 2)
        }
    }

    @Test(.anlaka) func invalidReport_isRefused() async throws {
        let id = try await world.post(by: 1)
        #expect(try await world.report(id, by: 1) == 400)
        for reason in ["", " ", "\\u0000", String(repeating: "가", count: 501)] {
            let json = #"{"reason":"\#(reason)"}"#
            let answer = try await world.client(2).send(.post, "/v1/posts/\(id)/reports", json: json)
            #expect(answer.status == .badRequest && answer.text.contains("reason"))
        }
        for body in ["", "{}", #"{"reason":1}"#] {
            let answer = try await world.client(2).send(.post, "/v1/posts/\(id)/reports", json: body)
            #expect(answer.status == .badRequest)
        }
        for gone in ["bbbbbbbbbbbbbbbbbbbbbbbb", "1", "%00"] { #expect(try await world.report(gone, by: 2) == 404) }
        #expect(try await world.count("reports") == 0)
        #expect(try await world.report(id, by: 2, String(repeating: "가", count: 500)) == 200)
    }

    @Test(.culture) func report_ofOtherAppsPost_returns410() async throws {
        try await world.database.execute(
            """
            INSERT INTO posts (public_id, app, author_id, title)
            VALUES ('cccccccccccccccccccccccc', 'culture', 1, 'a'), ('dddddddddddddddddddddddd', 'anlaka', 1, 'a')
            """
        )
        #expect(try await world.report("cccccccccccccccccccccccc", by: 2) == 200)
        #expect(try await world.report("dddddddddddddddddddddddd", by: 2) == 410)
    }
}
