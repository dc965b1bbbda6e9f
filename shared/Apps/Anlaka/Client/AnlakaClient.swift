package import Apps
import NIOCore
import Sockets

package typealias AnlakaClient = SeSACClient<Anlaka>

extension SeSACClient where Calls == Anlaka {
    /// Sends a message to a room.
    package func write(_ text: String, in room: String, id: String? = nil) async throws -> ClientResponse {
        let message: JSON = ["content": .string(text), "files": []]
        return try await send(
            \.sendMessage,
            room,
            body: .json(id.map { message.merging(["client_id": .string($0)]) } ?? message)
        )
    }

    /// Opens a room as the app's library does (Anlaka contract 5): answers the server's pings, and joins the room's
    /// namespace. The server's answer to that is the first text.
    package func chat(_ room: String) async throws -> TextSocket {
        try await socketIO(joining: "chats-\(room)", headers: connection.currentHeaders)
    }

    package func socketIO(joining namespace: String, headers: [String: String]) async throws -> TextSocket {
        let url = connection.socketURL("/socket.io/?transport=websocket&EIO=4")
        let observer = connection.transport.observer
        let socket = try await TextSocket(url, headers: headers, observer: observer) { $0 == "2" ? "3" : nil }
        _ = try await socket.nextUnobserved { $0.hasPrefix("0{") }
        try await socket.send("40/\(namespace),")
        return socket
    }
}

/// The events of a room as newer apps get them: STOMP over WebSocket.
package final class AnlakaStream: Sendable {
    private let topic: String
    private let mailbox = Mailbox<JSON>()
    private let observer: ClientObserver
    private let client: STOMPClient

    /// Connects, and subscribes to a room's events after a number.
    package init(_ app: AnlakaClient, room: String, after number: Int64 = 0) async throws {
        topic = "/topic/rooms.\(room)"
        observer = app.connection.transport.observer
        let call = Anlaka().connectStream
        observer(.sent("CONNECT \(call.path)"))
        client = try await STOMPClient.connect(
            app.connection.socketURL(call.path),
            headers: [("accept-version", "1.1,1.2"), ("Authorization", app.token)],
            handshake: app.connection.currentHeaders.map { ($0.key, $0.value) }
        )
        observer(.received("CONNECTED version \(client.connected.headers["version"] ?? "?")"))
        observer(.sent("SUBSCRIBE \(topic)"))
        let messages = try await client.subscribe(topic, headers: [("after", "\(number)")])
        Task { [mailbox, client] in
            do {
                for try await message in messages {
                    mailbox.append(JSON(parsing: message.body.readableBytesView) ?? .null)
                }
                mailbox.finish(await client.end)
            } catch {
                mailbox.finish(.lost)
            }
        }
    }

    /// Removes the events up to one that fits: a screen shows only the last.
    @discardableResult
    package func next(where fits: (JSON) -> Bool) async throws -> JSON {
        while let event = try await mailbox.first() {
            guard fits(event) else { continue }
            observer(.received("MESSAGE \(topic)", body: event.description))
            return event
        }
        throw ClientError("the stream ended before the event")
    }
}
