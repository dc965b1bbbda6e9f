import Contracts
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Postgres
import Synchronization
import TestKit
import Testing

@testable import Console

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct PeopleRoutesTests {
    private var world: ConsoleWorld { .current }

    /// Without an auth service.
    @Test func unknownPerson_isNotFound_andNothingIsRecorded() async throws {
        let browser = try await world.browser(role: "act")
        let page = try await browser.get("people?q=%3Cb%3E")
        #expect(page.status == .ok && page.text.contains("There is no such account") && !page.text.contains("<b>"))
        let fields = ["account": "1", "app": "moup", "session": "s", "reason": "stolen phone"]
        #expect(try await browser.post("people/end-session", fields).status == .notFound)
        for missing in ["account", "app", "session"] {
            let answer = try await browser.post("people/end-session", fields.filter { $0.key != missing })
            #expect(answer.status == .notFound)
        }
        #expect(
            try await browser.post("people/end-session", fields.filter { $0.key != "reason" }).status == .badRequest
        )
        #expect(try await world.count("acts") == 0)
    }

    @Test func operatorWhoLooks_endsNoSession() async throws {
        let fields = ["account": "1", "app": "moup", "session": "s", "reason": "r"]
        let answer = try await world.browser(role: "look").post("people/end-session", fields)
        #expect(answer.status == .forbidden)
    }
}
