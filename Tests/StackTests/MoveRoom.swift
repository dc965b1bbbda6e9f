import AppClients
import Apps
import FoundationEssentials
import TestKit
import Testing

/// A room with a person who writes and a neighbour who reads by a socket.
final class MoveRoom: Sendable {
    private let person: AnlakaClient
    private let neighbour: AnlakaClient
    private let gateway: String
    private let room: String
    private let socket: TextSocket
    let messages: NumberedMessages

    private var written: [String] { messages.written }
    /// The messages that the socket has received.
    private var seen: [String] {
        socket.unread.compactMap { $0.firstMatch(of: /[0-9]+번째/).map { String($0.output) } }
    }

    init(_ fixture: StackFixture) async throws {
        gateway = "http://127.0.0.1:\(fixture.port("GATEWAY_PORT"))"
        (person, neighbour) = (try await Self.join(gateway), try await Self.join(gateway))
        room = try await Self.open(by: person, with: neighbour)
        messages = NumberedMessages { [person, room] text, id, _ in
            try await person.write(text, in: room, id: id).json()
        }
        socket = try await neighbour.chat(room)
        _ = try await socket.next()
    }

    private static func join(_ gateway: String) async throws -> AnlakaClient {
        let client = AnlakaClient(gateway, key: AppKey.anlaka)
        let email = "move-\(UInt32.random(in: 0...UInt32.max))@example.com"
        try await client.join(SeSACAccount(email: email, password: "anlaka2025!", nick: "새싹")).json()
        return client
    }

    private static func open(by person: AnlakaClient, with neighbour: AnlakaClient) async throws -> String {
        let other = try await neighbour.send(\.getOwnProfile).json().text("user_id")
        return try await person.send(\.openChatRoom, body: ["opponent_id": .string(other)]).json().text("room_id")
    }

    /// A room with a new neighbour.
    func openAnother() async throws {
        let other = try await Self.open(by: person, with: Self.join(gateway))
        try await person.write("안녕하세요", in: other).json()
    }

    /// All that was acknowledged is there, in order and once, and has reached the socket, which is still the first one.
    func requireAll() async throws {
        var texts: [String] = []
        var from = "2020-01-01T00:00:00.000Z"
        while true {
            let page = try await person.send(\.listMessages, room, query: "from=\(from)").json()["data"]?.elements ?? []
            guard let last = page.last else { break }
            texts += page.compactMap { $0["content"]?.string }
            from = try last.text("createdAt")
        }
        // The last one may have been stopped before its answer.
        #expect(texts == written || texts.dropLast() == written[...])
        try? await eventually("the socket has all messages") { seen.last == written.last }
        #expect(seen == written)
    }
}
