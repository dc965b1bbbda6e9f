import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Payroll
import Postgres
import TestKit
import Testing

@testable import Workforce

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct InvitationRoutesTests {
    private var world: WorkforceWorld { .current }

    private func issue(_ id: WorkplaceID, json: String? = nil) async throws -> (Int, WorkforceWorld.Code, String?) {
        let answer = try await world.client(9).send(.put, "/workplaces/\(id)/invite-code", json: json)
        #expect(try answer.keys() == ["inviteCode", "returnAlreadyExists"])
        return (answer.status.code, try answer.json(), answer.headers[.location])
    }

    @Test(.service(at: "2025-11-05T03:00:00Z")) func inviteCode_expiresAfterTenMinutes() async throws {
        let id = try await world.shared()
        let (status, first, location) = try await issue(id)
        #expect(status == 201 && !first.returnAlreadyExists)
        #expect(first.inviteCode.count == 6)
        #expect(first.inviteCode.allSatisfy("23456789ABCDEFGHJKLMNPQRSTUVWXYZ".contains))
        #expect(location?.hasSuffix("/workplaces/invite-codes/\(first.inviteCode)") == true)
        #expect(location?.hasPrefix("http://") == true)

        world.clock.advance(by: 300)
        for body in [nil, "{}", #"{"forceGenerate":false}"#, #"{"forceGenerate":null}"#] {
            let (status, again, location) = try await issue(id, json: body)
            #expect(status == 200 && again.returnAlreadyExists && again.inviteCode == first.inviteCode)
            #expect(location == nil)
        }
        let (forced, second, _) = try await issue(id, json: #"{"forceGenerate":true}"#)
        #expect(forced == 201 && !second.returnAlreadyExists && second.inviteCode != first.inviteCode)
        let path = "/workplaces/invite-codes"
        #expect(try await world.refusal(1, .get, "\(path)/\(first.inviteCode)") == "404 WORKPLACE_404")
        world.clock.advance(by: 599)
        #expect(try await world.client(1).send(.get, "\(path)/\(second.inviteCode.lowercased())").status == .ok)
        // A lookup does not extend the code's lifetime.
        world.clock.advance(by: 1)
        #expect(try await world.refusal(1, .get, "\(path)/\(second.inviteCode)") == "404 WORKPLACE_404")
        #expect(
            try await world.refusal(1, .post, "/workplaces/join", json: PlacesBodies.join(second.inviteCode))
                == "404 WORKPLACE_404"
        )
        #expect(try await issue(id).0 == 201)
        #expect(try await world.count("invite_codes") == 1)
    }

    @Test(.service) func inviteCode_isIssuedToOwnerOnly() async throws {
        let id = try await world.shared()
        let own = try await world.personal(of: 1)
        _ = try await world.member(1, at: id)
        for (account, place) in [(1, id), (8, id), (1, own), (9, own)] as [(AccountID, WorkplaceID)] {
            #expect(try await world.refusal(account, .put, "/workplaces/\(place)/invite-code") == "403 PERMISSION_403")
        }
        #expect(try await world.refusal(9, .put, "/workplaces/999/invite-code") == "404 WORKPLACE_404")
        #expect(try await world.refusal(9, .put, "/workplaces/x/invite-code") == "400 ARGUMENT_400")
        #expect(try await world.refusal(9, .put, "/workplaces/0/invite-code") == "400 VARIABLE_400")
        let path = "/workplaces/\(id)/invite-code"
        #expect(try await world.refusal(9, .put, path, json: "{") == "400 COMMON_400")
        let long = #"{"x":"\#(String(repeating: "a", count: 300_000))"}"#
        #expect(try await world.refusal(9, .put, path, json: long) == "413 COMMON_413")
        #expect(try await world.refusal(9, .put, path, json: #"{"forceGenerate":"x"}"#) == "422 FIELD_422")
    }

    @Test(.service) func inviteCode_showsItsWorkplace() async throws {
        let id = try await world.shared()
        let code = try await world.code(of: id)
        let answer = try await world.client(1).send(.get, "/workplaces/invite-codes/\(code)")
        #expect(
            try answer.keys()
                == ["workplaceId", "workplaceName", "categoryName", "address", "latitude", "longitude"]
        )
        #expect(try await world.refusal(9, .get, "/workplaces/invite-codes/\(code)") == "403 PERMISSION_403")
        for bad in ["ABC", "ABCDEFG", "ABC-EF", "%EA%B0%80%EA%B0%80", "ABCDE%00"] {
            #expect(try await world.refusal(1, .get, "/workplaces/invite-codes/\(bad)") == "400 VARIABLE_400")
        }
        _ = try await world.applicant(1, at: id)
        #expect(try await world.refusal(1, .get, "/workplaces/invite-codes/\(code)") == "409 WORKER_409")
    }

    @Test(.service) func join_awaitsApproval() async throws {
        let id = try await world.shared()
        let code = try await world.code(of: id)
        let answer = try await world.client(1).send(
            .post,
            "/workplaces/join",
            json: PlacesBodies.join(code.lowercased())
        )
        #expect(answer.status == .created)
        #expect(try answer.keys() == ["workplaceId", "workerId"])
        let ids = try answer.json([String: Int64].self)
        #expect(ids["workplaceId"] == id.rawValue)
        #expect(answer.headers[.location]?.hasSuffix("/workplaces/\(id)/workers/\(ids["workerId"] ?? 0)") == true)
        // Several users may join with one code.
        let second = try await world.client(2).send(.post, "/workplaces/join", json: PlacesBodies.join(code))
        #expect(second.status == .created)
        #expect(
            try await world.refusal(1, .post, "/workplaces/join", json: PlacesBodies.join(code)) == "409 WORKER_409"
        )
        #expect(
            try await world.refusal(8, .post, "/workplaces/join", json: PlacesBodies.join(code))
                == "403 PERMISSION_403"
        )
        for bad in [
            "{}", PlacesBodies.join(""), PlacesBodies.join("AB"), PlacesBodies.join(code, color: ""),
            PlacesBodies.join(code, salary: "null"),
            PlacesBodies.join(code, salary: PlacesBodies.salary(hourly: "0")),
            PlacesBodies.join("가나다라마바"), PlacesBodies.join("ABCDE\\u0000"),
        ] { #expect(try await world.refusal(1, .post, "/workplaces/join", json: bad) == "422 FIELD_422", "\(bad)") }
        // An applicant sees the workplace and their own wage.
        #expect(try await world.places(of: 1).map(\.status) == ["PENDING_APPROVAL"])
        let detail = try await world.client(1).send(.get, "/workplaces/\(id)").text
        #expect(detail.contains(#""status":"PENDING_APPROVAL""#) && detail.contains(#""hourlyRate":10030"#))
        #expect(try await world.colleagues(at: id).map(\.isAccepted) == [false, false])
    }

    @Test(.service) func concurrentJoins_makeOneWorkerEach() async throws {
        let id = try await world.shared()
        let body = PlacesBodies.join(try await world.code(of: id))
        let codes = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<8 {
                let account = AccountID(rawValue: Int64(1 + number % 2))
                group.addTask { try await world.refusal(account, .post, "/workplaces/join", json: body) }
            }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(codes.filter { $0 == "201" }.count == 2)
        #expect(codes.filter { $0 == "409 WORKER_409" }.count == 6)
        #expect(try await world.colleagues(at: id).map(\.nickname).sorted() == ["나무", "하루"])
    }

    @Test(.service(at: "2025-11-05T03:00:00Z")) func codeLookups_afterTwentyFailures_return429() async throws {
        let id = try await world.shared()
        let code = try await world.code(of: id)
        // Codes contain no 0, so that no guess can be right.
        for number in 0..<17 {
            #expect(
                try await world.refusal(1, .get, "/workplaces/invite-codes/0000\(number + 10)")
                    == "404 WORKPLACE_404"
            )
            world.clock.advance(by: 1)
        }
        // Concurrent guesses by both calls.
        let codes = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<10 {
                group.addTask {
                    number % 2 == 0
                        ? try await world.refusal(1, .get, "/workplaces/invite-codes/00000\(number)")
                        : try await world.refusal(
                            1,
                            .post,
                            "/workplaces/join",
                            json: PlacesBodies.join("00000\(number)")
                        )
                }
            }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(codes.filter { $0 == "404 WORKPLACE_404" }.count == 3)
        #expect(codes.filter { $0 == "429 COMMON_429" }.count == 7)
        // A valid code is refused, too, with the time to wait.
        let good = try await world.client(1).send(.get, "/workplaces/invite-codes/\(code)")
        #expect(good.status == .tooManyRequests)
        #expect(good.headers[.retryAfter] == "583")
        #expect(
            try await world.refusal(1, .post, "/workplaces/join", json: PlacesBodies.join(code)) == "429 COMMON_429"
        )
        // Other users are not limited.
        #expect(try await world.client(2).send(.get, "/workplaces/invite-codes/\(code)").status == .ok)
        world.clock.advance(by: 583)
        let fresh = try await world.code(of: id)
        #expect(try await world.client(1).send(.get, "/workplaces/invite-codes/\(fresh)").status == .ok)
        #expect(try await world.refusal(1, .get, "/workplaces/invite-codes/000000") == "404 WORKPLACE_404")
        #expect(try await world.refusal(1, .get, "/workplaces/invite-codes/000000") == "429 COMMON_429")
        // Expired failures are deleted.
        #expect(try await world.count("failed_lookups") == 20)
    }

    @Test(.service) func deletedWorkplace_invalidatesCode() async throws {
        let id = try await world.shared()
        let code = try await world.code(of: id)
        #expect(try await world.client(9).send(.delete, "/workplaces/\(id)").status == .noContent)
        #expect(try await world.count("invite_codes") == 0)
        #expect(try await world.refusal(1, .get, "/workplaces/invite-codes/\(code)") == "404 WORKPLACE_404")
        #expect(try await world.refusal(9, .put, "/workplaces/\(id)/invite-code") == "404 WORKPLACE_404")
    }

    /// A user who joins during the deletion is either removed with the others, or refused.
    @Test func concurrentJoinsAndDeletion_leaveNoWorker() async throws {
        try await WorkforceWorld.test(
            workers: Dictionary(uniqueKeysWithValues: (1...6).map { (AccountID(rawValue: $0), "하루\($0)") })
        ) {
            (world) async throws in
            let id = try await world.shared()
            let body = PlacesBodies.join(try await world.code(of: id))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for account: AccountID in [1, 2, 3, 4, 5, 6] {
                    group.addTask {
                        let code = try await world.refusal(account, .post, "/workplaces/join", json: body)
                        #expect(["201", "404 WORKPLACE_404"].contains(code))
                    }
                }
                group.addTask {
                    let status = try await world.client(9).send(.delete, "/workplaces/\(id)").status
                    #expect(status == .noContent)
                }
                try await group.waitForAll()
            }
            let present = try await world.database.one("SELECT count(*) FROM workers WHERE parted_at IS NULL") {
                try $0.decode(Int.self)
            }
            #expect(present == 0)
        }
    }
}

