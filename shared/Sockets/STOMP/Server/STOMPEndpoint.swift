import Contracts
package import HTTPTypes
package import NIOCore
import Synchronization

/// The WebSocket endpoint of a STOMP service.
package final class STOMPEndpoint<Service: STOMPService>: WebSocketEndpoint {
    private let service: Service
    private let stompLimits: STOMPLimits
    private let connections = STOMPConnections<Service.Principal>()
    private let accounts: AccountAllowances

    package init(_ service: Service, limits: STOMPLimits = STOMPLimits()) {
        self.service = service
        self.stompLimits = limits
        self.accounts = AccountAllowances(limits.accountFrames)
    }

    /// Closes the connections of matching principals, such as those of a revoked session.
    package func closeAll(_ refusal: STOMPRefusal, where matches: (Service.Principal) -> Bool) {
        for connection in connections.all(where: matches) { connection.close(refusal) }
    }

    // MARK: WebSocketEndpoint

    package var subprotocols: [String] { ["v12.stomp", "v11.stomp", "v10.stomp"] }
    package var limits: WebSocketLimits { stompLimits.socket }

    package func delegate(for handshake: HTTPRequest, on eventLoop: any EventLoop) -> any WebSocketDelegate {
        session(for: handshake, on: eventLoop)
    }

    package func delegate(resuming state: ByteBuffer, on eventLoop: any EventLoop) throws -> any WebSocketDelegate {
        let state = try STOMPState<Service>(state, stompLimits)
        var handshake = HTTPRequest(method: .get, scheme: nil, authority: nil, path: SocketMove.path)
        if case .waiting(let first) = state.phase { handshake = first }
        return session(for: handshake, on: eventLoop, arrival: state)
    }

    private func session(
        for handshake: HTTPRequest,
        on eventLoop: any EventLoop,
        arrival: STOMPState<Service>? = nil
    ) -> STOMPSession<Service> {
        let outlet = STOMPOutlet()
        let connection = STOMPConnection(id: STOMPConnectionID.next(), outlet: outlet, eventLoop: eventLoop)
        return STOMPSession(
            service,
            handshake: handshake,
            connection: connection,
            outlet: outlet,
            limits: stompLimits,
            connections: connections,
            accounts: accounts,
            arrival: arrival
        )
    }
}

/// The open connections with their principals.
final class STOMPConnections<Principal: Sendable>: Sendable {
    private struct Entry: Sendable {
        var connection: STOMPConnection
        var principal: Principal
    }

    private let entries = Mutex<[UInt64: Entry]>([:])

    func add(_ connection: STOMPConnection, _ principal: Principal) {
        entries.withLock { $0[connection.id] = Entry(connection: connection, principal: principal) }
    }

    func remove(_ connection: STOMPConnection) {
        entries.withLock { $0[connection.id] = nil }
    }

    func all(where matches: (Principal) -> Bool) -> [STOMPConnection] {
        let all = entries.withLock { Array($0.values) }
        return all.filter { matches($0.principal) }.map(\.connection)
    }
}

enum STOMPConnectionID {
    private static let last = Atomic<UInt64>(0)

    static func next() -> UInt64 {
        last.wrappingAdd(1, ordering: .relaxed).newValue
    }
}
