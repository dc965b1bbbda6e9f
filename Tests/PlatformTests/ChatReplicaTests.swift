import AppClients
import Apps
import TestKit
import Testing

/// Replicas of chat end and come back one after the other. The phones' sockets stay open, and each gets every message once.
@Suite(.timeLimit(.minutes(8))) struct ChatReplicaTests {
    /// Ends each replica and starts it again, with a step of the conversation after each.
    private func replaceReplicas(_ platform: Platform, _ step: (Int) async throws -> Void) async throws {
        for round in 0..<2 {
            for (index, copy) in platform.chatCopies.enumerated() {
                try await copy.stop()
                try await step(4 * round + 2 * index)
                try await copy.start()
                try await step(4 * round + 2 * index + 1)
            }
        }
    }

    @Test func anlakaSockets_stayOpen() async throws {
        try await Platform.test(chats: 2) { platform in
            let a = try await AnlakaClient(platform, "a@b.kr", nick: "하루")
            let b = try await AnlakaClient(platform, "b@b.kr", nick: "나무")
            let room = try await a.send(\.openChatRoom, body: ["opponent_id": "\(b.id)"]).json().text("room_id")
            let sockets = [try await a.chat(room), try await b.chat(room), try await a.chat(room)]
            for socket in sockets { _ = try await socket.next { $0.hasPrefix("40/") } }
            let stream = try await AnlakaStream(b, room: room)
            try await replaceReplicas(platform) { number in
                // The gateway has noticed that its connections to a replica are closed: reads are repeated, changes not.
                try await a.send(\.listChatRooms).json()
                let text = "message \(number)"
                try await (number.isMultiple(of: 2) ? a : b).write(text, in: room).json()
                for socket in sockets { #expect(try await socket.next().contains(#""\#(text)""#)) }
                try await stream.next { $0.description.contains(#""\#(text)""#) }
            }
            for socket in sockets {
                #expect(socket.unread == [])
                await socket.close()
            }
        }
    }

    @Test func withSuhyeonSockets_stayOpen() async throws {
        try await Platform.test(chats: 2) { platform in
            let (author, guest) = try await platform.withSuhyeonChat()
            let (theirs, own) = (try await guest.client.socket(), try await author.client.socket())
            try await theirs.send(guest.opening("안녕하세요", guest.ids()))
            _ = try await theirs.nextFrame()
            let room = try #require(try await own.nextFrame()["chatRooms"]?[0])
            let mine = try #require(try await guest.rooms().first)
            try await author.enter(room)
            try await guest.enter(mine)
            try await replaceReplicas(platform) { number in
                try await theirs.send(guest.message("to the author \(number)", in: mine))
                #expect(try await own.nextFrame()["content"] == .string("to the author \(number)"))
                try await own.send(author.message("to the guest \(number)", in: room))
                #expect(try await theirs.nextFrame()["content"] == .string("to the guest \(number)"))
            }
            for socket in [own, theirs] { #expect(socket.unread == []) }
            #expect(try await author.log(of: room).count == 17)
            #expect(try await author.log(of: room).allSatisfy { $0["isRead"] == .bool(true) })
            for socket in [own, theirs] { await socket.close() }
        }
    }
}
