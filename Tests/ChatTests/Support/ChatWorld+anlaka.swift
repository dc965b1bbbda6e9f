import Contracts
import Files
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import NIOCore
import TestKit
import Testing

@testable import Chat

/// A room as a new client of Anlaka decodes it.
struct SeenRoom: Decodable, Equatable {
    struct Person: Decodable, Equatable {
        var userID: String
        var nick: String

        enum CodingKeys: String, CodingKey {
            case nick
            case userID = "user_id"
        }
    }

    var roomID: String
    var createdAt: String
    var updatedAt: String
    var participants: [Person]
    var lastChat: ReceivedChat?
    var unreadCount: Int
    var lastSequence: Int64
    var readThrough: Int64
    var peerReadThrough: Int64

    enum CodingKeys: String, CodingKey {
        case createdAt, updatedAt, participants, lastChat, unreadCount
        case roomID = "room_id"
        case lastSequence = "last_sequence"
        case readThrough = "read_through"
        case peerReadThrough = "peer_read_through"
    }
}

/// An event of a room's history.
struct SeenEvent: Decodable, Equatable {
    var sequence: Int64
    var type: String
    var message: ReceivedChat
}

/// A list.
struct Listed<Element: Decodable>: Decodable { var data: [Element] }

extension ChatWorld {
    /// Opens an Anlaka room of two users.
    func open(_ json: String, by account: AccountID) async throws -> TestResponse {
        try await client(account).send(.post, "/v1/chats", json: json)
    }

    func rooms(of account: AccountID) async throws -> [SeenRoom] {
        try await client(account).send(.get, "/v1/chats").json(Listed<SeenRoom>.self).data
    }

    /// Messages of a room; the query begins with `?`.
    func history(_ room: String, _ account: AccountID, _ query: String = "") async throws -> [ReceivedChat] {
        try await client(account).send(.get, "/v1/chats/\(room)\(query)").json(Listed<ReceivedChat>.self).data
    }

    /// Uploads files for a room and returns their paths.
    func upload(_ files: [[UInt8]], _ account: AccountID, to room: String) async throws -> [String] {
        struct Answer: Decodable { var files: [String] }
        let answer = try await client(account).send(.post, "/v1/chats/\(room)/files", form: form(files))
        #expect(answer.status == .ok)
        return try answer.json(Answer.self).files
    }

    func form(_ files: [[UInt8]]) -> MultipartForm { files.reduce(MultipartForm()) { $0.file("files", $1) } }

    /// The status and the message of a response.
    func refusal(
        _ account: AccountID,
        _ method: HTTPRequest.Method,
        _ path: String,
        json: String? = nil
    ) async throws -> Refused {
        let answer = try await client(account).send(method, path, json: json)
        struct Body: Decodable { var message: String }
        return Refused(code: answer.status.code, message: (try? answer.json(Body.self).message) ?? "")
    }

    struct Refused: Equatable {
        var code: Int
        var message: String
    }
}
