import Apps
import Authentication
import Contracts
import FoundationEssentials
import HTTPTypes
import NIOCore
import Profiles
import ServiceKit
import Sockets
import Values

/// Connections, subscriptions and messages of the stream.
struct StreamService: STOMPService {
    typealias Principal = StreamClient
    typealias Record = StreamRecord
    typealias Position = StreamPosition

    let domain: ChatDomain

    // MARK: Connecting

    /// Authenticates by the gateway's identity header of the handshake; CONNECT needs no credentials.
    func connect(
        _ headers: STOMPHeaders,
        handshake: HTTPRequest,
        on connection: STOMPConnection
    ) async throws(STOMPRefusal) -> Principal {
        guard let identity = handshake.handshakeIdentity, let app = identity.app, let account = identity.account else {
            throw STOMPRefusal("Sign in first.")
        }
        try await answering { _ = try await domain.joins.take { try await domain.people.person(account) } }
        return StreamClient(app: app, account: account, session: identity.session)
    }

    func account(of client: Principal) -> String { "\(client.account)" }

    func disconnected(_ connection: STOMPConnection, as client: Principal, hasMoved: Bool) {
        for room in client.removeAll() {
            if hasMoved { domain.presences.handOver(room.presence.id) }
            leave(room)
        }
    }

    // MARK: Subscribing

    /// Confirmed after all past events have been sent.
    func subscribe(
        _ subscription: STOMPSubscription,
        headers: STOMPHeaders,
        on connection: STOMPConnection,
        as client: Principal
    ) async throws(STOMPRefusal) {
        guard case .room(let id) = StreamDestination(subscription.destination) else {
            throw STOMPRefusal("There is no such destination.")
        }
        let after = try Self.number(headers["after"], "The header after")
        try await answering {
            let (listener, known, start) = try await domain.joins.take {
                let room = try await room(id, of: client)
                let view = StreamView(try await domain.rooms.view(room.id, for: client.account))
                let listener = StreamRoom(subscription, on: connection, view: view, messages: domain.messages)
                // Registered before the subscription, so that it is always removed when the connection ends.
                client.add(listener)
                let start = try await domain.feed.subscribe(room.id, listener)
                return (listener, try await enter(listener, in: view, after: after), start)
            }
            try await listener.begin(after: known, start: start)
        }
    }

    /// Records the listener's presence, and shows it the peer.
    ///
    /// - Parameter after: What the client has said that it knows; nil for all.
    /// - Returns: The number of the last event that the client knows.
    private func enter(_ listener: StreamRoom, in view: StreamView, after: Int64?) async throws -> Int64 {
        // Read after the subscription, so that the position sent here is never older than the events that follow.
        let room = try await domain.rooms.view(view.room.id, for: view.viewer)
        guard after ?? 0 <= room.lastSequence else {
            throw ChatError.rule(
                "The header after must be at most \(room.lastSequence), which is the room's last number."
            )
        }
        await domain.presences.enter(listener.presence)
        try await showPeer(of: room, to: listener, in: view)
        let known = Sabotage.streamForgetsPosition.isBuiltIn ? nil : after
        return known ?? room.lastSequence
    }

    func showPeer(of room: RoomView, to listener: StreamRoom, in view: StreamView) async throws {
        let peer = view.room.peer(of: view.viewer)
        listener.send(view.read(by: peer, through: room.peerReadThrough))
        let isPresent = try await domain.presences.isPresent(peer, in: view.room.id)
        listener.send(view.presence(of: peer, isPresent))
    }

    func unsubscribe(_ subscription: STOMPSubscription, on connection: STOMPConnection, as client: Principal) {
        if let room = client.remove(subscription) { leave(room) }
    }

    private func leave(_ listener: StreamRoom) {
        domain.feed.unsubscribe(listener.presence.room, listener)
        // The event loop does not wait for the database.
        Task { await domain.presences.leave(listener.presence.id) }
    }

    // MARK: Sending

    struct MessageRequest: Decodable {
        var content: String?
        /// Paths of uploads.
        var files: [String]?
    }

    func send(
        _ destination: String,
        headers: STOMPHeaders,
        body: ByteBuffer,
        on connection: STOMPConnection,
        as client: Principal
    ) async throws(STOMPRefusal) {
        switch StreamDestination(destination) {
        case .messages(let id):
            guard let clientID = headers["client-id"] else { throw STOMPRefusal("SEND needs the header client-id.") }
            let request = try Self.request(body, type: headers["content-type"])
            try await answering {
                let draft = MessageDraft(
                    room: try await room(id, of: client).id,
                    sender: client.account,
                    content: request.content ?? "",
                    files: try Attachments.names(request.files ?? []),
                    clientID: clientID
                )
                _ = try await domain.messages.send(draft)
            }
        case .typing(let id):
            guard client.allowsTyping(in: id) else { return }
            try await answering { try await domain.rooms.announceTyping(in: room(id, of: client), by: client.account) }
        case .read(let id):
            let sequence = try Self.number(Self.text(body), "The body")
            try await answering {
                try await domain.rooms.read(room(id, of: client), through: sequence ?? .max, by: client.account)
            }
        case .room, nil:
            throw STOMPRefusal("Nothing can be sent there.")
        }
    }

    // MARK: Helpers

    func room(_ id: String, of client: StreamClient) async throws -> Room {
        let id = try PublicID(parsing: id, else: ChatError.roomNotFound)
        return switch client.app {
        case .withsuhyeon: try await domain.rooms.room(ofCopy: id, of: client.account)
        default: try await domain.rooms.room(id, in: client.app, of: client.account)
        }
    }

    /// Turns errors into refusals with the messages of the REST routes.
    private func answering(_ body: () async throws -> Void) async throws(STOMPRefusal) {
        do {
            try await body()
        } catch {
            let refusal = error as? STOMPRefusal
            let problem = (error as? any ProblemConvertible)?.problem
            throw refusal ?? STOMPRefusal(problem?.message ?? "Try again in a moment.")
        }
    }

    /// A number that is not negative; nil for an empty text.
    private static func number(_ text: String?, _ name: String) throws(STOMPRefusal) -> Int64? {
        guard let text, !text.isEmpty else { return nil }
        guard let number = Int64(text), number >= 0 else {
            throw STOMPRefusal("\(name) must be a number that is not negative.")
        }
        return number
    }

    private static func text(_ body: ByteBuffer) throws(STOMPRefusal) -> String {
        guard let text = String(validating: body.readableBytesView, as: UTF8.self) else {
            throw STOMPRefusal("The body must be UTF-8.")
        }
        return text
    }

    /// A message body: an object with content type `application/json`, otherwise the text itself.
    private static func request(_ body: ByteBuffer, type: String?) throws(STOMPRefusal) -> MessageRequest {
        guard type?.hasPrefix("application/json") == true else { return MessageRequest(content: try text(body)) }
        do {
            return try JSONDecoder().decode(MessageRequest.self, from: Data(body.readableBytesView))
        } catch {
            throw STOMPRefusal("The body must be a JSON object with content and files.")
        }
    }
}
