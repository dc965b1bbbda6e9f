import Authentication
import Contracts
import Events
import Files
import FoundationEssentials
import Postgres
import Profiles
import ServiceKit
import TestKit
import Testing

@testable import Estate

/// Races between calls for pictures.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct PictureRaceTests {
    private func withDomain(of account: AccountID = 9, _ body: (EstateDomain) async throws -> Void) async throws {
        let database = TestDatabase.current
        try await EstateWorld.addProfile(account, "중개사")
        let configuration = EstateConfiguration(database: database.configuration)
        let domain = EstateDomain(
            configuration,
            database: database.client,
            outbox: Outbox(subscribers: []),
            people: People(database: database.client) { _ in nil },
            community: InternalClient(to: .community, at: [], keys: .development(.estate))
        )
        try await domain.pictures.uploads.prepare()
        defer { try? FileManager.default.removeItem(atPath: configuration.files.folder) }
        try await body(domain)
    }

    private func upload(_ domain: EstateDomain, by account: AccountID = 9) async throws -> String {
        let file = try await domain.pictures.uploads.receive(Picture.jpeg().stream, Pictures.rules)
        return try await domain.pictures.keep([file], by: account).joined()
    }

    /// Whether a picture and its bytes exist.
    private func isThere(_ path: String, _ domain: EstateDomain) async throws -> Bool {
        try await domain.pictures.open(Pictures.rules.name(in: path) ?? "") != nil
    }

    private func list(_ path: String, _ domain: EstateDomain, by account: AccountID = 9) async throws -> Bool {
        do {
            _ = try await domain.listings.create(.fixture([path]), by: account)
            return true
        } catch EstateError.rule(let what) {
            #expect(what == Listings.foreignThumbnails)
            return false
        } catch is PersonUnknown {
            return false
        }
    }

    @Test func concurrentListingAndCollector_agree() async throws {
        try await withDomain { domain in
            for round in 0..<20 {
                let path = try await upload(domain)
                // The upload expires during the race.
                try await TestDatabase.current.client.execute(
                    """
                    UPDATE uploads SET expires_at = clock_timestamp() + interval '5 milliseconds'
                    WHERE expires_at IS NOT NULL
                    """
                )
                async let collected: Void = collect(domain)
                try await Task.sleep(for: .milliseconds(round % 8))
                let isListed = try await list(path, domain)
                try await collected
                try await collect(domain)
                let isThere = try await isThere(path, domain)
                #expect(isThere == isListed, "\(round)")
            }
        }
    }

    private func collect(_ domain: EstateDomain) async throws {
        while try await domain.pictures.uploads.collectNext() {}
    }

    @Test func concurrentWithdrawalAndUploads_leaveNothing() async throws {
        for round in 0..<10 {
            let account = AccountID(rawValue: Int64(100 + round))
            try await withDomain(of: account) { domain in
                let path = try await upload(domain, by: account)
                async let listed = list(path, domain, by: account)
                async let another = try? upload(domain, by: account)
                try await TestDatabase.current.client.transaction {
                    try await domain.withdrawal.withdraw(account, in: $0)
                }
                let (_, late) = (try await listed, await another)
                let count = try await TestDatabase.current.client.one("SELECT count(*) FROM listings") {
                    try $0.decode(Int.self)
                }
                #expect(count == 0, "\(round)")
                for path in [path, late].compactMap(\.self) {
                    let isThere = try await isThere(path, domain)
                    #expect(!isThere, "\(round)")
                }
            }
        }
    }
}
