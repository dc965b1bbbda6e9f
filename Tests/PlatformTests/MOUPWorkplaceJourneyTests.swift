import FoundationEssentials
import NIOHTTP1
import Postgres
import TestKit
import Testing

@testable import Auth

/// A worker joins an owner's workplace, and both withdraw, through the gateway.
@Suite(.timeLimit(.minutes(8))) struct MOUPWorkplaceJourneyTests {
    private static let salary =
        #"{"salaryType":"SALARY_MONTHLY","salaryCalculation":"SALARY_CALCULATION_HOURLY","hourlyRate":10030,"#
        + #""salaryDate":10,"salaryDay":"MONDAY","hasNationalPension":false,"hasHealthInsurance":false,"#
        + #""hasEmploymentInsurance":false,"hasIndustrialAccident":false,"hasIncomeTax":false,"#
        + #""hasHolidayAllowance":true,"hasNightAllowance":true}"#

    /// Signs a user up; returns their token.
    private func register(_ platform: Platform, _ nickname: String, _ role: String) async throws -> String {
        let code = try await platform.control("google/codes", #"{"sub":"\#(nickname)"}"#)["authorization_code"] ?? ""
        let login = #"{"provider":"LOGIN_GOOGLE","authCode":"\#(code)","username":""}"#
        let token = try await platform.send(.POST, "/auth/login", json: login).value(TokenPair.self).accessToken
        let body = #"{"nickname":"\#(nickname)","role":"\#(role)"}"#
        let answer = try await platform.send(.PATCH, "/auth/login/register", token: token, json: body)
        #expect(answer.status == 200)
        return token
    }

    /// Withdraws a user, and ends the grace period at once.
    private func leave(_ platform: Platform, _ token: String) async throws {
        #expect(try await platform.send(.DELETE, "/users", token: token).status == 200)
        try await platform.authDatabase.client.execute("UPDATE withdrawals SET due_at = now()")
        var open = 1
        while open > 0 {
            try await Task.sleep(for: .milliseconds(20))
            // The provider's step is not checked here.
            open = try await platform.authDatabase.client.one(
                """
                SELECT (SELECT count(*) FROM withdrawals WHERE started_at IS NULL)
                    + (SELECT count(*) FROM withdrawal_steps WHERE holder = 'workforce' AND done_at IS NULL)
                """
            ) { try $0.decode(Int.self) }
        }
    }

    @Test func worker_joinsWorkplaceAndWithdraws() async throws {
        try await Platform.test { (platform) async throws in
            // The calls are faster than the event of the sign-up.
            let owner = try await register(platform, "사장", "ROLE_OWNER")
            let shop =
                #"{"workplaceName":"언덕카페","categoryName":"카페","latitude":0.0,"longitude":0.0,"ownerBasedLabelColor":"RED"}"#
            let created = try await platform.send(.POST, "/workplaces", token: owner, json: shop)
            #expect(created.status == 201, "\(created.body)")
            let id = try created.value([String: Int64].self)["workplaceId"] ?? 0
            #expect(created.headers.first(name: "location")?.hasSuffix("/workplaces/\(id)") == true)
            struct Code: Decodable { var inviteCode: String }
            let code = try await platform.send(.PUT, "/workplaces/\(id)/invite-code", token: owner)
                .value(Code.self).inviteCode

            let worker = try await register(platform, "하루", "ROLE_WORKER")
            let seen = try await platform.send(.GET, "/workplaces/invite-codes/\(code)", token: worker)
            #expect(seen.body.contains("언덕카페"))
            let join =
                #"{"inviteCode":"\#(code)","workerBasedLabelColor":"BLUE","salaryCreateRequest":\#(Self.salary)}"#
            let joined = try await platform.send(.POST, "/workplaces/join", token: worker, json: join)
            #expect(joined.status == 201, "\(joined.body)")
            let place = try joined.value([String: Int64].self)["workerId"] ?? 0
            #expect(
                try await platform.send(.PATCH, "/workplaces/\(id)/workers/\(place)/accept", token: owner).status == 204
            )
            let list = try await platform.send(.GET, "/workplaces?isSharedOnly=1", token: worker)
            #expect(list.body.contains(#""status":"ACTIVE""#))

            try await leave(platform, worker)
            let left = try await platform.send(.GET, "/workplaces/\(id)/workers", token: owner)
            #expect(left.status == 200)
            #expect(left.body.contains("탈퇴한 근무자") && !left.body.contains("하루"))
            try await leave(platform, owner)
            let names = try await platform.workforceDatabase.client.all("SELECT nickname FROM people") {
                try $0.decode(String.self)
            }
            #expect(names == ["", ""])
            let unfinished = try await platform.authDatabase.client.one(
                "SELECT count(*) FROM withdrawals WHERE started_at IS NULL"
            ) { try $0.decode(Int.self) }
            #expect(unfinished == 0)
        }
    }
}
