import Contracts
import FoundationEssentials
import Postgres
import Profiles
import ServiceDatabase
import Values

/// SQL of companion posts.
struct CompanionPostStore: Sendable {
    /// Inserts a post, unless one with the same author and key exists.
    func insert(_ draft: CompanionDraft, by account: AccountID, _ transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            """
            INSERT INTO companion_posts (author_id, request_key, region, location, wants_man, age, requests, meets_at,
                price, title, content)
            VALUES (\(account), \(draft.requestKey), \(draft.region.key), \(draft.region.location), \(draft.wantsMan),
                \(draft.age.rawValue), \(draft.requests.map(\.rawValue)), \(draft.meetsAt), \(draft.price),
                \(draft.title), \(draft.content))
            ON CONFLICT (author_id, request_key) DO NOTHING
            """
        )
    }

    /// The author of a post, which is locked until the transaction ends.
    func lock(_ id: CompanionPostID, _ transaction: PostgresTransaction) async throws -> AccountID? {
        try await transaction.optional("SELECT author_id FROM companion_posts WHERE id = \(id) FOR UPDATE") {
            try $0.decode(AccountID.self)
        }
    }

    func setMatched(_ isMatched: Bool, _ id: CompanionPostID, in transaction: PostgresTransaction) async throws {
        try await transaction.execute("UPDATE companion_posts SET is_matched = \(isMatched) WHERE id = \(id)")
    }

    func delete(_ id: CompanionPostID, in transaction: PostgresTransaction) async throws {
        try await transaction.execute("DELETE FROM companion_posts WHERE id = \(id)")
    }

    /// - Returns: The IDs of the deleted posts.
    func deleteAll(of account: AccountID, in transaction: PostgresTransaction) async throws -> [CompanionPostID] {
        let ids = try await transaction.all("DELETE FROM companion_posts WHERE author_id = \(account) RETURNING id") {
            try $0.decode(CompanionPostID.self)
        }
        return ids.sorted()
    }

    /// A visible post and its author.
    func post(_ id: CompanionPostID, for account: AccountID, in database: some Querying) async throws -> (
        CompanionPost, Person
    )? {
        try await database.optional(
            """
            SELECT \(Self.columns), \(PersonStore.columns)
            FROM companion_posts t JOIN people p ON p.account_id = t.author_id
            WHERE t.id = \(id) AND \(Self.isVisible(to: account))
            """
        ) { try $0.decode { (try CompanionPost(&$0), try Person(&$0)) } }
    }

    /// The number of With Suhyeon's users who have not withdrawn.
    func countPeople(in database: some Querying) async throws -> Int {
        try await database.one(
            "SELECT count(*) FROM people WHERE app = \(App.withsuhyeon) AND withdrawn_at IS NULL"
        ) { try $0.decode(Int.self) }
    }
}

// MARK: - Lists

extension CompanionPostStore {
    private static let columns: SQL =
        """
        t.id, t.author_id, t.region, t.wants_man, t.age, t.requests, t.meets_at, t.price, t.title, t.content,
        t.is_matched, t.created_at
        """

    /// The visible posts of a region, a location or the country, newest first.
    func newest(
        in region: Region,
        on day: CivilDate?,
        for account: AccountID,
        except authors: [AccountID],
        limit: Int,
        _ database: some Querying
    ) async throws -> [CompanionPost] {
        try await database.all(Self.newest(in: region, on: day, for: account, except: authors, limit: limit)) {
            try $0.decode { try CompanionPost(&$0) }
        }
    }

    static func newest(
        in region: Region,
        on day: CivilDate?,
        for account: AccountID,
        except authors: [AccountID],
        limit: Int
    ) -> SQL {
        let place: SQL =
            switch region {
            case Region.all[0]: "true"
            case _ where region.isWhole: "t.location = \(region.location)"
            default: "t.region = \(region.key)"
            }
        let time: SQL =
            day.map { "t.meets_at >= \(SeoulTime.instant($0)) AND t.meets_at < \(SeoulTime.instant($0 + 1))" } ?? "true"
        return """
            SELECT \(columns) FROM companion_posts t
            WHERE \(place) AND \(time) AND t.author_id <> ALL(\(authors)) AND \(isVisible(to: account))
            ORDER BY t.id DESC LIMIT \(limit)
            """
    }

    /// Random posts of a region that are visible and have not expired, chosen from the next 1,000, in the order of
    /// their IDs.
    func some(
        in region: Region,
        after now: Date,
        for account: AccountID,
        except authors: [AccountID],
        limit: Int,
        _ database: some Querying
    ) async throws -> [CompanionPost] {
        try await database.all(
            """
            SELECT \(Self.columns) FROM companion_posts t WHERE t.id IN (
                SELECT id FROM (
                    SELECT t.id FROM companion_posts t WHERE t.region = \(region.key) AND t.meets_at >= \(now)
                        AND t.author_id <> ALL(\(authors)) AND \(Self.isVisible(to: account))
                    ORDER BY t.meets_at LIMIT 1000
                ) next ORDER BY random() LIMIT \(limit)
            ) ORDER BY t.id
            """
        ) { try $0.decode { try CompanionPost(&$0) } }
    }

    private static func isVisible(to account: AccountID) -> SQL {
        ReportStore.isVisible(.companionPost, to: account)
    }

    /// The posts of an account, newest first.
    func written(by account: AccountID, limit: Int, _ database: some Querying) async throws -> [CompanionPost] {
        try await database.all(
            """
            SELECT \(Self.columns) FROM companion_posts t WHERE t.author_id = \(account)
            ORDER BY t.id DESC LIMIT \(limit)
            """
        ) { try $0.decode { try CompanionPost(&$0) } }
    }

    func posts(_ ids: [CompanionPostID], in database: some Querying) async throws -> [CompanionPost] {
        try await database.all("SELECT \(Self.columns) FROM companion_posts t WHERE t.id = ANY(\(ids))") {
            try $0.decode { try CompanionPost(&$0) }
        }
    }
}

extension AgeRange: PostgresCodable {}

extension CompanionPost {
    fileprivate init(_ columns: inout Columns) throws {
        self.init(
            id: try columns.next(),
            author: try columns.next(),
            region: try columns.next(),
            wantsMan: try columns.next(),
            age: try columns.next(),
            requests: try columns.next([String].self).compactMap(CompanionRequest.init(rawValue:)),
            meetsAt: try columns.next(),
            price: try columns.next(),
            title: try columns.next(),
            content: try columns.next(),
            isMatched: try columns.next(),
            createdAt: try columns.next()
        )
    }
}
