import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Community

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .anlaka) struct ReportReviewTests {
    private var world: CommunityWorld { .current }

    private func waiting() async throws -> [ReportsAPI.Item] {
        try await stack.send(.get, ReportsAPI.path).json(ReportsAPI.Waiting.self).items
    }

    private var stack: ServiceClient { ServiceClient(world.client, to: .community, process: .stack) }

    private func decide(_ decision: String, _ item: ReportsAPI.Item, ignoresReporters: Bool = false) async throws -> Int
    {
        let path = "/internal/reports/\(item.kind)/\(item.id)/\(decision)"
        return try await stack.send(.post, path, json: #"{"ignoresReporters":\#(ignoresReporters)}"#).status.code
    }

    /// Accounts 21 to 25 report a post.
    private func reportByFive(_ post: String, knownFor age: String? = nil) async throws {
        for account in AccountID(21)...25 {
            if try await world.database.one(
                "SELECT count(*) FROM people WHERE account_id = \(account)",
                { try $0.decode(Int.self) }
            ) == 0 {
                try await CommunityWorld.addProfile(account, "신고\(account)", .anlaka)
            }
            try await world.database.execute(
                """
                UPDATE people SET known_since = now() - \(age)::text::interval WHERE account_id = \(account)
                """
            )
            #expect(try await world.report(post, by: account) == 200)
        }
    }

    @Test func reportsOfNewAccounts_hideNothing() async throws {
        let id = try await world.post(by: 1)
        try await reportByFive(id, knownFor: "1 hour")
        #expect(try await world.show(id, by: 9) != nil)
        #expect(try await world.show(id, by: 21) == nil, "it is hidden from its reporters")
        #expect(try await waiting().isEmpty)
    }

    @Test func hiddenPost_waitsForDecisionAndIsRestored() async throws {
        let id = try await world.post(by: 1)
        try await reportByFive(id, knownFor: "2 days")
        #expect(try await world.show(id, by: 9) == nil)
        let item = try #require(try await waiting().first)
        #expect(item.kind == "post" && item.author == 1 && item.reports.count == 5)
        #expect(item.reports.allSatisfy { $0.counts && !$0.reason.isEmpty } && !item.text.isEmpty)
        #expect(try await decide("restore", item) == 204)
        #expect(try await world.show(id, by: 9) != nil)
        #expect(try await waiting().isEmpty)
        #expect(try await decide("restore", item) == 404)
        // The reports that were judged do not count again.
        try await CommunityWorld.addProfile(31, "다른이", .anlaka)
        #expect(try await world.report(id, by: 31) == 200)
        #expect(try await world.show(id, by: 9) != nil)
    }

    @Test func confirmedPost_staysHidden() async throws {
        let id = try await world.post(by: 1)
        try await reportByFive(id)
        let item = try #require(try await waiting().first)
        #expect(try await decide("confirm", item) == 204)
        #expect(try await world.show(id, by: 9) == nil)
        #expect(try await waiting().isEmpty)
    }

    @Test func ignoredReporters_hideNothingLater() async throws {
        let first = try await world.post(by: 1)
        try await reportByFive(first)
        let item = try #require(try await waiting().first)
        #expect(try await decide("restore", item, ignoresReporters: true) == 204)
        let second = try await world.post(by: 1)
        try await reportByFive(second)
        #expect(try await world.show(second, by: 9) != nil)
    }

    @Test(arguments: ["post/0/restore", "post/x/restore", "thing/1/restore", "post/1/burn", "post/999/restore"])
    func unknownSubject_isRefused(path: String) async throws {
        let answer = try await stack.send(.post, "/internal/reports/\(path)", json: #"{"ignoresReporters":false}"#)
        #expect(answer.status == (path == "post/999/restore" ? .notFound : .badRequest))
    }
}
