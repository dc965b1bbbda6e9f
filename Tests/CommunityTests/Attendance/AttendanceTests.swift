import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Postgres
import TestKit
import Testing
import Values

@testable import Community

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct AttendanceTests {
    private var world: CommunityWorld { .current }

    private struct Answer: Decodable, Equatable {
        var count: Int
        var already: Bool
    }

    /// Runs `body` with Anlaka's users, shortly before midnight in Korea.
    private func test(_ body: @escaping @Sendable (CommunityWorld, ManualClock) async throws -> Void) async throws {
        let clock = ManualClock("2026-12-31T23:50")
        try await CommunityWorld.test(.anlaka, clock: clock) { try await body($0, clock) }
    }

    private func page(_ account: AccountID, in world: CommunityWorld) async throws -> (
        token: String, answer: TestResponse
    ) {
        let answer = try await world.client(account).send(.get, "/event-application")
        let token = try #require(answer.text.firstMatch(of: /data-token="([A-Za-z0-9_-]{43})"/)?.1)
        return (String(token), answer)
    }

    /// Sends the page's request, for which the gateway adds the account of a valid access token.
    private func attend(_ page: String? = nil, as account: AccountID? = nil, in world: CommunityWorld) async throws
        -> TestResponse
    {
        var headers: HTTPFields = [:]
        if let page, let name = HTTPField.Name("X-Page-Token") { headers[name] = page }
        let client = account.map(world.client) ?? ServiceClient(world.client, to: .community, app: .anlaka)
        return try await client.send(.post, "/event-application/attendance", json: "{}", headers: headers)
    }

    @Test func pageToken_recordsOneAttendancePerDay() async throws {
        try await test { world, clock in
            let first = try await page(1, in: world)
            #expect(first.answer.text.contains(#"data-days="0" data-today="false""#))
            let answer = try await attend(first.token, in: world)
            #expect(try answer.keys() == ["count", "already"])
            #expect(try answer.json() == Answer(count: 1, already: false))
            // The token is valid once.
            #expect(try await attend(first.token, in: world).status == .unauthorized)
            let second = try await page(1, in: world)
            #expect(second.answer.text.contains(#"data-days="1" data-today="true""#))
            #expect(try await attend(second.token, in: world).json() == Answer(count: 1, already: true))
            // Each user's attendance counts separately.
            let other = try await page(2, in: world)
            #expect(try await attend(other.token, in: world).json() == Answer(count: 1, already: false))
            // The next day begins at midnight in Korea.
            let late = try await page(1, in: world)
            #expect(late.token != second.token)
            clock.advance(by: 599)
            #expect(try await attend(late.token, in: world).json() == Answer(count: 1, already: true))
            let next = try await page(1, in: world)
            clock.advance(by: 1)
            #expect(try await attend(next.token, in: world).json() == Answer(count: 2, already: false))
        }
    }

    @Test func pageToken_expiresAfterTenMinutesAndIsDeleted() async throws {
        try await test { world, clock in
            let old = try await page(1, in: world)
            clock.advance(by: 600)
            #expect(try await attend(old.token, in: world).status == .unauthorized)
            #expect(try await world.count("attendances") == 0)
            _ = try await page(2, in: world)
            #expect(try await world.count("attendance_pages") == 1)
        }
    }

    @Test func accountOfAccessToken_recordsAttendance() async throws {
        try await test { world, _ in
            #expect(try await attend(as: 1, in: world).json() == Answer(count: 1, already: false))
            #expect(try await attend(as: 1, in: world).json() == Answer(count: 1, already: true))
            // The page token takes precedence; once it is used, the access token counts.
            let page = try await page(2, in: world)
            #expect(try await attend(page.token, as: 1, in: world).json() == Answer(count: 1, already: false))
            #expect(try await attend(page.token, as: 1, in: world).json() == Answer(count: 1, already: true))
            let accounts = try await world.database.all("SELECT account_id FROM attendances ORDER BY 1") {
                try $0.decode(Int64.self)
            }
            #expect(accounts == [1, 2])
            #expect(try await attend("nonsense", as: 1, in: world).status == .ok)
        }
    }

    @Test func invalidPageWithoutAccount_isRefused() async throws {
        let pages: [String?] = [nil, "", "x", String(repeating: "A", count: 43), String(repeating: "é", count: 3000)]
        try await test { (world, _) async throws in
            for page in pages {
                #expect(try await attend(page, in: world).status == .unauthorized)
            }
            #expect(try await world.count("attendances") == 0)
        }
    }

    @Test func concurrentAttendances_areCountedOnce() async throws {
        try await test { world, _ in
            let pages = [try await page(1, in: world).token, try await page(1, in: world).token]
            var answers: [Answer] = []
            var refused = 0
            try await withThrowingTaskGroup { group in
                for number in 0..<12 {
                    group.addTask {
                        number % 3 < 2
                            ? try await attend(pages[number % 3], in: world)
                            : try await attend(as: 1, in: world)
                    }
                }
                for try await answer in group {
                    if answer.status == .unauthorized { refused += 1 } else { answers.append(try answer.json()) }
                }
            }
            // Each page token is accepted once, the access token always; one of the answers is the first attendance.
            #expect(refused == 6 && answers.count == 6 && answers.count { !$0.already } == 1)
            #expect(answers.allSatisfy { $0.count == 1 })
            #expect(try await world.count("attendances") == 1)
            #expect(try await world.count("attendance_pages") == 0)
        }
    }

    @Test func pageToken_isStoredAsHash() async throws {
        try await test { world, _ in
            let token = try await page(1, in: world).token
            let kept = try await world.database.one("SELECT token_hash FROM attendance_pages") {
                try $0.decode([UInt8].self)
            }
            #expect(kept.count == 32 && kept != Array(token.utf8))
        }
    }
}
