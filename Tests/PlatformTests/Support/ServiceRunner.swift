import Logging
import ServiceKit
import ServiceLifecycle
import TestKit

/// Starts and stops one of our processes inside the test's own.
actor ServiceRunner {
    private let make: @Sendable () async throws -> any Service
    private var failure: (any Error)?
    private var running: (group: ServiceGroup, task: Task<Void, any Error>)?

    init(_ make: @escaping @Sendable () async throws -> any Service) {
        self.make = make
    }

    func start() async throws {
        let group = ServiceGroup(services: [NamedService(try await make())], logger: .quiet)
        failure = nil
        running = (
            group,
            Task {
                do {
                    try await group.run()
                } catch {
                    failure = error
                    throw error
                }
            }
        )
    }

    /// - Throws: the error that ended the process.
    func check() throws {
        if let failure { throw failure }
    }

    /// Lets it drain, as SIGTERM does.
    func stop() async throws {
        guard let (group, task) = running else { return }
        running = nil
        await group.triggerGracefulShutdown()
        try await task.value
    }
}