@Suite(.database(Migrations.all)) struct InvitationsTests {
    private var world: WorkforceWorld { .current }

    @Test(.service) func duplicateCode_isRegenerated() async throws {
        let first = try await world.shared("하나")
        let second = try await world.shared("둘")
        let taken = try #require(InviteCode("234567"))
        let free = try #require(InviteCode("765432"))
        var invitations = PlacesDomain.make().invitations
        invitations.random = { taken }
        _ = try await invitations.code(of: first, renewing: false, by: 9)
        let clock = ManualClock("2025-11-05T03:00:00Z")
        invitations.random = {
            defer { clock.advance(by: 1) }
            return clock.now == ManualClock("2025-11-05T03:00:00Z").now ? taken : free
        }
        #expect(try await invitations.code(of: second, renewing: false, by: 9).code == free)
        #expect(try await invitations.workplace(with: taken, for: 1).id == first)
    }

    @Test func inviteCodes_useTheirAlphabet() {
        let codes = (0..<2000).map { _ in InviteCode.random().text }
        #expect(Set(codes.joined()) == Set(InviteCode.alphabet))
        #expect(Set(codes).count == codes.count)
        #expect(InviteCode("abc234")?.text == "ABC234")
        for bad in ["", "ABC23", "ABC2345", "ABC 34", "ABC-34", "ａBC234"] { #expect(InviteCode(bad) == nil) }
    }

    /// A user who has not finished registration may use no call.
    @Test func unregisteredUser_isRefused() async throws {
        let domain = PlacesDomain.make()
        try await TestDatabase.current.client.execute("INSERT INTO people (account_id, nickname) VALUES (5, 'x')")
        let wage = try WageDraft(Wage(terms: .init(cycle: .monthly, basis: .hourly), hourlyRate: 1))
        let draft = try WorkplaceDraft(name: "n", category: "c")
        let code = try #require(InviteCode("234567"))
        for account in [5, 6] as [AccountID] {
            await #expect(throws: WorkforceError.forbidden) {
                try await domain.workplaces.create(draft, own: .worker(color: "c", wage: wage), by: account)
            }
            await #expect(throws: WorkforceError.forbidden) {
                try await domain.invitations.join(with: code, color: "c", wage: wage, by: account)
            }
            await #expect(throws: WorkforceError.forbidden) {
                try await domain.invitations.workplace(with: code, for: account)
            }
            await #expect(throws: WorkforceError.forbidden) { try await domain.staff.leave(1, by: account) }
            await #expect(throws: WorkforceError.forbidden) { try await domain.workplaces.place(1, of: account) }
            await #expect(throws: WorkforceError.forbidden) { try await domain.workplaces.delete(1, by: account) }
            await #expect(throws: WorkforceError.userNotFound) {
                try await domain.workplaces.list(of: account, sharedOnly: false)
            }
        }
    }
}
