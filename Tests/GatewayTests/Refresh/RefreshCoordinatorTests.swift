import Contracts
import Logging
import ServiceLifecycle
import Synchronization
import TestKit
import Testing

@testable import Gateway

/// Concurrent requests with one refresh token share one refresh.
@Suite(.timeLimit(.minutes(1)))
struct RefreshCoordinatorTests {
    private struct Away: Error {}

    static func request(_ session: String = "s", token: String = "t", address: String = "a")
        -> RefreshCoordinator.RefreshRequest
    {
        RefreshCoordinator.RefreshRequest(app: .moup, session: session, token: token, address: address, userAgent: nil)
    }

    static let tokens = AuthAPI.Refreshed.Tokens(
        accessToken: "a",
        refreshToken: "r",
        session: "s",
        refreshExpiresAt: 0
    )

    private func run(
        waiters: Int = 256,
        call: @escaping RefreshCoordinator.Call,
        _ test: @Sendable (RefreshCoordinator) async throws -> Void
    ) async throws {
        let refreshes = RefreshCoordinator(waiters: waiters, reuse: .seconds(60), call: call)
        let lifecycle = ServiceGroup(services: [refreshes], logger: .quiet)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await lifecycle.run() }
            try await test(refreshes)
            await lifecycle.triggerGracefulShutdown()
            try await group.waitForAll()
        }
    }

    private static func await(_ request: RefreshCoordinator.RefreshRequest, in refreshes: RefreshCoordinator) async
        -> RefreshCoordinator.Outcome
    {
        await withCheckedContinuation { continuation in
            if case .completed(let outcome) = refreshes.wait(for: request, { continuation.resume(returning: $1) }) {
                continuation.resume(returning: outcome)
            }
        }
    }

    @Test func concurrentWaiters_shareOneCall() async throws {
        let calls = Counted()
        let call: RefreshCoordinator.Call = { _ in
            calls.add(1)
            try await Task.sleep(for: .milliseconds(50))
            return AuthAPI.Refreshed(tokens: Self.tokens)
        }
        try await run(call: call) { refreshes in
            await withTaskGroup { group in
                for _ in 0..<200 { group.addTask { await Self.await(Self.request(), in: refreshes) } }
                for await outcome in group { #expect(outcome.tokens == Self.tokens) }
            }
            #expect(calls.value == 1)
            // The result is reused for a while; a request from another address is sent to auth.
            #expect(await Self.await(Self.request(), in: refreshes).tokens == Self.tokens)
            #expect(calls.value == 1)
            #expect(await Self.await(Self.request(address: "b"), in: refreshes).tokens == Self.tokens)
            #expect(calls.value == 2)
            #expect(refreshes.counts.refreshed == 2 && refreshes.counts.reused == 1 && refreshes.counts.waiting == 0)
        }
    }

    @Test func waiter_beyondLimit_isRejected() async throws {
        let gate = AsyncStream<Void>.makeStream()
        let call: RefreshCoordinator.Call = { _ in
            for await _ in gate.stream {}
            return AuthAPI.Refreshed(tokens: Self.tokens)
        }
        try await run(waiters: 3, call: call) { refreshes in
            try await withThrowingTaskGroup(of: RefreshCoordinator.Outcome.self) { group in
                for _ in 0..<3 { group.addTask { await Self.await(Self.request(), in: refreshes) } }
                try await eventually { refreshes.counts.waiting == 3 }
                #expect(await Self.await(Self.request(), in: refreshes).isUnavailable)
                #expect(await Self.await(Self.request(token: "predecessor"), in: refreshes).isUnavailable)
                #expect(refreshes.counts.rejected == 2)
                gate.continuation.finish()
                for try await outcome in group { #expect(outcome.tokens == Self.tokens) }
            }
            #expect(refreshes.counts.waiting == 0)
        }
    }

    @Test func failedCall_isRetriedWhileWaitersRemain() async throws {
        let calls = Counted()
        let isAway = Mutex(true)
        let call: RefreshCoordinator.Call = { _ in
            calls.add(1)
            if isAway.withLock({ $0 }) { throw Away() }
            return AuthAPI.Refreshed(refusal: .expired)
        }
        try await run(call: call) { refreshes in
            guard case .waiting(let ticket) = refreshes.wait(for: Self.request(), { _, _ in }) else { return }
            try await eventually { calls.value > 2 }
            refreshes.cancel(ticket)
            refreshes.cancel(ticket)
            #expect(refreshes.counts.waiting == 0)
            _ = try await calls.settled()
            async let outcome = Self.await(Self.request(), in: refreshes)
            isAway.withLock { $0 = false }
            #expect(await outcome.refusal == .expired)
            // A refusal is reused as well.
            #expect(await Self.await(Self.request(), in: refreshes).refusal == .expired)
            #expect(refreshes.counts.refused == 1)
        }
    }

    @Test func shutdown_resolvesWaitersAsUnavailable() async throws {
        let outcomes = AsyncStream<RefreshCoordinator.Outcome>.makeStream()
        try await run(call: { _ in throw Away() }) { refreshes in
            _ = refreshes.wait(for: Self.request()) { outcomes.continuation.yield($1) }
        }
        for await outcome in outcomes.stream {
            #expect(outcome.isUnavailable)
            break
        }
    }
}

extension RefreshCoordinator.Outcome {
    var tokens: AuthAPI.Refreshed.Tokens? {
        if case .tokens(let tokens) = self { tokens } else { nil }
    }

    var refusal: AuthAPI.Refreshed.Refusal? {
        if case .refused(let refusal) = self { refusal } else { nil }
    }

    var isUnavailable: Bool {
        if case .unavailable = self { true } else { false }
    }
}
