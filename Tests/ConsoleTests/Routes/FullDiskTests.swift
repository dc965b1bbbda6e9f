import Contracts
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Console

/// The disk under the console's database is full: nothing can be written, and what is there can be read.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct FullDiskTests {
    private var world: ConsoleWorld { .current }

    /// Has PostgreSQL refuse each new and each changed row as on a full disk (SQLSTATE 53100).
    private func fillDisk() async throws {
        let database = TestDatabase.current.client
        try await database.execute(
            """
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
            AS $$ BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = 'disk_full'; END $$
            """
        )
        for table in ["spans", "stories", "subjects", "calls", "statements", "invitations", "sessions", "acts"] {
            try await database.execute(
                """
                CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON \(identifier: table)
                FOR EACH ROW EXECUTE FUNCTION refuse()
                """
            )
        }
    }

    @Test func pages_showWhatIsThere() async throws {
        try await world.report([StoredSpan(1, name: "POST /v1/orders", ["user.id": "5"])])
        let browser = try await world.browser()
        try await fillDisk()
        let story = try await browser.get("story/\(StoredSpan.trace(1))")
        #expect(story.status == .ok && story.text.contains("POST /v1/orders"))
        for path in ["now", "story", "people", "live", "money", "events", "outside", "api", "data", "acts"] {
            #expect(try await browser.get(path).status == .ok, "\(path)")
        }
    }

    /// Programs repeat a report that is answered so, and drop spans when too many wait.
    @Test func reports_areAnsweredSoThatTheyAreRepeated() async throws {
        try await fillDisk()
        let report = #"""
            {"resourceSpans":[{"resource":{"attributes":[]},"scopeSpans":[{"spans":[{"traceId":"\#(StoredSpan.trace(1))",\#
            "spanId":"0000000000000001","name":"span","kind":2,"startTimeUnixNano":"1","endTimeUnixNano":"2"}]}]}]}
            """#
        let answer = try await world.program(.chat).send(.post, ConsoleAPI.tracesPath, json: report)
        #expect(answer.status == .serviceUnavailable, "\(answer.text)")
        #expect(try await world.count("spans") == 0)
    }

    @Test func act_isNotDone_sinceItCannotBeRecorded() async throws {
        let browser = try await world.browser(role: "act")
        try await fillDisk()
        let fields = ["account": "1", "app": "moup", "session": "s", "reason": "stolen phone"]
        let answer = try await browser.post("people/end-session", fields)
        #expect(answer.status == .serviceUnavailable && answer.text.contains("database does not answer"))
        #expect(try await world.count("acts") == 0)
    }

    @Test func signIn_isRefusedWithAPage_andTheAddressStaysValid() async throws {
        let invitation = try await world.invite()
        try await fillDisk()
        let answer = try await world.post("sign-in", ["token": invitation])
        #expect(answer.status == .serviceUnavailable && answer.text.contains("<html"))
        #expect(try await world.count("invitations") == 1)
    }
}
