import NIOCore

/// The timer of all connections of an event loop, which checks each of them several times per ping interval.
final class SocketIOClock {
    private let eventLoop: any EventLoop
    private let pause: TimeAmount
    private var connections: [any SocketIOConnection] = []
    private var isTicking = false

    init(_ eventLoop: any EventLoop, tick: TimeAmount) {
        self.eventLoop = eventLoop
        self.pause = tick
    }

    func add(_ connection: any SocketIOConnection) {
        connection.clockIndex = connections.count
        connections.append(connection)
        guard !isTicking else { return }
        isTicking = true
        schedule()
    }

    func remove(_ connection: any SocketIOConnection) {
        let index = connection.clockIndex
        connections.swapAt(index, connections.count - 1)
        connections[index].clockIndex = index
        connections.removeLast()
    }

    private func schedule() {
        _ = eventLoop.assumeIsolated().scheduleTask(in: pause) { [self] in
            let now = eventLoop.now
            // Connections that close during the loop remove themselves from the list.
            for connection in connections { connection.tick(now) }
            if connections.isEmpty { isTicking = false } else { schedule() }
        }
    }
}
