import CoreMetrics
import Dispatch
import NIOCore
import NIOPosix
import TestKit
import Testing

@testable import ServiceKit

@Suite(.timeLimit(.minutes(1))) struct EventLoopLagTests {
    private let registry = MetricsRegistry()

    private func value(_ name: String) throws -> Double {
        let line = registry.exposition().split(separator: "\n").first { $0.hasPrefix("\(name) ") }
        return try #require(line?.split(separator: " ").last.flatMap { Double($0) })
    }

    @Test func blockedLoop_isLate_byTheTimeThatItIsBlocked() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let lag = withMetricsFactory(registry) { EventLoopLag(of: group) }
        let release = DispatchSemaphore(value: 0)
        group.next().execute { release.wait() }
        lag.measure()
        let start = ContinuousClock.now
        try await eventually("the loop that is not blocked is measured") {
            try value("event_loop_lag_seconds_count") == 1
        }
        let before = try value("event_loop_lag_seconds_sum")
        let blocked = ContinuousClock.now - start
        release.signal()
        try await eventually("the other one is measured") { try value("event_loop_lag_seconds_count") == 2 }
        #expect(try value("event_loop_lag_seconds_sum") - before >= blocked / .seconds(1))
        try await group.shutdownGracefully()
    }

    @Test func loops_areMeasuredUntilTheEnd() async throws {
        let lag = withMetricsFactory(registry) { EventLoopLag(of: MultiThreadedEventLoopGroup.singleton) }
        let running = Task { try await lag.run() }
        try await eventually { try value("event_loop_lag_seconds_count") > 0 }
        running.cancel()
        try await running.value
    }
}
