import AppClients
import Apps
import TestKit
import Testing

/// Anlaka's attendance event as a web view and a browser use it, and public resources of With Suhyeon, through the
/// gateway.
@Suite(.timeLimit(.minutes(8))) struct AttendanceJourneyTests {
    @Test func attendancePage_acceptsPageTokenOrAccessToken() async throws {
        try await Platform.test { (platform) async throws in
            let client = try await AnlakaClient(platform, "haru@example.com", nick: "하루")
            #expect(try await platform.send(.get, "/event-application").status == 420)
            #expect(try await platform.anlaka.send(\.getAttendancePage).status == 401)
            let opened = try await client.send(\.getAttendancePage)
            #expect(opened.status == 200)
            #expect(opened.header("x-frame-options") == "DENY")
            #expect(opened.header("referrer-policy") == "no-referrer")
            #expect(opened.header("content-security-policy")?.contains("frame-ancestors 'none'") == true)
            let page = try #require(opened.body.firstMatch(of: /data-token="([A-Za-z0-9_-]{43})"/)?.1)

            // The page has no key, and in a browser no access token.
            func attend(_ headers: [String: String]) async throws -> ClientResponse {
                try await platform.send(.post, Anlaka().recordAttendance.path, headers: headers, body: [:])
            }
            #expect(try await attend([:]).status == 401)
            let first = try await attend(["X-Page-Token": String(page)])
            #expect(
                first.status == 200 && first.body.contains(#""already":false"#) && first.body.contains(#""count":1"#)
            )
            #expect(try await attend(["X-Page-Token": String(page)]).status == 401)
            let again = try await attend(["X-Page-Token": String(page), "Authorization": client.token])
            #expect(again.status == 200 && again.body.contains(#""already":true"#))
            #expect(try await attend(["Authorization": "nonsense"]).status == 401)

            // The token of a session that has ended records nothing.
            #expect(try await client.send(\.signOut).status == 200)
            try await eventually("the gateway knows of the end") {
                try await attend(["Authorization": client.token]).status == 401
            }
        }
    }
}
