import TestKit
import Testing

@testable import Console

@Suite(.database(Migrations.all)) struct TableBoundTests {
    @Test func everyTable_saysWhatBoundsIt() async throws {
        let tables = try await TestDatabase.current.tablesWithoutBound()
        #expect(tables == [])
    }
}
