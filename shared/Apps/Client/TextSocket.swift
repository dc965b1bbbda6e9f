import NIOCore
package import Sockets

/// A WebSocket of an app with text messages, which are stored until they are read.
package final class TextSocket: Sendable {
    private let client: WebSocketClient
    private let mailbox = Mailbox<String>()
    private let observer: ClientObserver

    /// Opens a connection.
    ///
    /// - Parameters:
    ///   - url: `ws://…`.
    ///   - reply: The automatic response of the app's library to a text, which is then not stored.
    package init(
        _ url: String,
        headers: [String: String] = [:],
        observer: @escaping ClientObserver = { _ in },
        reply: @escaping @Sendable (String) -> String? = { _ in nil }
    ) async throws {
        let client = try await WebSocketClient.connect(url, headers: headers.map { ($0.key, $0.value) })
        self.client = client
        self.observer = observer
        Task { [mailbox] in
            for await message in client.messages {
                guard case .text(let bytes) = message else { continue }
                let text = String(buffer: bytes)
                if let answer = reply(text) { try? await client.send(answer) } else { mailbox.append(text) }
            }
            mailbox.finish(await client.end)
        }
    }

    package func send(_ text: String) async throws {
        observer(.sent(text))
        try await client.send(text)
    }

    package func send(_ frame: JSON) async throws {
        try await send(frame.description)
    }

    /// Closes the connection, as an app does in the background.
    package func close() async {
        await client.close(.goingAway)
    }

    /// Breaks the connection without a Close frame, as the loss of a network does.
    package func abort() async {
        await client.abort()
    }

    /// Waits for the next matching text and removes it.
    ///
    /// - Throws: `ClientError` if the connection ends first.
    package func next(where matches: (String) -> Bool = { _ in true }) async throws -> String {
        let text = try await nextUnobserved(where: matches)
        observer(.received(text))
        return text
    }

    /// Waits for the next JSON text, or the next one that contains another text, and removes it.
    package func nextFrame(containing part: String? = nil) async throws -> JSON {
        let text = try await next { text in part.map { text.contains($0) } ?? true }
        guard let frame = JSON(parsing: text.utf8) else { throw ClientError("a frame is not JSON: \(text)") }
        return frame
    }

    func nextUnobserved(where matches: (String) -> Bool) async throws -> String {
        guard let text = try await mailbox.first(where: matches) else {
            throw ClientError("the socket ended before the message: \(mailbox.end ?? .lost)")
        }
        return text
    }

    /// Waits until the peer has closed the connection.
    @discardableResult
    package func ended() async throws -> WebSocketEnd {
        try await mailbox.ended()
    }

    package var unread: [String] { mailbox.unread }
}
