import AppClients
import Contracts
import Testing

@testable import Conformance

/// The scenarios against a server that answers as the contracts say.
@Suite(.timeLimit(.minutes(4))) struct SampleServerTests {
    @Test(arguments: App.allCases)
    func samples_conform(_ app: App) throws {
        for call in try Contract(of: app).calls {
            for type in call.response.types {
                #expect(ShapeCheck.deviations(type.sample, from: type) == [], "\(call.name)")
            }
        }
    }

    /// SeatCatcher's ride comes after its socket, which this server has not; its contract has no ids of reports.
    private static let exempt: Set = [
        "POST /user/seats", "PATCH /user/seats", "DELETE /user/seats", "POST /user/seats/{seatId}/yield", "GET /trains",
        "POST /path-histories/start-journey", "PATCH /credit",
        "GET /reports/{report_id}", "PATCH /reports/{report_id}", "DELETE /reports/{report_id}",
    ]
    /// The calls of With Suhyeon's rooms, whose ids its socket tells.
    private static let rooms = "/chatrooms"

    @Test(arguments: App.allCases)
    func everyRequest_isAskedForAnAnswer(_ app: App) async throws {
        try await SampleServer(contract: Contract(of: app)).run { url in
            let target = ConformanceTarget(url: url, sandbox: SandboxClient(url))
            for result in try await AppScenario.play(app, on: target) where result.call.kind == .rest {
                let call = result.call
                guard Unasked.reasons(of: app)[call.name] == nil, !call.path.contains(Self.rooms),
                    !Self.exempt.contains(call.name)
                else { continue }
                let isAnswered = result.checks.contains { !CallResult.ofTokens.contains($0) }
                #expect(isAnswered, "\(call.name): \(result.reason ?? "")")
            }
        }
    }
}
