package import Contracts

/// The story by which each call of an app's contract is asked.
package enum AppScenario {
    /// Plays an app's scenario against a server.
    ///
    /// - Parameter progress: Is called with the name of each part before it is played.
    /// - Returns: The result of each call, in the contract's order.
    /// - Throws: `ConformanceError` when the server has gone, or does not speak HTTP.
    package static func play(
        _ app: App,
        on target: ConformanceTarget,
        progress: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws -> [CallResult] {
        let contract = try Contract(of: app)
        let results = CallResults(contract)
        let stage = Stage(contract: contract, target: target, results: results, progress: progress)
        for (call, reason) in Unasked.reasons(of: app) { results.skip(call, because: reason) }
        if target.url.hasPrefix("https://") {
            for call in contract.calls where call.kind != .rest {
                results.skip(call.name, because: "the clients' sockets have no TLS; ask an address with http://")
            }
        }
        try await TokenScenario(stage: stage).play()
        switch app {
        case .seatcatcher: try await SeatCatcherScenario(stage: stage).play()
        case .moup: try await MOUPScenario(stage: stage).play()
        case .anlaka: try await AnlakaScenario(stage: stage).play()
        case .culture: try await CultureScenario(stage: stage).play()
        case .withsuhyeon: try await WithSuhyeonScenario(stage: stage).play()
        }
        return results.all
    }
}
