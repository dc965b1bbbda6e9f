import Apps
import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Console

/// The record of an act, whatever becomes of the act.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct ActRecordTests {
    private var operators: OperatorStore { OperatorStore(database: TestDatabase.current.client) }
    private let visit = Visit(visitor: Operator(name: "kim", role: .act, form: "f"), language: .en)

    private func record(_ body: () async throws -> String) async throws {
        try await visit.record("refund", on: "A-1", because: "r", in: operators, body)
    }

    private func outcomes() async throws -> [String] { try await operators.acts(limit: 10).map(\.act.outcome) }

    @Test func act_isRecordedBeforeItIsDone() async throws {
        try await record {
            let before = try await outcomes()
            #expect(before == ["begun"])
            return "done"
        }
        #expect(try await outcomes() == ["done"])
    }

    @Test func refusedAct_isForgotten() async throws {
        await #expect(throws: Problem.self) {
            try await record { throw Problem(.notFound, message: "no such order") }
        }
        #expect(try await outcomes() == [])
    }

    @Test func actThatFails_staysWithItsError() async throws {
        struct Lost: Error {}
        await #expect(throws: Lost.self) { try await record { throw Lost() } }
        #expect(try await outcomes().first?.hasPrefix("not known: Lost") == true)
    }
}
