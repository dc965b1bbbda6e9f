import AppClients
import Apps
import NIOCore
import Sockets
import StackKit
import Synchronization

/// A room whose writer uses the gateways in turn, and whose reader has a phone at each of them.
final class ClusterRoom: Sendable {
    private let number: Int
    private let rate: Int
    private let writers: [AnlakaClient]
    private let readers: [AnlakaClient]
    private let room: String
    private let record: ClusterRecord
    /// The number of the last event that each phone has received.
    private let sequences: Mutex<[Int64]>

    /// Signs both people up.
    ///
    /// - Parameter rate: Messages per second.
    init(_ number: Int, gateways: [String], rate: Int, _ record: ClusterRecord) async throws {
        (self.number, self.rate, self.record) = (number, rate, record)
        writers = try await Self.join("writer-\(number)", gateways)
        readers = try await Self.join("reader-\(number)", gateways)
        let reader = try await readers[0].send(\.getOwnProfile).json().text("user_id")
        room = try await writers[0].send(\.openChatRoom, body: ["opponent_id": .string(reader)])
            .json().text("room_id")
        sequences = Mutex(Array(repeating: 0, count: gateways.count))
    }

    private static func join(_ name: String, _ gateways: [String]) async throws -> [AnlakaClient] {
        let clients = gateways.map { AnlakaClient($0, key: AppKey.anlaka) }
        try await clients[0].join(SeSACAccount(email: "\(name)@example.com", password: "anlaka2025!", nick: "새싹"))
        for client in clients.dropFirst() {
            (client.connection.tokens, client.connection.userID) = (clients[0].connection.tokens, clients[0].id)
        }
        return clients
    }

    /// Writes and reads until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            for phone in readers.indices { group.addTask { await untilCancelled { try await self.follow(phone) } } }
            group.addTask {
                var message = 0
                let start = ContinuousClock.now
                while !Task.isCancelled {
                    message += 1
                    await self.write(message)
                    try? await Task.sleep(until: start + .seconds(1) * message / self.rate)
                }
            }
        }
    }

    /// Writes a message. Without an answer it is sent again with its id by the next gateway, as apps do.
    private func write(_ message: Int) async {
        let text = "\(number)-\(message)"
        record.begun(text, phones: readers.count)
        var attempt = message
        while !Task.isCancelled {
            do {
                try await writers[attempt % writers.count].write(text, in: room, id: text).expect()
                return record.acknowledged(text)
            } catch {
                attempt += 1
                try? await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    /// Shows a phone what is written after its last event, until its socket ends.
    private func follow(_ phone: Int) async throws {
        let app = readers[phone]
        let client = try await STOMPClient.connect(
            app.connection.socketURL(Anlaka().connectStream.path),
            headers: [("Authorization", app.token)],
            handshake: app.connection.currentHeaders.map { ($0.key, $0.value) }
        )
        try await withTaskCancellationHandler {
            let last = sequences.withLock { $0[phone] }
            let events = try await client.subscribe("/topic/rooms.\(room)", headers: [("after", "\(last)")])
            for try await event in events {
                guard event.headers["kind"] == "event", let body = JSON(parsing: event.body.readableBytesView),
                    let sequence = body["sequence"]?.integer, let text = body["message"]?["content"]?.string
                else { continue }
                sequences.withLock { $0[phone] = max($0[phone], sequence) }
                record.received(text, by: phone)
            }
        } onCancel: {
            client.close()
        }
    }
}
