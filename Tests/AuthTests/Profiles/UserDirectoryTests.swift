import Contracts
import Files
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import Synchronization
import TestKit
import Testing

@testable import Auth

/// Search and lookup of users.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct UserDirectoryTests {
    private var world: AuthWorld { .current }

    private struct Found: Decodable {
        struct User: Decodable { var nick: String }
        var data: [User]
    }

    private func add(_ names: [String], app: String = "anlaka") async throws {
        try await TestDatabase.current.client.execute(
            """
            INSERT INTO accounts (public_id, app, nickname)
            SELECT substr(md5(\(app) || name) || md5(name), 1, 24), \(app), name FROM unnest(\(names)) name
            """
        )
    }

    @Test(.service) func userSearch_matchesPartOfNickname() async throws {
        try await add(["하루", "하루살이", "긴 하루", "Haru", "haruka", "50%", "a_b", "a\\b", "루하"])
        try await add(["하루"], app: "culture")
        let phone = try await world.anlakaMember("a@b.kr", nick: "나").phone
        for (query, expected) in [
            ("%ED%95%98%EB%A3%A8", ["하루", "하루살이", "긴 하루"]), ("%EB%A3%A8", ["루하", "하루", "하루살이", "긴 하루"]),
            ("HARU", ["Haru", "haruka"]), ("%25", ["50%"]), ("_", ["a_b"]), ("%5C", ["a\\b"]), ("unknown", []),
            (String(repeating: "x", count: 101), []),
        ] {
            let answer = try await phone.send(.get, "/v1/users/search?nick=\(query)")
            #expect(answer.status == .ok)
            let found = try answer.json(Found.self).data.map(\.nick)
            #expect(Set(found) == Set(expected), "\(query)")
            #expect(found.first == expected.first)
        }
        for query in ["", "?nick="] {
            #expect(try await phone.send(.get, "/v1/users/search\(query)").status == .badRequest)
        }
        #expect(try await world.anlaka.send(.get, "/v1/users/search?nick=a").status == .unauthorized)
    }

    /// Other services look up an account by its public id in an app.
    @Test(.service) func accountLookup_findsPublicIDOfApp() async throws {
        try await add(["하루"])
        try await add(["하루"], app: "culture")
        let all = try await TestDatabase.current.client.all("SELECT id, public_id, app FROM accounts ORDER BY id") {
            try $0.decode(as: (AccountID, PublicID, String).self)
        }
        let chat = ServiceClient(world.client, to: .auth, process: .chat)
        for (account, publicID, own) in all {
            for app in [App.anlaka, .culture] {
                let answer = try await chat.send(.get, AuthAPI.AccountLookup.path(publicID, of: app))
                guard app.rawValue == own else {
                    #expect(answer.status == .notFound)
                    continue
                }
                #expect(try answer.json(AuthAPI.AccountLookup.self) == AuthAPI.AccountLookup(account: account))
            }
        }
        let path = "/internal/people/\(all[0].1)"
        for query in ["", "?app=", "?app=none"] {
            #expect(try await chat.send(.get, path + query).status == .badRequest)
        }
        #expect(try await chat.send(.get, AuthAPI.AccountLookup.path("x", of: .anlaka)).status == .notFound)
        try await TestDatabase.current.client.execute("UPDATE accounts SET withdrawn_at = now(), nickname = ''")
        #expect(try await chat.send(.get, "\(path)?app=anlaka").status == .notFound)
    }

    @Test(.service) func userSearch_returnsAtMostFifty() async throws {
        try await add((0..<80).map { "Name\($0)" } + (0..<80).map { "x\($0)name" }, app: "culture")
        let phone = try await world.cultureMember("a@b.kr", nick: "하루").phone
        for query in ["name", "NAME", "", "e"] {
            let answer = try await phone.send(.get, "/v1/users/search?nick=\(query)")
            #expect(try answer.json(Found.self).data.count == 50, "\(query)")
        }
        #expect(try await phone.send(.get, "/v1/users/search").status == .badRequest)
        _ = try await phone.send(.delete, "/v1/users/me")
        let other = try await world.cultureMember("c@d.kr", nick: "이틀").phone
        let left = try await other.send(.get, "/v1/users/search?nick=%ED%95%98%EB%A3%A8")
        #expect(try left.json(Found.self).data.isEmpty)
    }

    @Test func userSearch_usesIndexes() async throws {
        try await TestDatabase.current.client.execute(
            """
            INSERT INTO accounts (public_id, app, nickname)
            SELECT substr(md5(n::text) || md5(n::text), 1, 24), CASE WHEN n % 2 = 0 THEN 'anlaka' ELSE 'culture' END,
                substr(md5(n::text), 1, 8) || n
            FROM generate_series(1, 20000) n
            """
        )
        try await TestDatabase.current.client.execute(
            """
            INSERT INTO uploads (name, account_id, file_id, type, size, expires_at)
            SELECT md5(n::text) || '.jpg', (SELECT min(id) FROM accounts), repeat(md5(n::text), 2), 'jpeg', 1, NULL
            FROM generate_series(1, 5000) n
            """
        )
        try await TestDatabase.current.analyze()
        let plans = Plans()
        let people = UserDirectoryStore()
        for text in ["", "a", "ab", "abc", "zzz", "abcdef12"] {
            _ = try await people.search(text, app: .anlaka, limit: 50, in: plans)
        }
        _ = try await people.person("0123456789abcdef01234567", app: .culture, in: plans)
        _ = try await people.people([1, 2, 3], app: .culture, in: plans)
        _ = try await UploadStore().nextExpired(in: plans)
        _ = try await UploadStore().upload(named: "x", in: plans)
        #expect(plans.all.count == 10)
        for plan in plans.all {
            let whole = plan.split(separator: "\n").filter { $0.contains("Seq Scan") }
            #expect(whole.allSatisfy { $0.contains("never executed") }, "\(plan)")
        }
    }
}

/// Records the plan of each statement with `EXPLAIN ANALYZE`, which executes it; the statements only read.
private final class Plans: Querying {
    private let plans = Mutex<[String]>([])

    var all: [String] { plans.withLock { $0 } }

    func perform(_ sql: SQL) async throws -> PostgresResult {
        let client = TestDatabase.current.client
        let lines = try await client.all("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) \(sql)") {
            try $0.decode(String.self)
        }
        plans.withLock { $0.append(lines.joined(separator: "\n")) }
        return try await client.perform(sql)
    }
}
