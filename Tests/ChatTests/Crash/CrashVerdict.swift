import FoundationEssentials
import Postgres
import Sockets
import Testing

@testable import Chat

/// The conditions that must hold in the end.
struct CrashVerdict {
    let plan: CrashPlan
    /// Public ids.
    let rooms: [String]
    let rig: CrashRig
    let record: CrashRecord
    let database: PostgresClient

    func check() async throws {
        for defect in record.defects.prefix(10) { Issue.record("\(defect)") }
        #expect(record.defects.isEmpty)
        #expect((0..<plan.phones).allSatisfy { record.written(by: $0) == plan.share })
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
            return CrashRecord.Line(sequence: sequence, clientID: clientID, content: content)
        }
        let phones = (0..<plan.phones).filter { plan.room(of: $0) == index }
        #expect(stored.map(\.sequence).elementsEqual(1...plan.total(of: index)), "no gap, and nothing lost or doubled")
        #expect(stored.allSatisfy { $0.content == CrashPhone.content($0.clientID) })
        for phone in phones {
            let own = stored.map(\.clientID).filter { $0.hasPrefix("\(phone)-") }
            #expect(own == (0..<plan.share).map { "\(phone)-\($0)" }, "each once, in the order in which it was written")
            #expect(record.log(of: phone).elementsEqual(stored), "client \(phone) has received what is stored")
        }
        for part in CrashRig.Part.allCases {
            #expect(try await replay(room, phones[0], from: part).elementsEqual(stored), "\(part) tells the same")
        }
    }

    /// All events, from the beginning.
    private func replay(_ room: String, _ phone: Int, from part: CrashRig.Part) async throws -> [CrashRecord.Line] {
        let path = rig.url("ws", part) + "/v1/chats/stream"
        let client = try await STOMPClient.connect(path, handshake: rig.headers(of: plan.owner(of: phone), to: part))
        defer { client.close() }
        let frames = try await client.subscribe("/topic/rooms.\(room)", headers: [("after", "0")])
        var lines: [CrashRecord.Line] = []
        for try await frame in frames where frame.headers["kind"] == "event" {
            lines.append(try CrashRecord.Line(frame))
            if lines.count == Int(plan.total(of: plan.room(of: phone))) { break }
        }
        return lines
    }
}
