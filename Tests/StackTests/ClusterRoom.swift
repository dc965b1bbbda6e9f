import AppClients
import Apps
import FoundationEssentials
import Synchronization
import TestKit
import Testing

/// A room whose reader has a phone at the gateway of each host, while its writer uses all of them in turn.
final class ClusterRoom: Sendable {
    let messages: NumberedMessages
    private let phones: [ClusterPhone]
    /// Each keeps a phone's socket open.
    private let following: [Task<Void, Never>]

    /// Both sign up at the first gateway.
    init(_ gateways: [String]) async throws {
        let (writers, readers) = (try await Self.join(gateways), try await Self.join(gateways))
        let reader = try await readers[0].send(\.getOwnProfile).json().text("user_id")
        let room = try await writers[0].send(\.openChatRoom, body: ["opponent_id": .string(reader)])
            .json().text("room_id")
        let phones = readers.map { ClusterPhone($0, room: room) }
        self.phones = phones
        following = phones.map { phone in Task { await phone.run() } }
        messages = NumberedMessages(received: { phones.map(\.texts.count).min() ?? 0 }) { text, id, attempt in
            try await writers[attempt % writers.count].write(text, in: room, id: id).expect()
        }
    }

    deinit {
        for task in following { task.cancel() }
    }

    /// Signs a person up at the first gateway; the others know it.
    private static func join(_ gateways: [String]) async throws -> [AnlakaClient] {
        let first = AnlakaClient(gateways[0], key: AppKey.anlaka)
        let email = "cluster-\(UInt32.random(in: 0...UInt32.max))@example.com"
        try await first.join(SeSACAccount(email: email, password: "anlaka2025!", nick: "새싹")).json()
        var clients = [first]
        for gateway in gateways.dropFirst() {
            let other = AnlakaClient(gateway, key: AppKey.anlaka)
            (other.connection.tokens, other.connection.userID) = (first.connection.tokens, first.id)
            #expect(try await other.send(\.getOwnProfile).json().text("user_id") == first.id)
            clients.append(other)
        }
        return clients
    }

    /// Every phone has got each acknowledged message once, in order.
    func requireAll() async {
        let written = messages.written
        try? await eventually("all phones have all messages", within: .seconds(120)) {
            phones.allSatisfy { $0.texts.count >= written.count }
        }
        for phone in phones {
            // The last one may have been stopped before its answer.
            #expect(phone.texts == written || phone.texts.dropLast() == written[...])
            let first = phone.numbers.first ?? 0
            #expect(phone.numbers == Array(first..<first + Int64(phone.numbers.count)))
        }
    }
}

/// A phone that follows a room: when its connection ends it connects again, and goes on after its last event.
private final class ClusterPhone: Sendable {
    private let client: AnlakaClient
    private let room: String
    private let events = Mutex<[(number: Int64, text: String)]>([])

    init(_ client: AnlakaClient, room: String) {
        (self.client, self.room) = (client, room)
    }

    var texts: [String] { events.withLock { $0.map(\.text) } }
    var numbers: [Int64] { events.withLock { $0.map(\.number) } }

    /// Runs until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            do {
                let stream = try await AnlakaStream(client, room: room, after: numbers.last ?? 0)
                while true {
                    let event = try await stream.next { $0["message"] != nil }
                    guard let number = event["sequence"]?.integer else { throw ClientError("no number: \(event)") }
                    let text = try (event["message"] ?? .null).text("content")
                    events.withLock { $0.append((number, text)) }
                }
            } catch {
                try? await Task.sleep(for: .milliseconds(100))
            }
        }
    }
}
