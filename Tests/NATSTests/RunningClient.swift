import Logging
import NIOCore
import Synchronization
import TestKit
import Values

@testable import NATS

/// A client that runs, with its events.
struct RunningClient: Sendable {
    let client: NATSClient
    let events: AsyncStream<NATSClient.Event>

    /// Limits that a slow machine does not reach.
    static var limits: NATSClient.Limits { limits(silence: .minutes(1)) }

    static func limits(silence: TimeAmount) -> NATSClient.Limits {
        var limits = NATSClient.Limits()
        (limits.silence, limits.greeting) = (silence, silence)
        limits.backoff = .init(from: .milliseconds(5), to: .milliseconds(20))
        return limits
    }

    /// Runs a client while `body` runs.
    static func with<Value: Sendable>(
        _ url: String,
        limits: NATSClient.Limits = limits,
        log: RecordedLog = RecordedLog(),
        _ body: (RunningClient) async throws -> Value
    ) async throws -> Value {
        let (events, event) = AsyncStream<NATSClient.Event>.makeStream()
        let client = NATSClient(
            try NATSConfiguration(url: url),
            name: "test",
            limits: limits,
            logger: log.logger
        ) { received, _ in event.yield(received) }
        let running = Task { await client.run() }
        let outcome: Result<Value, any Error>
        do {
            outcome = .success(try await body(RunningClient(client: client, events: events)))
        } catch {
            outcome = .failure(error)
        }
        running.cancel()
        await running.value
        return try outcome.get()
    }
}
