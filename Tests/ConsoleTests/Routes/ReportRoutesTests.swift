import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Console

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct ReportRoutesTests {
    private var world: ConsoleWorld { .current }

    @Test func spans_areStored_andTheirTraceIsKeptByAll() async throws {
        let position = try await world.program(.seats).send(.get, ConsoleAPI.Kept.path)
            .json(ConsoleAPI.Kept.self).position
        try await world.report([StoredSpan(1, name: "POST /rooms", ["madang.room": "7"]), StoredSpan(2, under: 1)])
        let kept = try await world.program(.seats).send(.get, ConsoleAPI.Kept.path(after: position))
        #expect(try kept.json(ConsoleAPI.Kept.self).traces == [StoredSpan.trace(1)])
        let stored = try await TraceStore(database: world.database).part(
            0,
            of: #require(UUID(trace: StoredSpan.trace(1))),
            size: 10
        ).spans
        #expect(stored.map(\.program) == ["chat", "chat"])
        #expect(Set(stored.map(\.span.name)) == ["POST /rooms", "span"])
    }

    /// A program repeats a report whose answer it did not get.
    @Test func repeatedReport_addsNoLine() async throws {
        for _ in 0..<2 { try await world.report([StoredSpan(1, ["madang.room": "7"])]) }
        let page = try await world.browser().get("story?q=7")
        #expect(page.status == .seeOther)
        let story = try await world.browser().get("story/\(StoredSpan.trace(1))")
        #expect(story.text.matches(of: /class="what"/).count == 1)
    }

    @Test func calls_areAddedUp() async throws {
        var target = ConsoleAPI.Calls.Target("chat")
        for milliseconds in [0.5, 3, 9000] { target.add(milliseconds: milliseconds, isFailure: milliseconds > 5000) }
        let json = String(
            decoding: try JSONEncoder().encode(ConsoleAPI.Calls(program: "gateway", targets: [target])),
            as: UTF8.self
        )
        for _ in 0..<2 {
            #expect(try await world.program(.gateway).send(.post, ConsoleAPI.Calls.path, json: json).status == .ok)
        }
        let arrows = try await CallStore(database: world.database).lastHour()
        #expect(arrows.map(\.calls) == [6] && arrows.map(\.failures) == [2])
        #expect(arrows[0].recentCalls == 6 && arrows[0].times.reduce(0, +) == 6)
        #expect(arrows[0].times.first == 2 && arrows[0].times.last == 2)
        let page = try await world.browser().get("now").text
        #expect(page.contains("gateway → chat") && page.contains("2 of 6 calls from gateway to chat have failed"))
    }

    @Test(arguments: ["", "{}", "[]", #"{"resourceSpans":[{"resource":{},"scopeSpans":[]}]}"#, #"{"resourceSpans":7}"#])
    func malformedReport_returns400(json: String) async throws {
        let answer = try await world.program(.chat).send(.post, ConsoleAPI.tracesPath, json: json)
        #expect(answer.status == .badRequest, "\(answer.text)")
    }

    @Test func spansWithoutATraceID_areLeftOut() async throws {
        var spans = [StoredSpan(1), StoredSpan(2, in: 2)]
        spans[1].traceId = "<b>"
        try await world.report(spans)
        #expect(try await world.count("spans") == 1)
    }

    /// PostgreSQL stores no NUL.
    @Test func spansWithNUL_areStored() async throws {
        try await world.report([StoredSpan(1, name: "a\0b", ["madang.room": "7\0"])])
        #expect(try await world.browser().get("story/\(StoredSpan.trace(1))").text.contains("a\u{FFFD}b"))
    }

    @Test func otherPrograms_areRefused() async throws {
        for (caller, path) in [(ProgramName.stack, ConsoleAPI.tracesPath), (.gateway, ConsoleAPI.Invitation.path)] {
            #expect(try await world.program(caller).send(.post, path, json: "{}").status == .forbidden)
        }
        #expect(try await world.program(.chat).send(.get, "/internal/console/now").status == .forbidden)
    }

    @Test(arguments: [(#"{"name":"kim","role":"root"}"#), (#"{"name":"","role":"act"}"#), (#"{"role":"act"}"#)])
    func invitationOfNoRoleOrName_returns400(json: String) async throws {
        let answer = try await world.program(.stack).send(.post, ConsoleAPI.Invitation.path, json: json)
        #expect(answer.status == .badRequest)
    }
}
