import FoundationEssentials
import NIOHTTP1
import Postgres
import TestKit
import Testing

@testable import Auth

/// Withdrawals and provider notices survive crashes of auth and of PostgreSQL.
@Suite(.timeLimit(.minutes(8))) struct AccountCrashTests {
    private func fault(_ rig: RefreshRig, _ fields: String) async throws {
        let body = #"{"provider":"kakao",\#(fields)}"#
        #expect(try await Wire.send(.POST, "\(rig.sandbox)/_control/faults", json: body).status == 204)
    }

    private func unlinks(_ rig: RefreshRig) async throws -> Int {
        struct Calls: Decodable {
            struct Call: Decodable { var path: String }
            var calls: [Call]
        }
        let answer = try await Wire.send(.GET, "\(rig.sandbox)/_control/calls?provider=kakao")
        return try answer.value(Calls.self).calls.filter { $0.path == "/v1/user/unlink" }.count
    }

    private func steps(_ rig: RefreshRig, done: Bool) async throws -> [String] {
        try await rig.database.all(
            "SELECT holder FROM withdrawal_steps WHERE (done_at IS NOT NULL) = \(done) ORDER BY holder"
        ) { try $0.decode(String.self) }
    }

    /// Auth is killed while it waits for Kakao; the restarted process repeats the step.
    @Test func withdrawal_afterAuthCrash_resumes() async throws {
        try await RefreshRig.test { rig in
            let tokens = try await rig.signIn(kakao: 1)
            try await fault(rig, #""kind":"timeout","count":1"#)
            let left = try await rig.call(.DELETE, "/user/me", access: tokens.accessToken, at: 0)
            #expect(left.status == 204)
            while try await unlinks(rig) == 0 { try await Task.sleep(for: .milliseconds(20)) }
            await rig.killAuth()
            #expect(try await steps(rig, done: false) == ["kakao", "notifications", "seats"])
            try await rig.startAuth()
            try await rig.database.execute("UPDATE withdrawal_steps SET next_at = now() WHERE holder = 'kakao'")
            while try await steps(rig, done: true) != ["kakao"] { try await Task.sleep(for: .milliseconds(20)) }
            #expect(try await unlinks(rig) == 2)
        }
    }

    /// Auth acknowledges the provider's notice while PostgreSQL is down. The notice takes effect when PostgreSQL is
    /// back, although auth was killed in between.
    @Test func unlinkNotice_duringDatabaseOutage_isNotLost() async throws {
        let spool = FileManager.default.temporaryDirectory.appending(path: "madang-\(UUID())").path()
        try await RefreshRig.test(["NOTICE_SPOOL": spool]) { rig in
            let tokens = try await rig.signIn(kakao: 1)
            try await rig.killDatabase()
            // Long enough for the gateways to know that auth is not ready.
            try await Task.sleep(for: .seconds(4))
            let notice = try await Wire.send(
                .GET,
                "http://127.0.0.1:\(rig.gatewayPorts[0])/notices/seatcatcher/kakao?app_id=1&user_id=1&referrer_type=ACCOUNT_DELETE",
                headers: ["authorization": "KakaoAK madang-development-admin-key"]
            )
            #expect(notice.status == 200)
            await rig.killAuth()
            try await rig.startDatabase()
            try await rig.startAuth()
            let body = #"{"refreshToken":"\#(tokens.refreshToken)"}"#
            while true {
                let refresh = try await Wire.send(
                    .POST,
                    "http://127.0.0.1:\(rig.gatewayPorts[0])/token/refresh",
                    headers: ["content-type": "application/json"],
                    json: body
                )
                if refresh.status == 401 { break }
                try await Task.sleep(for: .milliseconds(50))
            }
            let gone = try await rig.database.one("SELECT withdrawn_at IS NOT NULL FROM accounts") {
                try $0.decode(Bool.self)
            }
            #expect(gone)
        }
    }
}
