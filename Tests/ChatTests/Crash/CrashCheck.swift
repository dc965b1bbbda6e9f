import FoundationEssentials
import Postgres
import Sockets
import TestKit
import Testing

@testable import Chat

/// The conditions that must hold in the end.
struct CrashCheck {
    let plan: CrashPlan
    /// Public ids.
    let rooms: [String]
    let gateway: CrashGateway
    let record: CrashRecord<ReceivedMessages>
    let database: PostgresClient

    func check() async throws {
        for defect in record.defects.prefix(10) { Issue.record("\(defect)") }
        #expect(record.defects.isEmpty)
        #expect((0..<plan.clients).allSatisfy { record.sent(by: $0) == plan.share })
        for (index, room) in rooms.enumerated() { try await check(room, index) }
    }

    private func check(_ room: String, _ index: Int) async throws {
        let stored = try await database.all(
            """
            SELECT sequence, client_id, content FROM messages JOIN rooms r ON r.id = room_id
            WHERE r.public_id = \(room) ORDER BY sequence
            """
        ) {
            let (sequence, clientID, content) = try $0.decode(as: (Int64, String, String).self)
            return ReceivedMessages.Line(sequence: sequence, clientID: clientID, content: content)
        }
        let clients = (0..<plan.clients).filter { plan.room(of: $0) == index }
        #expect(stored.map(\.sequence).elementsEqual(1...plan.total(of: index)), "no gap, and nothing lost or doubled")
        #expect(stored.allSatisfy { $0.content == CrashClient.content($0.clientID) })
        for client in clients {
            let own = stored.map(\.clientID).filter { $0.hasPrefix("\(client)-") }
            #expect(
                own == (0..<plan.share).map { "\(client)-\($0)" },
                "each once, in the order in which it was written"
            )
            #expect(record.received(by: client).elementsEqual(stored), "client \(client) has received what is stored")
        }
        for name in CrashTests.programs {
            #expect(try await replay(room, clients[0], from: name).elementsEqual(stored), "\(name) returns the same")
        }
    }

    /// All events, from the beginning.
    private func replay(_ room: String, _ number: Int, from name: String) async throws -> [ReceivedMessages.Line] {
        let headers = try gateway.headers(of: plan.owner(of: number), to: name)
        let client = try await STOMPClient.connect(gateway.streamURL(name), handshake: headers)
        defer { client.close() }
        let frames = try await client.subscribe("/topic/rooms.\(room)", headers: [("after", "0")])
        var lines: [ReceivedMessages.Line] = []
        for try await frame in frames where frame.headers["kind"] == "event" {
            lines.append(try ReceivedMessages.Line(frame))
            if lines.count == Int(plan.total(of: plan.room(of: number))) { break }
        }
        return lines
    }
}
