import AppClients
import Apps
import Contracts
import Sockets
import Synchronization
import Values

/// A passenger of SeatCatcher, who sits down and gets up on a seat of a car, and whose socket has the seats of the train.
final class LoadPassenger: LoadPerson {
    let habits = "passenger"
    private let client: SeatCatcherClient
    private let train: String
    private let seat: SeatID
    private let isSitting = Mutex(false)

    private init(_ client: SeatCatcherClient, _ train: String, _ seat: SeatID) {
        (self.client, self.train, self.seat) = (client, train, seat)
    }

    /// Signs ten passengers of a car in.
    static func board(_ number: Int, in city: City) async throws -> [any LoadPerson] {
        let train = "\(2000 + number)"
        var clients: [SeatCatcherClient] = []
        for passenger in 0..<10 {
            let client = try await SeatCatcherPeople.join(
                "passenger \(number)-\(passenger)",
                6_000_000 + Int64(number * 1000 + passenger),
                in: city
            )
            if passenger == 0 { try await SeatCatcherPeople.announce(train, to: client, in: city) }
            clients.append(client)
        }
        let seats = try await clients[0].car(train, of: train).seats
        return zip(clients, seats).map { LoadPassenger($0, train, $1) }
    }

    func next(_ name: String, _ random: inout SplitMix) async -> NextAct? {
        let (client, train) = (client, train)
        switch name {
        case "readCar":
            return NextAct(.readCar) {
                try await client.send(\.getCar, query: "carCode=\(train)&trainCode=\(train)")
            }
        case "sit": return NextAct(.sit) { [self] in try await sit() }
        case "searchStation":
            return NextAct(.searchStation) { try await client.send(\.searchStations, query: "keyword=강남") }
        case "refresh":
            return NextAct(.refresh) { try await client.refresh() }
        default: return NextAct(.readInbox) { try await client.send(\.listAlarms) }
        }
    }

    private func sit() async throws -> ClientResponse {
        let sits = isSitting.withLock { !$0 }
        let answer =
            sits
            ? try await client.send(\.occupySeat, query: "creditAmount=10&seatId=\(seat)")
            : try await client.send(\.releaseSeat)
        // A refusal says that it is so already.
        if answer.status < 500 { isSitting.withLock { $0 = sits } }
        return answer
    }

    func stayConnected(_ record: LoadRecord) async {
        while !Task.isCancelled {
            let url = client.connection.socketURL(SeatCatcher().connectSTOMP.path)
            let headers = [("Authorization", "Bearer \(client.token)")]
            if let stream = try? await STOMPClient.connect(url, headers: headers) {
                await withTaskCancellationHandler {
                    guard let maps = try? await stream.subscribe("/topic/seat.\(train)") else { return }
                    do { for try await _ in maps {} } catch {}
                } onCancel: {
                    stream.close()
                }
            }
            try? await Task.sleep(for: .seconds(1))
        }
    }
}
