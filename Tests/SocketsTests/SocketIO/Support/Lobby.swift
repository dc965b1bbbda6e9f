import HTTPTypes
import NIOCore
import Sockets
import Synchronization
import TestKit

/// A service for tests: `/open…` accepts every client, `/slow` accepts when the test allows it, others are refused.
final class Lobby: SocketIOService {
    private let state = Mutex(State())
    private let isLimited: Bool
    private let resumes: Bool

    private struct State {
        var sockets: [SocketIOSocket] = []
        var log: [String] = []
        var gates: [CheckedContinuation<Void, Never>] = []
        var isOpen = false
        var waiting: [(count: Int, CheckedContinuation<Void, Never>)] = []
    }

    /// - Parameters:
    ///   - isLimited: visitors may stay for a second and a half.
    ///   - resumes: memberships of other copies are continued.
    init(isLimited: Bool = false, resumes: Bool = true) {
        self.isLimited = isLimited
        self.resumes = resumes
    }

    func visitor(_ handshake: HTTPRequest) -> String { handshake.headerFields[.userAgent] ?? "unnamed" }

    func stay(of visitor: String) -> TimeAmount? { isLimited ? .milliseconds(1500) : nil }

    func connect(
        _ socket: SocketIOSocket,
        payload: ByteBuffer?,
        as visitor: String
    ) async throws(SocketIORefusal) -> String {
        state.withLock { $0.sockets.append(socket) }
        note("connect \(socket.namespace) \(payload.map { String(buffer: $0) } ?? "-")")
        if socket.namespace == "/slow" {
            await withCheckedContinuation { gate in
                let passes = state.withLock { state in
                    if !state.isOpen { state.gates.append(gate) }
                    return state.isOpen
                }
                if passes { gate.resume() }
            }
        } else if !socket.namespace.hasPrefix("/open") {
            throw SocketIORefusal("There is no such namespace.")
        }
        return visitor
    }

    func disconnected(_ socket: SocketIOSocket, _ membership: String) {
        note("disconnected \(socket.namespace) \(membership)")
    }

    func suspend(_ socket: SocketIOSocket, _ membership: String) -> String {
        note("suspend \(socket.namespace) \(membership)")
        socket.emit(SocketIOEvent("chat", ByteBuffer(string: #""last""#), in: socket.namespace))
        return "position of \(membership)"
    }

    func resume(
        _ socket: SocketIOSocket,
        from position: String,
        as visitor: String
    ) async throws(SocketIORefusal) -> String {
        note("resume \(socket.namespace) \(position)")
        guard resumes else { throw SocketIORefusal("There is no such namespace.") }
        return try await connect(socket, payload: nil, as: visitor)
    }

    /// Accepts the clients that wait for `/slow`.
    func open() {
        let gates = state.withLock { state in
            state.isOpen = true
            defer { state.gates = [] }
            return state.gates
        }
        for gate in gates { gate.resume() }
    }

    /// The sockets that have connected to a namespace, in this order.
    var sockets: [SocketIOSocket] { state.withLock { $0.sockets } }

    // MARK: Log

    var log: [String] { state.withLock { $0.log } }

    private func note(_ event: String) {
        let ready = state.withLock { state in
            state.log.append(event)
            defer { state.waiting.removeAll { $0.count <= state.log.count } }
            return state.waiting.filter { $0.count <= state.log.count }
        }
        for (_, continuation) in ready { continuation.resume() }
    }

    /// Waits until the log has a count of entries.
    func happened(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.log.count < count { state.waiting.append((count, continuation)) }
                return state.log.count >= count
            }
            if isReady { continuation.resume() }
        }
    }
}

extension SocketIOWire {
    static func open(_ service: SocketService, _ query: String = query) async throws -> SocketIOWire {
        try await open(service.url + query, headers: SocketService.identity(at: SocketService.path + query))
    }

    init(_ service: SocketService, _ query: String = query) async throws {
        try await self.init(service.url + query, headers: SocketService.identity(at: SocketService.path + query))
    }
}
