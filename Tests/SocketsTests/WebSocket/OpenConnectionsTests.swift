import Synchronization
import Testing

@testable import Sockets

@Suite(.timeLimit(.minutes(3))) struct OpenConnectionsTests {
    @Test func end_returnsAtOnceWithoutConnections() async {
        let connections = OpenConnections()
        await connections.end()
        connections.opened()
        connections.closed()
        await connections.end()
    }

    @Test func end_waitsForTheLastConnection_alsoOneOpenedMeanwhile() async {
        let connections = OpenConnections()
        let hasEnded = Atomic(false)
        connections.opened()
        async let ending: Void = {
            await connections.end()
            hasEnded.store(true, ordering: .relaxed)
        }()
        connections.opened()
        connections.closed()
        for _ in 0..<100 { await Task.yield() }
        let isEarly = hasEnded.load(ordering: .relaxed)
        #expect(!isEarly)
        connections.closed()
        await ending
    }
}
