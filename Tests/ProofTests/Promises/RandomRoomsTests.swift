import Proof
import Testing
import Values

/// Random histories of a room that keeps its promises, and their mutations.
struct RandomRoomsTests {
    private func room(_ seed: UInt64) -> RoomHistory {
        var random = SplitMix(state: seed)
        var room = RoomHistory(room: "r")
        for number in 1...300 as ClosedRange<Int64> {
            let (phone, time) = (Int64.random(in: 1...6, using: &random), Double(number))
            let (begun, ended) = (
                time - .random(in: 0.1...2, using: &random), time + .random(in: 0.1...2, using: &random)
            )
            if number > 20, Int.random(in: 0..<10, using: &random) == 0 {
                let message = Int64.random(in: 1..<number, using: &random)
                let isDeletable =
                    room.table[Int(message) - 1].kind == .sent && room.table[Int(message) - 1].marker != nil
                if isDeletable {
                    room.deletions.append(MessageDeletion(Attempt(phone, begun, ended), message: message))
                    room.table[Int(message) - 1].marker = nil
                    room.table.append(RoomEventRow(number, .deleted, of: message, marker: nil))
                    continue
                }
            }
            let isLost = Int.random(in: 0..<20, using: &random) == 0
            let attempt = Attempt(phone, begun, ended, isLost ? .lost : .done)
            room.sends.append(MessageSend(attempt, marker: "m\(number)", number: isLost ? nil : number))
            room.table.append(RoomEventRow(number, of: number, marker: "m\(number)"))
        }
        for device in 1...5 {
            var seen: Int64 = 0
            while seen < 300 {
                let begun = Double(seen) + .random(in: 0...1, using: &random)
                let last = min(300, seen + .random(in: 1...40, using: &random))
                let ended = Moment.seconds(Double(last) + 0.5)
                var reading = RoomReading(device: "phone \(device)", begun: .seconds(begun), ended: ended, after: seen)
                (reading.continuesList, reading.isCurrent) = (true, last == 300)
                for row in room.table[Int(seen)..<Int(last)] {
                    let marker = row.kind == .sent ? "m\(row.number)" : nil
                    let deletion = room.deletions.first { $0.message == row.message }?.attempt.begun ?? .seconds(999)
                    let isGone = deletion < .seconds(begun)
                    let at = Moment.seconds(Double(row.number) + 0.3)
                    reading.events.append(
                        ShownEvent(row.number, row.kind, of: row.message, marker: isGone ? nil : marker, at: at)
                    )
                }
                room.readings.append(reading)
                seen = last
            }
        }
        return room
    }

    @Test(arguments: 0..<10) func correctRoom_isKept(seed: UInt64) {
        #expect(RoomsHaveOneOrder.check([room(seed)]).sentences == [])
    }

    @Test(arguments: 0..<10) func mutatedRoom_isNot(seed: UInt64) throws {
        var random = SplitMix(state: seed + 1000)
        let room = room(seed)
        func place() throws -> (Int, Int) {
            let reading = try #require(
                room.readings.indices.filter { room.readings[$0].events.count > 2 }.randomElement(using: &random)
            )
            return (reading, Int.random(in: 0..<room.readings[reading].events.count - 1, using: &random))
        }
        let (reading, event) = try place()
        var changed = room
        changed.readings[reading].events.swapAt(event, event + 1)
        #expect(!RoomsHaveOneOrder.check([changed]).isKept, "swapped")
        changed = room
        changed.readings[reading].events.remove(at: event)
        #expect(!RoomsHaveOneOrder.check([changed]).isKept, "gap")
        changed = room
        changed.readings[reading].events.insert(room.readings[reading].events[event], at: event)
        #expect(!RoomsHaveOneOrder.check([changed]).isKept, "double")
        changed = room
        changed.table.removeAll { $0.number == 150 }
        #expect(!RoomsHaveOneOrder.check([changed]).isKept, "lost")
    }
}
