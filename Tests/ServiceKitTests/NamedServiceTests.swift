import ServiceKit
import ServiceLifecycle
import Testing

@Suite struct NamedServiceTests {
    private struct Failure: Error {}

    private struct Talkative: Service {
        let secret = "hunter2"

        func run() async throws { throw Failure() }
    }

    @Test func namedService_isDescribedByTypeAndRuns() async {
        let service = NamedService(Talkative())
        #expect("\(service)" == "Talkative")
        await #expect(throws: Failure.self) { try await service.run() }
    }
}
