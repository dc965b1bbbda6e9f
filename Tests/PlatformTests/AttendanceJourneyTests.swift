import NIOHTTP1
import TestKit
import Testing

@testable import Auth

/// Anlaka's attendance event as a web view and a browser use it, and public resources of With Suhyeon, through the
/// gateway.
@Suite(.timeLimit(.minutes(8))) struct AttendanceJourneyTests {
    private let key = "anlaka-dev-key"

    @Test func attendancePage_acceptsPageTokenOrAccessToken() async throws {
        try await Platform.test { (platform) async throws in
            let join = #"{"email":"haru@example.com","password":"abcd123!","nick":"하루"}"#
            let joined = try await platform.send(.POST, "/v1/users/join", key: key, json: join)
            let access = try joined.value(TokenPair.self).accessToken
            #expect(try await platform.send(.GET, "/event-application").status == 420)
            #expect(try await platform.send(.GET, "/event-application", key: key).status == 401)
            let opened = try await platform.send(.GET, "/event-application", key: key, token: access)
            #expect(opened.status == 200)
            #expect(opened.headers.first(name: "x-frame-options") == "DENY")
            #expect(opened.headers.first(name: "referrer-policy") == "no-referrer")
            #expect(opened.headers.first(name: "content-security-policy")?.contains("frame-ancestors 'none'") == true)
            let page = try #require(opened.body.firstMatch(of: /data-token="([A-Za-z0-9_-]{43})"/)?.1)

            // The page has no key, and in a browser no access token.
            func attend(_ headers: [String: String]) async throws -> Wire.Answer {
                try await platform.send(.POST, "/event-application/attendance", headers: headers, json: "{}")
            }
            #expect(try await attend([:]).status == 401)
            let first = try await attend(["X-Page-Token": String(page)])
            #expect(
                first.status == 200 && first.body.contains(#""already":false"#) && first.body.contains(#""count":1"#)
            )
            #expect(try await attend(["X-Page-Token": String(page)]).status == 401)
            let again = try await attend(["X-Page-Token": String(page), "Authorization": access])
            #expect(again.status == 200 && again.body.contains(#""already":true"#))
        }
    }

    @Test func withSuhyeonEnums_areServedWithoutToken() async throws {
        try await Platform.test { (platform) async throws in
            let regions = try await platform.send(.GET, "/api/v1/enums/regions")
            #expect(regions.status == 200 && regions.body.contains("전국 전체"))
            let picture = try await platform.send(.GET, "/api/v1/enums/categories/beach.png")
            #expect(picture.status == 200 && picture.headers.first(name: "content-type") == "image/png")
            let gone = try await platform.send(
                .GET,
                "/api/v1/galleries/images/\(String(repeating: "0", count: 32)).jpg"
            )
            #expect(gone.status == 410)
            #expect(try await platform.send(.GET, "/api/v1/galleries").status == 401)
        }
    }
}
