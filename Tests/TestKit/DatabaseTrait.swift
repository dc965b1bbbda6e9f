package import Postgres
package import Testing

/// Gives each test of a suite a schema of its own on the test server: `@Suite(.database(migrations))`.
package struct DatabaseTrait: SuiteTrait, TestTrait, TestScoping {
    let migrations: [Migration]

    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws { try await TestDatabase.with(migrations, function) }
}

extension Trait where Self == DatabaseTrait {
    /// A database with these migrations applied; `TestDatabase.current` in the test.
    package static func database(_ migrations: [Migration] = []) -> Self { DatabaseTrait(migrations: migrations) }
}
