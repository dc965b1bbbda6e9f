import Authentication
import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import TestKit
import Testing

/// A message as Anlaka's app decodes it: the required fields.
struct ReceivedChat: Decodable, Equatable {
    struct Sender: Decodable, Equatable {
        var userID: String
        var nick: String
        var profileImage: String?

        enum CodingKeys: String, CodingKey {
            case nick, profileImage
            case userID = "user_id"
        }
    }

    var chatID: String
    var roomID: String
    var content: String
    var createdAt: String
    var updatedAt: String
    var sender: Sender
    var files: [String]
    var sequence: Int64

    enum CodingKeys: String, CodingKey {
        case content, createdAt, updatedAt, sender, files, sequence
        case chatID = "chat_id"
        case roomID = "room_id"
    }
}

extension ChatWorld {
    /// Opens a socket as the gateway would.
    ///
    /// - Parameters:
    ///   - account: the account that the gateway has authenticated; nil without one.
    ///   - token: the token that the client has sent.
    func socket(_ account: AccountID?, session: String = "session", token: String? = nil) async throws -> SocketIOWire {
        let identity = InternalIdentity(
            caller: .gateway,
            app: app,
            account: account,
            session: account == nil ? nil : session
        )
        let port = try #require(client.port)
        let path = "/socket.io\(SocketIOWire.query)"
        return try await SocketIOWire.open(
            "ws://127.0.0.1:\(port)\(path)",
            headers: SocketService.identity(identity, at: path, to: .chat)
                + (token.map { [("Authorization", $0)] } ?? [])
        )
    }

    /// A socket that has joined a room.
    func listener(_ account: AccountID, in room: String, session: String = "session") async throws -> SocketIOWire {
        let wire = try await socket(account, session: session)
        let accepted = try await wire.ask("40/chats-\(room),")
        #expect(accepted?.hasPrefix("40/chats-\(room),{\"sid\":\"") == true)
        return wire
    }

    /// Sends a message to a room.
    @discardableResult
    func say(_ text: String, _ account: AccountID, in room: String, files: [String] = []) async throws -> ReceivedChat {
        let body = try JSONEncoder().encode(["content": text])
        let list = String(decoding: try JSONEncoder().encode(files), as: UTF8.self)
        let json = "\(String(decoding: body, as: UTF8.self).dropLast()),\"files\":\(list)}"
        let answer = try await client(account).send(.post, "/v1/chats/\(room)", json: json)
        #expect(answer.status == .ok)
        return try answer.json()
    }
}

extension SocketIOWire {
    /// The next message of a room; pings are answered on the way.
    func chat(in room: String) async throws -> ReceivedChat {
        var packet = await next()
        while packet == "2" {
            try await say("3")
            packet = await next()
        }
        let text = try #require(packet)
        let head = "42/chats-\(room),[\"chat\","
        #expect(text.hasPrefix(head) && text.hasSuffix("]"), "\(text)")
        return try JSONDecoder().decode(ReceivedChat.self, from: Data(text.dropFirst(head.count).dropLast().utf8))
    }

    /// Whether no message is pending.
    func isQuiet() async throws -> Bool { try await ask("2quiet") == "3quiet" }
}
