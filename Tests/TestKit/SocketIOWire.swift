import NIOCore
package import Sockets

/// A client of Socket.IO that sends and receives packets as they stand on the wire.
package struct SocketIOWire: Sendable {
    package let socket: WebSocketClient

    package static let query = "?transport=websocket&EIO=4"

    package init(_ url: String, headers: [(String, String)]) async throws {
        socket = try await WebSocketClient.connect(url, headers: headers)
    }

    /// Opens a connection, and reads its first packet.
    ///
    /// - Throws: `WebSocketClientError.closed` when that is none.
    package static func open(_ url: String, headers: [(String, String)]) async throws -> SocketIOWire {
        let wire = try await SocketIOWire(url, headers: headers)
        guard let first = await wire.next(), first.hasPrefix(#"0{"sid":""#) else { throw WebSocketClientError.closed }
        return wire
    }

    package func say(_ packet: String) async throws { try await socket.send(packet) }

    /// The next packet; nil when the connection has ended.
    package func next() async -> String? {
        var messages = socket.messages.makeAsyncIterator()
        guard case .text(let text)? = await messages.next() else { return nil }
        return String(buffer: text)
    }

    /// Sends something, and reads the next packet.
    package func ask(_ packet: String) async throws -> String? {
        try await say(packet)
        return await next()
    }
}
