import AppClients
import Apps
import FoundationEssentials
import Postgres
import TestKit
import Testing

/// Withdrawals and provider notices survive crashes of auth and of PostgreSQL.
@Suite(.timeLimit(.minutes(8))) struct AccountCrashTests {
    private func unlinks(_ platform: RefreshPlatform) async throws -> Int {
        let calls =
            try await SandboxClient(platform.sandbox).get("calls?provider=kakao").json()["calls"]?.elements ?? []
        return calls.count { $0["path"] == "/v1/user/unlink" }
    }

    private func steps(_ platform: RefreshPlatform, done: Bool) async throws -> [String] {
        try await platform.database.all(
            "SELECT holder FROM withdrawal_steps WHERE (done_at IS NOT NULL) = \(done) ORDER BY holder"
        ) { try $0.decode(String.self) }
    }

    /// Auth is killed while it waits for Kakao; the restarted process repeats the step.
    @Test func withdrawal_afterAuthCrash_resumes() async throws {
        try await RefreshPlatform.test { platform in
            let tokens = try await platform.signIn(kakao: 1)
            let fault: RequestBody = ["provider": "kakao", "kind": "timeout", "count": 1]
            try await SandboxClient(platform.sandbox).post("faults", fault).expect(204)
            try await platform.send(\.withdraw, access: tokens.accessToken, at: 0).expect(204)
            try await eventually { try await unlinks(platform) > 0 }
            await platform.killAuth()
            #expect(try await steps(platform, done: false) == ["kakao", "notifications", "seats"])
            try await platform.startAuth()
            try await platform.database.execute("UPDATE withdrawal_steps SET next_at = now() WHERE holder = 'kakao'")
            try await eventually { try await steps(platform, done: true) == ["kakao"] }
            #expect(try await unlinks(platform) == 2)
        }
    }

    /// Auth acknowledges the provider's notice while PostgreSQL is down. The notice takes effect when PostgreSQL is
    /// back, although auth was killed in between.
    @Test func unlinkNotice_duringDatabaseOutage_isNotLost() async throws {
        let spool = FileManager.default.temporaryDirectory.appending(path: "madang-\(UUID())").path()
        try await RefreshPlatform.test(["NOTICE_SPOOL": spool]) { platform in
            let tokens = try await platform.signIn(kakao: 1)
            try await platform.killDatabase()
            // Long enough for the gateways to know that auth is not ready.
            try await Task.sleep(for: .seconds(4))
            let notice = try await HTTPTransport(platform.url(0)).send(
                .get,
                SeatCatcher().receiveKakaoUnlink.path + "?app_id=1&user_id=1&referrer_type=ACCOUNT_DELETE",
                headers: ["Authorization": "KakaoAK madang-development-admin-key"]
            )
            #expect(notice.status == 200)
            await platform.killAuth()
            try await platform.startDatabase()
            try await platform.startAuth()
            let client = SeatCatcherClient(platform.url(0))
            try await eventually {
                try await client.refresh(tokens.refreshToken).status == 401
            }
            let gone = try await platform.database.one("SELECT withdrawn_at IS NOT NULL FROM accounts") {
                try $0.decode(Bool.self)
            }
            #expect(gone)
        }
    }
}
