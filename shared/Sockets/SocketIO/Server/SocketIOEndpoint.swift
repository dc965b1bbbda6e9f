import FoundationEssentials
package import HTTPTypes
package import NIOCore
import Synchronization

/// The WebSocket endpoint of a Socket.IO 5 service over Engine.IO 4: no other transports, no acknowledgements, no
/// binary data.
package final class SocketIOEndpoint<Service: SocketIOService>: WebSocketEndpoint {
    let service: Service
    let rules: SocketIOLimits
    private let state = Mutex(State())

    private struct State {
        var clocks: [ObjectIdentifier: NIOLoopBound<SocketIOClock>] = [:]
        var connections: [ObjectIdentifier: Entry] = [:]
    }

    private struct Entry: Sendable {
        var visitor: Service.Visitor
        var eventLoop: any EventLoop
        var connection: NIOLoopBound<any SocketIOConnection>
    }

    package init(_ service: Service, limits: SocketIOLimits = SocketIOLimits()) {
        self.service = service
        self.rules = limits
    }

    /// Closes the connections of matching visitors, such as those of an ended session.
    package func closeAll(_ code: CloseCode, _ reason: String, where matches: (Service.Visitor) -> Bool) {
        for entry in state.withLock({ Array($0.connections.values) }) where matches(entry.visitor) {
            entry.eventLoop.execute { entry.connection.value.close(code, reason) }
        }
    }

    // MARK: WebSocketEndpoint

    package var subprotocols: [String] { [] }
    package var limits: WebSocketLimits { rules.socket }

    package func delegate(for handshake: HTTPRequest, on eventLoop: any EventLoop) -> any WebSocketDelegate {
        if let problem = Self.problem(handshake.path ?? "") { return RefusedSocket(problem) }
        return SocketIOSession(self, visitor: service.visitor(handshake), on: eventLoop)
    }

    package func delegate(resuming state: ByteBuffer, on eventLoop: any EventLoop) throws -> any WebSocketDelegate {
        let state = try JSONDecoder().decode(SocketIOSession<Service>.State.self, from: Data(state.readableBytesView))
        return SocketIOSession(self, resuming: state, on: eventLoop)
    }

    /// The error in a handshake's path and query; nil if it is valid.
    static func problem(_ path: String) -> String? {
        let query = path.drop { $0 != "?" }.dropFirst().split(separator: "&")
        let value = { (name: String) in query.first { $0.hasPrefix("\(name)=") }?.dropFirst(name.count + 1) }
        guard value("EIO") == "4" else { return "EIO must be 4" }
        guard value("transport") == "websocket" else { return "transport must be websocket" }
        guard value("sid") == nil else { return "there is no such sid" }
        return nil
    }

    // MARK: Connections

    func add(_ connection: any SocketIOConnection, of visitor: Service.Visitor, on eventLoop: any EventLoop) {
        let entry = Entry(
            visitor: visitor,
            eventLoop: eventLoop,
            connection: NIOLoopBound(connection, eventLoop: eventLoop)
        )
        state.withLock { $0.connections[ObjectIdentifier(connection)] = entry }
        clock(of: eventLoop).add(connection)
    }

    func remove(_ connection: any SocketIOConnection, on eventLoop: any EventLoop) {
        _ = state.withLock { $0.connections.removeValue(forKey: ObjectIdentifier(connection)) }
        clock(of: eventLoop).remove(connection)
    }

    private func clock(of eventLoop: any EventLoop) -> SocketIOClock {
        state.withLock { state in
            if let clock = state.clocks[ObjectIdentifier(eventLoop)] { return clock }
            let clock = NIOLoopBound(SocketIOClock(eventLoop, tick: rules.tick), eventLoop: eventLoop)
            state.clocks[ObjectIdentifier(eventLoop)] = clock
            return clock
        }.value
    }
}

/// A socket whose handshake is not valid for this protocol: it is closed with the reason.
private final class RefusedSocket: WebSocketDelegate {
    private let reason: String

    init(_ reason: String) {
        self.reason = reason
    }

    func opened(_ socket: WebSocket) {
        socket.close(.policyViolation, reason)
    }

    func received(_ message: WebSocketMessage) {}
    func closed(_ end: WebSocketEnd) {}
}
