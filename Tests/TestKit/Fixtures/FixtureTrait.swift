package import Testing

/// What runs beside a test, such as a service: `@Suite(.fixture(AuthWorld.test))`. The test finds it as `current`.
package protocol Fixture: Sendable {}

extension Fixture {
    /// The fixture of the current test.
    package static var current: Self {
        guard let current = RunningFixture.current as? Self else {
            preconditionFailure("the test has no trait with a fixture of this type")
        }
        return current
    }
}

enum RunningFixture {
    @TaskLocal static var current: (any Fixture)?
}

/// Runs a fixture beside each test of a suite, or beside one test.
package struct FixtureTrait<Value: Fixture>: SuiteTrait, TestTrait, TestScoping {
    /// Starts the fixture, and ends it when the function that it calls returns.
    package typealias Run = @Sendable (@escaping @Sendable (Value) async throws -> Void) async throws -> Void

    let run: Run

    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let (fixtures, started) = AsyncStream<Value>.makeStream()
        let (untilEnd, end) = AsyncStream<Void>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [run] in
                defer { started.finish() }
                try await run { fixture in
                    started.yield(fixture)
                    for await _ in untilEnd {}
                }
            }
            var outcome = Result<Void, any Error>.success(())
            for await fixture in fixtures {
                do {
                    try await RunningFixture.$current.withValue(fixture, operation: function)
                } catch {
                    outcome = .failure(error)
                }
                break
            }
            // The fixture ends in its own way, also after an error of the test.
            end.finish()
            do {
                try await group.waitForAll()
            } catch {
                try outcome.get()
                throw error
            }
            try outcome.get()
        }
    }
}

extension Trait {
    /// A fixture that `run` starts; `Value.current` in the test.
    package static func fixture<Value>(_ run: @escaping FixtureTrait<Value>.Run) -> Self
    where Self == FixtureTrait<Value> { FixtureTrait(run: run) }
}
