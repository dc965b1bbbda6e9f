import ServiceKit
import Testing

@Suite(.timeLimit(.minutes(1))) struct TimeoutTests {
    private struct Failure: Error {}

    @TaskLocal private static var local = 0

    @Test func body_returnsInTime() async throws {
        let value = try await Self.$local.withValue(7) { try await withTimeout(.seconds(3600)) { Self.local } }
        #expect(value == 7)
    }

    @Test func failedBody_throwsItsError() async {
        await #expect(throws: Failure.self) { try await withTimeout(.seconds(3600)) { throw Failure() } }
    }

    @Test func lateBody_isCancelledAndThrowsTimedOut() async {
        await #expect(throws: TimedOut.self) {
            try await withTimeout(.milliseconds(10)) { try await Task.sleep(for: .seconds(3600)) }
        }
    }

    @Test func cancelledCaller_cancelsBody() async {
        let caller = Task { try await withTimeout(.seconds(3600)) { try await Task.sleep(for: .seconds(3600)) } }
        caller.cancel()
        await #expect(throws: CancellationError.self) { try await caller.value }
    }

    @Test func bodyThatSurvivesCancellation_keepsItsResult() async throws {
        let isCancelled = try await withCancellation(after: .milliseconds(10)) {
            try? await Task.sleep(for: .seconds(3600))
            return Task.isCancelled
        }
        #expect(isCancelled)
    }
}
