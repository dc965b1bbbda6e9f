import AppClients
import Apps
import Contracts
import Synchronization
import Values

/// Passengers of one car of a train, who take its seats from each other (SeatCatcher contract 4.5).
struct Passengers: Sendable {
    let phones: [Phone]
    private let clients: [SeatCatcherClient]
    private let train: String
    private let car: String
    private let seats: [SeatID]
    private let state = State()

    /// What the passengers of a car know of each other.
    private final class State: Sendable {
        /// By seat, who has requested it, as far as their phones know.
        let requests = Mutex<[SeatID: Set<AccountID>]>([:])
    }

    private static let offer = 10

    /// Signs the passengers of a car in, one after the other.
    ///
    /// - Parameters:
    ///   - number: Of the car, from 0.
    ///   - seats: How many seats they sit on.
    static func board(
        _ number: Int,
        count: Int,
        seats: Int,
        in city: City
    ) async throws -> Passengers {
        let train = "\(2000 + number)"
        var (clients, phones): ([SeatCatcherClient], [Phone]) = ([], [])
        for passenger in 0..<count {
            let name = "passenger \(number)-\(passenger)"
            let id = 5_000_000 + Int64(number * 1000 + passenger)
            let client = try await SeatCatcherPeople.join(name, id, in: city)
            if passenger == 0 { try await SeatCatcherPeople.announce(train, to: client, in: city) }
            clients.append(client)
            let renewal = Renewal.of(client, id, city.sandbox)
            phones.append(Phone(name, of: client.account, in: city, renewal: renewal))
        }
        let car = try await clients[0].car(train, of: train)
        return Passengers(
            phones: phones,
            clients: clients,
            train: train,
            car: "\(train) of train \(train)",
            seats: Array(car.seats.prefix(seats))
        )
    }

    private init(phones: [Phone], clients: [SeatCatcherClient], train: String, car: String, seats: [SeatID]) {
        (self.phones, self.clients, self.train, self.car, self.seats) = (phones, clients, train, car, seats)
    }

    /// What one passenger does until the end.
    func play(_ number: Int, until end: Moment, _ random: SplitMix) async {
        var (random, seat): (SplitMix, SeatID?) = (random, nil)
        let phone = phones[number]
        while phone.diary.now < end, !Task.isCancelled {
            try? await Task.sleep(for: phone.habits.pause(&random))
            let cut = phone.habits.cut(&random)
            switch phone.habits.act(of: "passenger", &random) {
            case "sit": await sit(number, any(&random), cut, &seat)
            case "leave" where seat != nil: await leave(number, cut, &seat)
            case "request" where seat == nil: await request(number, any(&random), cut)
            case "cancel": await cancel(number, cut)
            case "accept" where seat != nil: await accept(number, cut, &seat)
            case "reject" where seat != nil: await reject(number, cut, seat)
            default: await read(number, cut, &seat)
            }
        }
    }

    /// What all passengers see at the end.
    func finish() async {
        var seat: SeatID?
        for number in phones.indices.prefix(2) { await read(number, nil, &seat) }
    }

    private func any(_ random: inout SplitMix) -> SeatID { seats.randomElement(using: &random) ?? seats[0] }

    // MARK: Acts

    private func note(_ attempt: Attempt, _ call: SeatCall) {
        let act = SeatAct(attempt, car: call == .leave ? nil : car, call)
        phones[0].diary.note { $0.seats.append(act) }
    }

    /// Reads the car, in which the phone sees where its owner sits.
    private func read(_ number: Int, _ cut: Duration?, _ seat: inout SeatID?) async {
        let (client, train, phone) = (clients[number], train, phones[number])
        let answer = await phone.attempt("seats", cut: cut) {
            try await client.send(\.getCar, query: "carCode=\(train)&trainCode=\(train)")
        }
        guard answer.attempt.outcome == .done, let response = answer.response else { return }
        do {
            let car = try SeatCatcherCar(response.value())
            seat = car.occupants.first { $0.value == phone.account }?.key
            note(answer.attempt, .read(car.occupants))
        } catch {
            phone.surprise("could not read the car: \(error)", answer.attempt)
        }
    }

