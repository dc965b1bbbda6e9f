import NIOCore
import Sockets

extension Phone {
    /// Opens the app's STOMP connection with the access token.
    package func connect(_ story: String, to path: String = "/seatcatcher") async throws {
        let token = headers.first { $0.0 == "Authorization" }?.1 ?? ""
        tell("\n  \(story)")
        tell("    ⇢ CONNECT \(path)")
        let socket = try await STOMPClient.connect(
            "ws" + gateway.dropFirst(4) + path,
            headers: [("accept-version", "1.1,1.2"), ("Authorization", token)],
            handshake: headers
        )
        self.socket = socket
        tell("    ⇠ CONNECTED version \(socket.connected.headers["version"] ?? "?")")
    }

    package func subscribe(_ destination: String, headers: [(String, String)] = []) async throws {
        tell("    ⇢ SUBSCRIBE \(destination)")
        guard let messages = try await socket?.subscribe(destination, headers: headers) else {
            throw StackError("there is no socket")
        }
        Task {
            do {
                for try await message in messages { keep(message, of: destination) }
            } catch {
                end(with: error)
            }
        }
    }

    package func unsubscribe(_ destination: String) async throws {
        tell("    ⇢ UNSUBSCRIBE \(destination)")
        try await socket?.unsubscribe(id: destination)
        inbox[destination] = nil
    }

    /// Stores the error, which every subscription reports, once.
    private func end(with error: any Error) {
        guard let message = (error as? STOMPClientError)?.message, farewell == nil else { return }
        farewell = message
    }

    private func keep(_ message: STOMPFrame, of destination: String) {
        inbox[destination, default: []].append(message)
    }

    /// Waits for a message on a destination; earlier messages are skipped, because a screen shows only the last one.
    ///
    /// - Parameter showing: Formats the message for printing.
    @discardableResult
    package func hear(
        _ story: String,
        on destination: String,
        showing: (JSON) -> String = { Phone.short($0) },
        until isWanted: (JSON) -> Bool
    ) async throws -> JSON {
        tell("\n  \(story)")
        for _ in 0..<1000 {
            while let message = inbox[destination]?.first {
                inbox[destination]?.removeFirst()
                guard let body = JSON(parsing: message.body.readableBytesView) else {
                    throw StackError("\(destination) got what is not JSON: \(String(buffer: message.body))")
                }
                guard isWanted(body) else { continue }
                tell("    ⇠ MESSAGE \(destination)  \(showing(body))")
                return body
            }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw StackError("nothing came on \(destination) that the story could go on with")
    }

    /// Waits until the service has closed the connection.
    package func hangUp(_ story: String) async {
        tell("\n  \(story)")
        let end = await socket?.end
        if let farewell { tell("    ⇠ ERROR \(farewell)") }
        if case .closedByPeer(let code, _) = end {
            tell("    ⇠ closed with \(code.map { "\($0.rawValue)" } ?? "no code")")
        }
        socket = nil
    }
}
