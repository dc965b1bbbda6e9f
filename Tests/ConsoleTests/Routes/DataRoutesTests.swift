import Contracts
import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Console

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct DataRoutesTests {
    private var world: ConsoleWorld { .current }

    @Test func page_hasTablesWithTheirBounds_andTheSlowestStatements() async throws {
        var slow = ConsoleAPI.Calls.Statement("PushStore.first<b>")
        slow.add(microseconds: 2_000_000)
        slow.add(microseconds: 1_000_000)
        let calls = ConsoleAPI.Calls(program: "notifications", targets: [], statements: [slow])
        let json = String(decoding: try JSONEncoder().encode(calls), as: UTF8.self)
        for _ in 0..<2 {
            let answer = try await world.program(.notifications).send(.post, ConsoleAPI.Calls.path, json: json)
            #expect(answer.status == .ok)
        }
        let page = try await world.browser().get("data").text
        #expect(page.contains("<td>subjects</td>") && page.contains("Dropped after 24 hours"))
        #expect(page.contains("PushStore.first&#60;b&#62;</td><td>4</td><td>6.00 s</td><td>1.50 s</td><td>2.00 s</td>"))
        #expect(page.contains("<td>console</td><td>active</td>"))
    }

    @Test func serviceThatDoesNotAnswer_isNamed() async throws {
        try await ConsoleWorld.test({ $0.serviceURLs = [.chat: ["http://127.0.0.1:1"]] }) { world in
            let page = try await world.browser().get("data")
            #expect(page.status == .ok && page.text.contains("These do not answer: chat"))
        }
    }
}
