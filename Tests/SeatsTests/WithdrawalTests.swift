import Contracts
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Seats

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct WithdrawalTests {
    private var world: SeatsWorld { .current }
    private static let favorite = #"{"name":"집","startStationId":36,"endStationId":51}"#
    private static let status = #"{"carCode":"2429"}"#

    private static func report(_ account: AccountID) -> String {
        #"{"reportedUserId":\#(account),"reason":"빛나는 고래가 밀었다"}"#
    }

    private struct Tombstone: Equatable {
        var nickname: String
        var tags: [String]
        var isWithdrawn: Bool
    }

    private func tombstone(_ account: AccountID) async throws -> Tombstone? {
        try await TestDatabase.current.client.optional(
            "SELECT nickname, tags, withdrawn_at IS NOT NULL FROM passengers WHERE account_id = \(account)"
        ) { row in
            let (nickname, tags, isWithdrawn) = try row.decode(String.self, [String].self, Bool.self)
            return Tombstone(nickname: nickname, tags: tags, isWithdrawn: isWithdrawn)
        }
    }

    /// The number of riding statuses, favourites and reports by or about an account.
    private func traces(_ account: AccountID) async throws -> Int {
        try await TestDatabase.current.client.one(
            """
            SELECT (SELECT count(*) FROM riding_statuses WHERE account_id = \(account))
                 + (SELECT count(*) FROM favorites WHERE account_id = \(account))
                 + (SELECT count(*) FROM reports WHERE reporter_id = \(account) OR reported_id = \(account))
            """
        ) { try $0.decode(Int.self) }
    }

    private func profile(_ account: AccountID) -> AuthEvents.ProfileChanged {
        AuthEvents.ProfileChanged(
            account: account,
            app: .seatcatcher,
            nickname: "빛나는 고래",
            image: "IMAGE_2",
            tags: ["USERTAG_PREGNANT"]
        )
    }

    @Test(.service) func withdrawal_deletesPersonalData() async throws {
        try await world.publish(profile(2))
        _ = try await world.client(2).send(.post, "/user/status", json: Self.status)
        _ = try await world.client(2).send(.post, "/favorites", json: Self.favorite)
        _ = try await world.client(2).send(.post, "/reports", json: Self.report(1))
        _ = try await world.client(1).send(.post, "/reports", json: Self.report(2))
        _ = try await world.client(1).send(.post, "/favorites", json: Self.favorite)
        #expect(try await traces(2) == 4)

        try await world.withdraw(2)
        #expect(try await traces(2) == 0)
        #expect(try await tombstone(2) == Tombstone(nickname: "", tags: [], isWithdrawn: true))
        let left = try await world.client(1).send(.get, "/reports/me").text
        #expect(left.contains(#""reportedUserId":null"#))
        #expect(left.contains(#""reportedUserName":null"#))
        #expect(left.contains(#""reason":"""#))
        #expect(!left.contains("고래"))
        #expect(try await traces(1) == 2)
    }

    @Test(.service) func withdrawal_isFinal() async throws {
        try await world.withdraw(2)
        try await world.withdraw(2)
        try await world.publish(profile(2))
        try await world.register(2, "빛나는 고래")
        #expect(try await tombstone(2) == Tombstone(nickname: "", tags: [], isWithdrawn: true))
        let phone = world.client(2)
        for (path, body) in [
            ("/user/status", Self.status), ("/favorites", Self.favorite), ("/reports", Self.report(1)),
        ] { #expect(try await phone.send(.post, path, json: body).summary == "401 INVALID_TOKEN") }
        let about = try await world.client(1).send(.post, "/reports", json: Self.report(2))
        #expect(about.summary == "404 USER_NOT_FOUND")
        #expect(try await traces(2) == 0)
    }

    @Test(.service(passengers: [:])) func withdrawalBeforeRegistration_isFinal() async throws {
        try await world.withdraw(7)
        try await world.register(7, "빛나는 고래")
        #expect(try await tombstone(7) == Tombstone(nickname: "", tags: [], isWithdrawn: true))
    }

    @Test(.service) func withdrawalFromOtherApp_isIgnored() async throws {
        try await world.publish(AuthEvents.AccountWithdrawn(account: 2, app: .moup))
        #expect(try await tombstone(2)?.isWithdrawn == false)
    }

    @Test(.service(passengers: [1: "a"])) func concurrentWritesDuringWithdrawal_leaveNoRows() async throws {
        for account in AccountID(10)..<20 {
            if account.rawValue.isMultiple(of: 2) { try await world.register(account, "b") }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await world.withdraw(account) }
                group.addTask { _ = try await world.client(account).send(.post, "/user/status", json: Self.status) }
                group.addTask { _ = try await world.client(account).send(.post, "/favorites", json: Self.favorite) }
                group.addTask { _ = try await world.client(account).send(.post, "/reports", json: Self.report(1)) }
                group.addTask { _ = try await world.client(1).send(.post, "/reports", json: Self.report(account)) }
                try await group.waitForAll()
            }
            #expect(try await traces(account) == 0)
        }
    }

    @Test(.service) func reportOfWithdrawnUser_canOnlyBeDeleted() async throws {
        struct ReportBody: Decodable { var id: Int64 }
        _ = try await world.client(1).send(.post, "/reports", json: Self.report(2))
        try await world.withdraw(2)
        let reports = try await world.client(1).send(.get, "/reports/me").json([ReportBody].self)
        let path = "/reports/\(try #require(reports.first).id)"
        let change = try await world.client(1).send(.patch, path, json: #"{"reason":"고래였다"}"#)
        #expect(change.summary == "404 USER_NOT_FOUND")
        #expect(try await world.client(1).send(.delete, path).status == .ok)
    }
}
