import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Community

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .anlaka) struct AttendancePageTests {
    private var world: CommunityWorld { .current }

    @Test func page_allowsOnlyItsOwnScript() async throws {
        var nonces: Set<String> = []
        for _ in 0..<2 {
            let answer = try await world.client(1).send(.get, "/event-application")
            #expect(answer.status == .ok)
            #expect(answer.headers[.contentType] == "text/html; charset=utf-8")
            #expect(answer.headers[.cacheControl] == "no-store")
            #expect(answer.headers[.xContentTypeOptions] == "nosniff")
            let policy = try #require(answer.headers[.contentSecurityPolicy])
            let nonce = try #require(policy.firstMatch(of: /script-src 'nonce-([A-Za-z0-9_-]{22})'/)?.1)
            #expect(
                policy.split(separator: ";").map { $0.trimmingPrefix(" ") } == [
                    "default-src 'none'", "script-src 'nonce-\(nonce)'", "style-src 'nonce-\(nonce)'",
                    "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
                ]
            )
            let page = answer.text
            #expect(page.contains("<script nonce=\"\(nonce)\">") && page.contains("<style nonce=\"\(nonce)\">"))
            #expect(page.matches(of: /<script/).count == 1 && page.matches(of: /<style/).count == 1)
            #expect(
                !page.contains("{{") && !page.contains(" src=") && page.firstMatch(of: /\son[a-z]+=/) == nil
                    && !page.contains("style=\"")
            )
            nonces.insert(String(nonce))
        }
        #expect(nonces.count == 2)
    }

    @Test func page_usesClientsMessageHandlers() async throws {
        let page = try await world.client(1).send(.get, "/event-application").text
        for name in [
            "window.webkit?.messageHandlers", #"handler("click_attendance_button")"#,
            #"handler("complete_attendance")?.postMessage(count)"#, "window.requestAttendance = ",
            #"fetch("/event-application/attendance""#, #""X-Page-Token": page.dataset.token"#,
        ] { #expect(page.contains(name), "\(name)") }
    }

    @Test func page_withoutSignIn_returns401() async throws {
        let anonymous = ServiceClient(world.client, to: .community, app: .anlaka)
        #expect(try await anonymous.send(.get, "/event-application").status == .unauthorized)
        try await world.database.execute("UPDATE people SET withdrawn_at = now() WHERE account_id = 1")
        #expect(try await world.client(1).send(.get, "/event-application").status == .unauthorized)
        #expect(try await world.client(2, of: .culture).send(.get, "/event-application").status.code == 444)
        #expect(try await world.count("attendance_pages") == 0)
    }
}