    private func sit(_ number: Int, _ wanted: SeatID, _ cut: Duration?, _ seat: inout SeatID?) async {
        let client = clients[number]
        let answer = await phones[number].attempt("seats", cut: cut) {
            try await client.send(\.occupySeat, query: "creditAmount=\(Self.offer)&seatId=\(wanted)")
        }
        note(answer.attempt, .sit(wanted))
        if answer.attempt.outcome == .done { seat = wanted }
    }

    private func leave(_ number: Int, _ cut: Duration?, _ seat: inout SeatID?) async {
        let client = clients[number]
        let answer = await phones[number].attempt("seats", cut: cut) { try await client.send(\.releaseSeat) }
        if answer.attempt.outcome.isRefused {
            // The gateway repeats a request of which the service has died, after it may have taken effect.
            var first = answer.attempt
            first.outcome = .unknown("it may have been repeated")
            note(first, .leave)
        }
        note(answer.attempt, .leave)
        if !answer.attempt.outcome.isUnknown { seat = nil }
    }

    private func request(_ number: Int, _ wanted: SeatID, _ cut: Duration?) async {
        let answer = await ask(number, wanted, "creditAmount=\(Self.offer)&type=REQUEST", cut)
        note(answer.attempt, .request(wanted))
        guard !answer.attempt.outcome.isRefused else { return }
        state.requests.withLock { _ = $0[wanted, default: []].insert(phones[number].account) }
    }

    private func cancel(_ number: Int, _ cut: Duration?) async {
        let own = phones[number].account
        guard let wanted = state.requests.withLock({ $0.first { $0.value.contains(own) }?.key }) else { return }
        let answer = await ask(number, wanted, "creditAmount=\(Self.offer)&type=CANCEL", cut)
        note(answer.attempt, .cancel(wanted))
        if !answer.attempt.outcome.isUnknown { forget(own, wanted) }
    }

    private func accept(_ number: Int, _ cut: Duration?, _ seat: inout SeatID?) async {
        guard let own = seat, let other = requester(of: own) else { return }
        let answer = await ask(number, own, "oppositeUserId=\(other)&type=ACCEPT", cut)
        note(answer.attempt, .accept(own, of: other))
        guard !answer.attempt.outcome.isUnknown else { return }
        forget(other, own)
        guard answer.attempt.outcome == .done else { return }
        seat = nil
        // The app of the other one confirms as soon as it hears of it.
        if let index = phones.firstIndex(where: { $0.account == other }) { await confirm(index, own) }
    }

    private func confirm(_ number: Int, _ seat: SeatID) async {
        let client = clients[number]
        let answer = await phones[number].attempt("seats") {
            try await client.send(\.confirmSeat, query: "creditAmount=\(Self.offer)&seatId=\(seat)")
        }
        note(answer.attempt, .confirm(seat))
    }

    private func reject(_ number: Int, _ cut: Duration?, _ seat: SeatID?) async {
        guard let seat, let other = requester(of: seat) else { return }
        let answer = await ask(number, seat, "creditAmount=\(Self.offer)&oppositeUserId=\(other)&type=REJECT", cut)
        note(answer.attempt, .reject(seat, of: other))
        if !answer.attempt.outcome.isUnknown { forget(other, seat) }
    }

    private func ask(_ number: Int, _ seat: SeatID, _ query: String, _ cut: Duration?) async -> Phone.Answer {
        let client = clients[number]
        return await phones[number].attempt("seats", cut: cut) {
            try await client.send(\.yieldSeat, seat, query: query)
        }
    }

    private func requester(of seat: SeatID) -> AccountID? {
        state.requests.withLock { $0[seat]?.min { $0.rawValue < $1.rawValue } }
    }

    private func forget(_ account: AccountID, _ seat: SeatID) {
        state.requests.withLock { _ = $0[seat]?.remove(account) }
    }
}
