import Conformance
import Contracts
import Testing

/// The suite of `stack conform` against the whole platform.
@Suite(.serialized, .timeLimit(.minutes(8))) struct ConformanceTests {
    @Test(arguments: App.allCases)
    func platform_conformsToTheContract(_ app: App) async throws {
        try await Platform.test { platform in
            let target = ConformanceTarget(url: platform.gateway, sandbox: platform.sandboxClient)
            let results = try await AppScenario.play(app, on: target)
            for result in results {
                #expect(result.deviations.isEmpty, "\(result.call.name): \(result.deviations)")
            }
            let unasked = results.filter { $0.verdict == .unasked }
            #expect(unasked.count <= 6, "\(unasked.map { "\($0.call.name): \($0.reason ?? "")" })")
        }
    }
}
