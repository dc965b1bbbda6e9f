import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Chat

/// The message routes of Anlaka (contract 2.4 and 4.8).
@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .chat(.anlaka)) struct MessageRoutesTests {
    private var world: ChatWorld { .current }

    // MARK: Sending

    @Test func invalidMessage_isRefusedWithFieldName() async throws {
        let room = try await world.room(of: 1, 2)
        let six = (0..<6).map { "\"/data/chats/\(String(repeating: "\($0)", count: 24)).jpg\"" }.joined(separator: ",")
        let bad: [(String, String)] = [
            ("{}", "content"), (#"{"content":""}"#, "content"), (#"{"content":"","files":[]}"#, "content"),
            (#"{"content":"\#(String(repeating: "가", count: 5001))"}"#, "content"),
            (#"{"content":"a\u0000b"}"#, "content"), (#"{"content":5}"#, "content"),
            (#"{"content":"a","files":[\#(six)]}"#, "files"), (#"{"content":"a","files":"b"}"#, "files"),
            (#"{"content":"a","files":["/data/posts/a.jpg"]}"#, "files"),
            (#"{"content":"a","files":["/data/chats/../../etc/passwd"]}"#, "files"),
            (#"{"content":"a","files":["\u0000"]}"#, "files"),
            (#"{"content":"a","client_id":""}"#, "id"), (#"{"content":"a","client_id":"\u0000"}"#, "id"),
            (#"{"content":"a","client_id":"\#(String(repeating: "a", count: 101))"}"#, "id"),
            ("", ""), ("[]", ""), (#"{"content":"a""#, ""),
        ]
        for (json, name) in bad {
            let refused = try await world.refusal(1, .post, "/v1/chats/\(room)", json: json)
            #expect(refused.code == 400 && (name.isEmpty || refused.message.contains(name)), "\(json) \(refused)")
        }
        #expect(try await world.count("messages") == 0)
        let longest = String(repeating: "가", count: 5000)
        #expect(try await world.say(longest, 1, in: room).content == longest)
    }

    @Test func otherRooms_return445_andUnknownRooms404() async throws {
        let room = try await world.room(of: 1, 2)
        let calls: [(HTTPRequest.Method, String, String?)] = [
            (.get, "", nil), (.post, "", #"{"content":"a"}"#), (.get, "/events", nil), (.put, "/read", nil),
            (.delete, "", nil), (.post, "/files", nil),
            (.patch, "/messages/\(room)", #"{"content":"a"}"#), (.delete, "/messages/\(room)", nil),
        ]
        for (method, path, json) in calls {
            #expect(try await world.refusal(9, method, "/v1/chats/\(room)\(path)", json: json).code == 445)
            for id in ["000000000000000000000000", "1", "%00", "\(room)0"] {
                let refused = try await world.refusal(1, method, "/v1/chats/\(id)\(path)", json: json)
                #expect(refused.code == 404, "\(method) \(id)\(path) \(refused)")
            }
        }
    }

    // MARK: Reading

    @Test func olderMessages_arePaged() async throws {
        let room = try await world.room(of: 1, 2)
        var all: [ReceivedChat] = []
        for number in 1...7 { all.append(try await world.say("\(number)", 1, in: room)) }
        #expect(try await world.history(room, 2) == all)
        #expect(try await world.history(room, 2, "?before=\(all[6].chatID)&limit=3") == Array(all[3...5]))
        #expect(try await world.history(room, 2, "?before=\(all[3].chatID)&limit=5") == Array(all[0...2]))
        #expect(try await world.history(room, 2, "?before=\(all[0].chatID)") == [])
        #expect(try await world.history(room, 2, "?from=\(all[6].createdAt)") == [])
        #expect(try await world.history(room, 2, "?from=2000-01-01T00:00:00Z&room_id=x") == all)
        #expect(try await world.history(room, 2, "?next=2000-01-01T00:00:00.123456Z") == all)
        let bad = [
            "?from=yesterday", "?from=2025-13-01T00:00:00.000Z", "?next=1", "?before=x", "?before=\(room)0",
            "?before=\(all[1].chatID)&limit=0", "?before=\(all[1].chatID)&limit=501",
            "?before=\(all[1].chatID)&limit=a", "?from=%00",
        ]
        for query in bad {
            let refused = try await world.refusal(2, .get, "/v1/chats/\(room)\(query)")
            #expect(refused.code == 400 && !refused.message.isEmpty, "\(query) \(refused)")
        }
    }

    @Test func events_afterSequence_arePaged() async throws {
        struct Page: Decodable {
            var data: [SeenEvent]
            var lastSequence: Int64

            enum CodingKeys: String, CodingKey {
                case data
                case lastSequence = "last_sequence"
            }
        }
        let room = try await world.room(of: 1, 2)
        let (first, second) = (try await world.say("하나", 1, in: room), try await world.say("둘", 2, in: room))
        let path = "/v1/chats/\(room)/messages/"
        let edited = try await world.client(1).send(.patch, path + first.chatID, json: #"{"content":"고침"}"#)
        #expect(try edited.json(ReceivedChat.self).content == "고침")
        #expect(try await world.client(2).send(.delete, path + second.chatID).status == .ok)
        try await world.say("셋", 1, in: room)
        let page = { @Sendable (query: String) async throws -> Page in
            try await world.client(2).send(.get, "/v1/chats/\(room)/events\(query)").json(Page.self)
        }
        let all = try await page("")
        #expect(all.lastSequence == 5)
        #expect(all.data.map(\.sequence) == [1, 2, 3, 4, 5])
        #expect(all.data.map(\.type) == ["sent", "sent", "edited", "deleted", "sent"])
        #expect(all.data.map(\.message.content) == ["고침", "", "고침", "", "셋"])
        #expect(all.data.map(\.message.sequence) == [1, 2, 1, 2, 5])
        var read: [SeenEvent] = []
        while read.count < 5 { read += try await page("?after=\(read.count)&limit=2").data }
        #expect(read == all.data)
        #expect(try await page("?after=5").data == [])
        for query in ["?after=-1", "?after=a", "?limit=0", "?limit=501", "?after=99999999999999999999"] {
            #expect(try await world.refusal(2, .get, "/v1/chats/\(room)/events\(query)").code == 400, "\(query)")
        }
    }

    // MARK: Changing

    @Test func messages_areChangedBySenderOnly() async throws {
        let room = try await world.room(of: 1, 2)
        let message = try await world.say("처음", 1, in: room)
        let path = "/v1/chats/\(room)/messages/\(message.chatID)"
        let edit = #"{"content":"나중"}"#
        #expect(try await world.refusal(2, .patch, path, json: edit).code == 445)
        #expect(try await world.refusal(2, .delete, path).code == 445)
        for json in ["{}", #"{"content":""}"#, #"{"content":"\u0000"}"#] {
            let refused = try await world.refusal(1, .patch, path, json: json)
            #expect(refused.code == 400 && refused.message.contains("content"), "\(json) \(refused)")
        }
        let edited = try await world.client(1).send(.patch, path, json: edit).json(ReceivedChat.self)
        #expect(edited.content == "나중" && edited.createdAt == message.createdAt)
        #expect(edited.updatedAt > message.updatedAt)
        // A repeated call changes nothing.
        #expect(try await world.client(1).send(.patch, path, json: edit).json(ReceivedChat.self) == edited)
        #expect(try await world.count("changes") == 1)
        for _ in 1...2 { #expect(try await world.client(1).send(.delete, path).status == .ok) }
        #expect(try await world.count("changes") == 2)
        #expect(try await world.refusal(1, .patch, path, json: edit).code == 404)
        #expect(try await world.history(room, 2) == [])
        #expect(try await world.rooms(of: 2).map(\.unreadCount) == [0])
        for id in [room, "x", "%00", String(message.chatID.dropLast()) + "9"] {
            let other = "/v1/chats/\(room)/messages/\(id)"
            #expect(try await world.refusal(1, .patch, other, json: edit).code == 404)
            #expect(try await world.refusal(1, .delete, other).code == 404)
        }
    }

    @Test func concurrentEditAndDeletion_deleteMessage() async throws {
        let room = try await world.room(of: 1, 2)
        for _ in 0..<10 {
            let message = try await world.say("처음", 1, in: room)
            let path = "/v1/chats/\(room)/messages/\(message.chatID)"
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        let code = try await world.client(1).send(.delete, path).status.code
                        #expect(code == 200)
                    }
                    group.addTask {
                        let code = try await world.client(1).send(.patch, path, json: #"{"content":"나중"}"#).status.code
                        #expect([200, 404].contains(code))
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(try await world.history(room, 2) == [])
        let deleted = try await world.database.one(
            "SELECT count(*) FROM changes WHERE kind = 'deleted'"
        ) { try $0.decode(Int.self) }
        #expect(deleted == 10)
        let (last, things) = try await world.database.one(
            """
            SELECT last_sequence, (SELECT count(*) FROM messages) + (SELECT count(*) FROM changes) FROM rooms
            """
        ) { try $0.decode(as: (Int, Int).self) }
        #expect(last == things, "no number is missing")
    }
}
