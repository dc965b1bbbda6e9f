import AppClients
import Apps
import Contracts
import Postgres
import TestKit
import Testing

/// A worker joins an owner's workplace, and both withdraw, through the gateway.
@Suite(.timeLimit(.minutes(8))) struct MOUPWorkplaceJourneyTests {
    /// Signs a user up.
    private func register(_ platform: Platform, _ nickname: String, _ role: String) async throws -> MOUPClient {
        let client = MOUPClient(platform.gateway)
        try await client.signIn(code: platform.sandboxClient.googleCode(nickname)).expect(201)
        try await client.register(nickname, as: role).expect()
        return client
    }

    /// Withdraws a user, and ends the grace period at once.
    private func leave(_ platform: Platform, _ client: MOUPClient) async throws {
        #expect(try await client.send(\.withdraw).status == 200)
        try await platform.authDatabase.client.execute("UPDATE withdrawals SET due_at = now()")
        // The provider's step is not checked here.
        try await eventually {
            try await platform.authDatabase.client.one(
                """
                SELECT (SELECT count(*) FROM withdrawals WHERE started_at IS NULL)
                    + (SELECT count(*) FROM withdrawal_steps WHERE holder = 'workforce' AND done_at IS NULL)
                """
            ) { try $0.decode(Int.self) } == 0
        }
    }

    @Test func worker_joinsWorkplaceAndWithdraws() async throws {
        try await Platform.test { (platform) async throws in
            // The calls are faster than the event of the sign-up.
            let owner = try await register(platform, "사장", "ROLE_OWNER")
            let shop: RequestBody = [
                "workplaceName": "언덕카페", "categoryName": "카페", "latitude": 0.0, "longitude": 0.0,
                "ownerBasedLabelColor": "RED",
            ]
            let created = try await owner.send(\.createWorkplace, body: shop)
            let id = WorkplaceID(rawValue: try created.json(201).number("workplaceId"))
            #expect(created.header("location")?.hasSuffix("/workplaces/\(id)") == true)
            let code = try await owner.send(\.createInviteCode, id).value(JSON.self).text("inviteCode")

            let worker = try await register(platform, "하루", "ROLE_WORKER")
            #expect(try await worker.send(\.getWorkplaceByInviteCode, code).body.contains("언덕카페"))
            let place = try await worker.join(code, isInsured: false)
            #expect(try await owner.send(\.acceptWorker, id, place).status == 204)
            let list = try await worker.send(\.listWorkplaces, query: "isSharedOnly=1")
            #expect(list.body.contains(#""status":"ACTIVE""#))

            try await leave(platform, worker)
            let left = try await owner.send(\.listWorkers, id)
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
