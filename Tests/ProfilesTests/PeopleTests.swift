import Contracts
import FoundationEssentials
import Postgres
import TestKit
import Testing

@testable import Events
@testable import Profiles

@Suite(.database([People.migration(version: 1)])) struct PeopleTests {
    private var database: PostgresClient { TestDatabase.current.client }
    private static let known = Person(
        account: 7,
        app: .withsuhyeon,
        publicID: "777777777777777777777777",
        nickname: "수현",
        region: "JEJU_CITY"
    )

    private func people(_ ask: @escaping @Sendable (AccountID) async throws -> Person? = { _ in nil }) -> People {
        People(database: database, fetch: ask)
    }

    @Test func unknownAccount_isFetchedOnce() async throws {
        #expect(try await people { $0 == 7 ? Self.known : nil }.person(7) == Self.known)
        #expect(try await people().person(7) == Self.known)
        await #expect(throws: PersonUnknown()) { try await people().person(8) }
    }

    @Test func fetchedProfile_doesNotReplaceAnEventThatWasHandledMeanwhile() async throws {
        let people = people { _ in
            var renamed = Self.known
            renamed.nickname = "현"
            let store = PersonStore()
            try await store.save(renamed, in: TestDatabase.current.client)
            return Self.known
        }
        #expect(try await people.person(7).nickname == "현")
        #expect(try await people.person(7).nickname == "현")
    }

    /// The first requests of a new person, and the event of the sign-up, come at the same time.
    @Test func newPerson_storedByManyAtOnce_isThereOnce() async throws {
        let (database, store) = (database, PersonStore())
        for number: Int64 in 1...50 {
            let publicID = PublicID.random()
            let person = Person(account: AccountID(rawValue: number), app: .anlaka, publicID: publicID, nickname: "수현")
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for task in 0..<8 {
                    tasks.addTask {
                        try await database.transaction { transaction in
                            if task.isMultiple(of: 2) {
                                try await store.add(person, in: transaction)
                            } else {
                                try await store.save(person, in: transaction)
                            }
                        }
                    }
                }
                try await tasks.waitForAll()
            }
            #expect(
                try await store.account(publicID: publicID, of: .anlaka, in: database) == AccountID(rawValue: number)
            )
        }
    }

    @Test func profileWithoutRegion_keepsRegion() async throws {
        let people = people()
        try await database.transaction { try await people.save(Self.known, in: $0) }
        var renamed = Self.known
        (renamed.nickname, renamed.region) = ("현", nil)
        try await database.transaction { [renamed] in try await people.save(renamed, in: $0) }
        #expect(try await people.person(7).nickname == "현")
        #expect(try await people.person(7).region == "JEJU_CITY")
    }

    /// A withdrawal is final for known and unknown accounts, whatever profile is saved later.
    @Test(arguments: [true, false])
    func withdrawnAccount_staysUnknown(isKnown: Bool) async throws {
        let people = people { _ in Self.known }
        if isKnown { try await people.person(7) }
        try await database.transaction { transaction in
            try await people.withdraw(7, of: .withsuhyeon, at: .now, in: transaction)
            try await people.save(Self.known, in: transaction)
        }
        await #expect(throws: PersonUnknown()) { try await people.person(7) }
        await #expect(throws: PersonUnknown()) { try await database.transaction { try people.lock(7, in: $0) } }
        let left = try await database.one("SELECT nickname, region FROM people WHERE account_id = 7") {
            try $0.decode(as: (String, String?).self)
        }
        #expect(left.0.isEmpty && left.1 == nil)
    }

    /// A new account is found before its registration event arrives.
    @Test func unknownAccount_isFoundByPublicID() async throws {
        let people = People(
            database: database,
            fetch: { $0 == 7 ? Self.known : nil },
            lookUp: { publicID, app in publicID == Self.known.publicID && app == .withsuhyeon ? 7 : nil }
        )
        #expect(try await people.account(publicID: Self.known.publicID, of: .anlaka) == nil)
        #expect(try await people.account(publicID: "888888888888888888888888", of: .withsuhyeon) == nil)
        #expect(try await people.account(publicID: Self.known.publicID, of: .withsuhyeon) == 7)
        #expect(try await self.people().person(7) == Self.known)
        // A withdrawn account is not fetched again.
        try await database.transaction { try await people.withdraw(7, of: .withsuhyeon, at: .now, in: $0) }
        #expect(try await people.account(publicID: Self.known.publicID, of: .withsuhyeon) == nil)
    }

    @Test func publicID_isValidInOneApp() async throws {
        let people = people { _ in Self.known }
        try await people.person(7)
        try await database.transaction { (transaction) async throws in
            let id = Self.known.publicID
            #expect(try await people.lock(publicID: id, of: .withsuhyeon, in: transaction) == 7)
            #expect(try await people.lock(publicID: id, of: .anlaka, in: transaction) == nil)
        }
    }

    /// After a registration event, which has no region, the whole profile is still fetched.
    @Test func registrationEvent_doesNotStorePartialProfile() async throws {
        let people = people { _ in Self.known }
        let event = AuthEvents.AccountRegistered(
            account: 7,
            app: .withsuhyeon,
            nickname: "수현",
            image: nil,
            publicID: Self.known.publicID
        )
        let registered = try #require(people.subscriptions(of: [.withsuhyeon]).first)
        try await database.transaction { try await registered.apply([event], $0) }
        #expect(try await people.person(7).region == "JEJU_CITY")
    }
}
