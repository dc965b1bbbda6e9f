import NIOCore
import Sockets
import StackKit

/// An app's WebSocket with text messages, which are buffered until the scenario reads them.
actor TextSocket {
    private let client: WebSocketClient
    private let reply: @Sendable (String) -> String?
    private var texts: [String] = []
    /// How the connection ended; nil while it is open.
    private(set) var end: WebSocketEnd?

    /// Opens a connection.
    ///
    /// - Parameters:
    ///   - gateway: `http://host:port`.
    ///   - reply: The automatic response of the app's library to a text, which is then not buffered.
    init(
        _ gateway: String,
        _ path: String,
        headers: [(String, String)] = [],
        reply: @escaping @Sendable (String) -> String? = { _ in nil }
    ) async throws {
        client = try await WebSocketClient.connect("ws" + gateway.dropFirst(4) + path, headers: headers)
        self.reply = reply
        Task { [weak self, client] in
            for await message in client.messages {
                if case .text(let bytes) = message { try? await self?.take(String(buffer: bytes)) }
            }
            await self?.close(await client.end)
        }
    }

    /// Emulates Anlaka's library: responds to the server's pings, and joins a room's namespace (Anlaka contract 5).
    static func chat(_ gateway: String, room: String, headers: [(String, String)]) async throws -> TextSocket {
        let path = "/socket.io/?transport=websocket&EIO=4"
        let socket = try await TextSocket(gateway, path, headers: headers) { $0 == "2" ? "3" : nil }
        _ = try await socket.next { $0.hasPrefix("0{") }
        try await socket.send("40/chats-\(room),")
        return socket
    }

    private func take(_ text: String) async throws {
        guard let answer = reply(text) else { return texts.append(text) }
        try await client.send(answer)
    }

    private func close(_ end: WebSocketEnd) {
        self.end = end
    }

    func send(_ text: String) async throws {
        try await client.send(text)
    }

    /// Closes the connection, as an app does in the background.
    func leave() async {
        await client.close(.goingAway)
    }

    /// Breaks the connection without a Close frame, as a lost network does.
    func lose() async {
        await client.abort()
    }

    /// Waits for the next matching text and removes it from the buffer.
    func next(where isWanted: (String) -> Bool = { _ in true }) async throws -> String {
        for _ in 0..<4000 {
            if let index = texts.firstIndex(where: isWanted) { return texts.remove(at: index) }
            guard end == nil else { break }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw StackError(
            "nothing came on the socket that the story could go on with (\(end.map { "\($0)" } ?? "open"))"
        )
    }

    /// Waits until the peer has closed the connection.
    @discardableResult
    func ended() async throws -> WebSocketEnd {
        for _ in 0..<4000 {
            if let end { return end }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw StackError("the socket is still open")
    }

    /// The texts in the buffer.
    var waiting: [String] { texts }
}
