import NIOHTTP1
import Testing

@testable import Seats

/// Many look at one car while it changes.
@Suite(.serialized, .timeLimit(.minutes(3))) struct SeatCatcherCrowdTests {
    @Test func whoeverBeginsToLookWhileSeatsChangeEndsWithTheLastState() async throws {
        try await Platform.test(copies: 2, seats: { $0.policy.clawBackSeconds = 0 }) { platform in
            let a = try await LivePhone(platform, kakao: 500)
            var crowd: [LivePhone] = []
            for kakao in 501...508 { crowd.append(try await LivePhone(platform, kakao: kakao)) }
            // A train that nobody has looked at each time: its cars are read anew.
            for train in 3001...3010 {
                let topic = "/topic/seat.\(train)"
                let seat = try await a.car("2429", of: "\(train)").seats[0]
                for phone in crowd { _ = try await phone.car("2429", of: "\(train)") }
                let changing = Task {
                    for _ in 0..<4 {
                        try await a.send(.POST, "/user/seats?seatId=\(seat)", 201)
                        try await a.send(.DELETE, "/user/seats", 204)
                    }
                    try await a.send(.POST, "/user/seats?seatId=\(seat)", 201)
                }
                try await withThrowingDiscardingTaskGroup { group in
                    for (index, phone) in crowd.enumerated() {
                        group.addTask {
                            try await Task.sleep(for: .milliseconds(index * 3))
                            try await phone.subscribe(topic)
                        }
                    }
                }
                try await changing.value
                for phone in crowd {
                    try await phone.socket.settle()
                    var last = try await phone.nextCar("\(train)")
                    while await !phone.socket.waiting(topic).isEmpty || last.occupants.isEmpty {
                        last = try await phone.nextCar("\(train)")
                    }
                    #expect(last.occupants == [seat: a.account])
                    try await phone.unsubscribe(topic)
                }
                try await a.send(.DELETE, "/user/seats", 204)
            }
        }
    }
}
