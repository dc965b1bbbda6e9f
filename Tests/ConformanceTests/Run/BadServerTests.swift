import AppClients
import Contracts
import Hummingbird
import TestKit
import Testing

@testable import Conformance

/// Whole runs against servers that answer everything in one wrong way.
@Suite(.timeLimit(.minutes(4))) struct BadServerTests {
    private func results(_ app: App, _ answer: BadServer.Answer) async throws -> [CallResult] {
        let contract = try Contract(of: app)
        let results = CallResults(contract)
        try await BadServer.run({ _ in answer }) { url in
            let target = ConformanceTarget(url: url, sandbox: nil)
            try await TokenScenario(stage: Stage(contract: contract, target: target, results: results)).play()
        }
        return results.all
    }

    @Test(arguments: App.allCases)
    func serverThatAcceptsEveryone_isNoticedAtEachCall(_ app: App) async throws {
        for result in try await results(app, .init()) where result.call.needsToken && result.call.kind == .rest {
            guard !result.checks.isEmpty else { continue }
            #expect(result.verdict == .deviates, "\(result.call.name)")
        }
    }

    @Test(arguments: App.allCases)
    func serverThatAnswersPages_isNoticed(_ app: App) async throws {
        let page = BadServer.Answer(type: "text/html", body: "<html></html>")
        try await BadServer.run({ _ in page }) { url in
            let results = try await AppScenario.play(app, on: ConformanceTarget(url: url, sandbox: nil))
            let asked = results.filter { $0.verdict != .unasked && $0.call.needsToken }
            #expect(!asked.isEmpty && asked.allSatisfy { $0.verdict == .deviates })
        }
    }

    @Test func unaskedCalls_haveReasons() async throws {
        try await BadServer.run({ _ in .init(status: .internalServerError) }) { url in
            for result in try await AppScenario.play(.moup, on: ConformanceTarget(url: url, sandbox: nil)) {
                #expect(result.verdict != .unasked || result.reason?.isEmpty == false, "\(result.call.name)")
            }
        }
    }

    @Test func serverThatIsAway_isASentence() async throws {
        for (url, part) in [
            (try await BadServer.closedURL(), "cannot be asked"), ("127.0.0.1:8080", "no address of a server"),
        ] {
            let target = ConformanceTarget(url: url, sandbox: nil)
            let error = await #expect(throws: ConformanceError.self) { try await target.probe() }
            #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
        }
    }

    @Test func sandboxThatIsAway_isLeftOut() async throws {
        let sandbox = SandboxClient(try await BadServer.closedURL())
        let target = await ConformanceTarget(url: "http://127.0.0.1", sandbox: sandbox).withReachableSandbox()
        #expect(target.sandbox == nil)
    }
}
