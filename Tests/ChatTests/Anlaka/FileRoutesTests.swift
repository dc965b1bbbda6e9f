import Contracts
import Files
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Postgres
import TestKit
import Testing

@testable import Chat

/// Files in Anlaka's messages (contract 2.4, call 32, 2.7 and checklist 11).
@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .chat(.anlaka)) struct FileRoutesTests {
    private var world: ChatWorld { .current }
    private static let pdf = Array("%PDF-1.7\n".utf8) + Array(repeating: UInt8(0x20), count: 100)

    @Test func files_areReadableByParticipantsOnly() async throws {
        let room = try await world.room(of: 1, 2)
        let files = [Picture.jpeg(), Picture.png(), Self.pdf]
        let paths = try await world.upload(files, 1, to: room)
        #expect(paths.count == 3 && paths.allSatisfy { $0.hasPrefix("/data/chats/") })
        #expect(paths.map { $0.split(separator: ".").last } == ["jpg", "png", "pdf"])
        // Before the message is sent, only the uploader may read the file.
        let path = "/v1\(paths[1])"
        #expect(try await world.client(1).send(.get, path).status == .ok)
        #expect(try await world.refusal(2, .get, path).code == 403)
        let message = try await world.say("", 1, in: room, files: paths)
        #expect(message.files == paths && message.content == "")
        #expect(try await world.history(room, 2).map(\.files) == [paths])
        for account in [1, 2] as [AccountID] {
            let answer = try await world.client(account).send(.get, path)
            #expect(answer.status == .ok && answer.headers[.contentType] == "image/png")
            #expect(answer.body.readableBytesView.elementsEqual(files[1]))
        }
        #expect(try await world.refusal(9, .get, path).code == 403)
        for name in ["a.jpg", "..%2f..%2fetc%2fpasswd", "%00", String(repeating: "0", count: 24) + ".jpg"] {
            #expect(try await world.refusal(1, .get, "/v1/data/chats/\(name)").code == 404, "\(name)")
        }
        // The files of a deleted message are no longer served.
        #expect(try await world.client(1).send(.delete, "/v1/chats/\(room)/messages/\(message.chatID)").status == .ok)
        for account in [1, 2] as [AccountID] { #expect(try await world.refusal(account, .get, path).code == 404) }
    }

    @Test func files_notUploadedBySender_areRefused() async throws {
        let room = try await world.room(of: 1, 2)
        let own = try await world.upload(Array(repeating: Picture.jpeg(), count: 5), 1, to: room)
        let foreign = try await world.upload([Picture.jpeg()], 2, to: room)
        let gone = "/data/chats/\(String(repeating: "0", count: 32)).jpg"
        let lists = [[own[0], foreign[0]], [own[0], own[0]], [own[0], gone], own + [foreign[0]], foreign, [gone]]
        for list in lists {
            let files = String(decoding: try JSONEncoder().encode(list), as: UTF8.self)
            let json = #"{"content":"a","files":\#(files)}"#
            let refused = try await world.refusal(1, .post, "/v1/chats/\(room)", json: json)
            #expect(refused.code == 400 && refused.message.contains("files"), "\(list) \(refused)")
        }
        #expect(try await world.count("messages") == 0)
        #expect(try await world.say("다섯", 1, in: room, files: own).files == own)
    }

    @Test func refusedUpload_leavesNoFiles() async throws {
        let room = try await world.room(of: 1, 2)
        let path = "/v1/chats/\(room)/files"
        let limit = Attachments.rules.limit
        let bad: [MultipartForm] = [
            MultipartForm(), MultipartForm().text("room_id", room), world.form([[]]),
            world.form([Array("#!/bin/sh".utf8)]), world.form([Picture.jpeg(), Array("<html>".utf8)]),
            world.form(Array(repeating: Picture.jpeg(), count: 6)), world.form([Picture.jpeg(size: limit + 1)]),
        ]
        for (index, form) in bad.enumerated() {
            let code = try await world.client(1).send(.post, path, form: form).status.code
            #expect(code == 400, "form \(index) \(code)")
        }
        #expect(try await world.client(1).send(.post, path, bytes: [1], type: "text/plain").status.code == 400)
        #expect(try await world.client(1).send(.post, path, json: "{}").status.code == 400)
        #expect(try await world.count("uploads") == 0)
        let form = world.form([Picture.jpeg(size: limit)]).text("room_id", room)
        #expect(try await world.client(1).send(.post, path, form: form).status == .ok)
        #expect(try await world.client(9).send(.post, path, form: form).status.code == 445)
        #expect(try await world.upload(Array(repeating: Picture.jpeg(), count: 5), 1, to: room).count == 5)
    }

    /// Two messages share a file, and both are deleted at once: one of the deletions must remove it.
    @Test func concurrentDeletions_ofSharedFile_removeIt() async throws {
        let room = try await world.room(of: 1, 2)
        for _ in 0..<10 {
            let paths = try await world.upload([Picture.jpeg()], 1, to: room)
            let name = String(paths[0].dropFirst("/data/chats/".count))
            let messages = [
                try await world.say("하나", 1, in: room, files: paths),
                try await world.say("둘", 1, in: room, files: paths),
            ]
            let isKept = { @Sendable in
                try await world.database.one(
                    "SELECT expires_at IS NULL FROM uploads WHERE name = \(name)"
                ) { try $0.decode(Bool.self) }
            }
            #expect(try await isKept())
            try await withThrowingTaskGroup(of: Int.self) { group in
                for message in messages {
                    group.addTask {
                        let path = "/v1/chats/\(room)/messages/\(message.chatID)"
                        return try await world.client(1).send(.delete, path).status.code
                    }
                }
                for try await code in group { #expect(code == 200) }
            }
            #expect(try await !isKept())
        }
    }
}
