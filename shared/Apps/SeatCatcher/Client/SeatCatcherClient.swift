package import Apps
package import Contracts
import Synchronization

/// The SeatCatcher app of one user: REST first and SUBSCRIBE after, in the order of the unmodified app (SeatCatcher
/// contract 9).
package final class SeatCatcherClient: AppClient {
    package typealias Calls = SeatCatcher

    package let connection: AppConnection
    private let state = Mutex(State())

    private struct State {
        var socket: SeatCatcherSocket?
        /// The topics of the open screens, in the order of their subscription.
        var topics: [String] = []
        var journey: Int64?
    }

    /// - Parameters:
    ///   - gateway: `http://host:port`.
    ///   - name: The user's name, for the observer's output.
    package init(_ gateway: String, name: String = "", observer: @escaping ClientObserver = { _ in }) {
        connection = AppConnection(gateway, name: name, observer: observer)
    }

    // MARK: Account

    /// Signs in with Kakao's token.
    ///
    /// - Parameter device: The FCM token; empty while the app has none.
    package func signIn(kakao token: String, device: String = "") async throws {
        let body: RequestBody = ["accessToken": "\(token)", "fcmToken": "\(device)"]
        connection.tokens = try await send(\.signInWithKakao, body: body).expect(201).value()
    }

    /// Gets the user's profile, or changes it.
    @discardableResult
    package func profile(changing body: RequestBody? = nil) async throws -> SeatCatcherProfile {
        let answer = try await send(body == nil ? \.getProfile : \.updateProfile, body: body).expect()
        let profile = try answer.value(SeatCatcherProfile.self)
        connection.userID = "\(profile.userId)"
        return profile
    }

    /// The user's account; 0 before `profile()`.
    package var account: AccountID { AccountID(connection.userID) ?? AccountID(rawValue: 0) }

    package var credit: Int64 {
        get async throws { try await profile().credit }
    }

    // MARK: Trains and seats

    package func car(_ car: String, of train: String) async throws -> SeatCatcherCar {
        let answer = try await send(\.getCar, query: "carCode=\(car)&trainCode=\(train)").expect()
        return try SeatCatcherCar(answer.value())
    }

    /// Takes a train between two stations (step 2).
    package func startJourney(_ train: String, from start: Int64, to end: Int64) async throws {
        let body: RequestBody = [
            "startStationId": .integer(start), "endStationId": .integer(end), "trainCode": .string(train),
        ]
        let started = try await send(\.startJourney, body: body).expect(201).value(SeatCatcherJourney.self)
        if started.arrived { report("a journey has arrived when it starts") }
        state.withLock { $0.journey = started.pathHistoryId }
        try await subscribe("/topic/path-histories.\(started.pathHistoryId)")
    }

    /// The id of the latest journey.
    package var journey: Int64 { state.withLock { $0.journey } ?? 0 }

    /// Opens the seats of a car.
    package func look(_ train: String, car: String = "2429") async throws {
        _ = try await self.car(car, of: train)
        try await subscribe("/topic/seat.\(train)")
    }

    /// Takes a seat (step 3).
    package func sit(_ seat: SeatID) async throws {
        try await send(\.occupySeat, query: "creditAmount=10&seatId=\(seat)").expect(201)
        try await subscribe("/topic/seat.\(seat).owner")
    }

    package func leave(_ seat: SeatID) async throws {
        try await send(\.releaseSeat).expect(204)
        try await unsubscribe("/topic/seat.\(seat).owner")
    }

    /// Pays to see who sits where (step 4).
    package func unlock() async throws {
        let body: RequestBody = ["amount": 10, "targetUserId": .integer(account.rawValue)]
        try await send(\.changeCredit, query: "isAddition=0", body: body).expect()
    }

    // MARK: Seat exchange

    /// Asks the owner of a seat for it (step 5).
    package func ask(_ seat: SeatID, _ amount: Int) async throws {
        try await yield(seat, "creditAmount=\(amount)&type=REQUEST")
        try await subscribe("/topic/seat.\(seat).requester.\(account)")
    }

    /// Withdraws a request (step 6).
    package func cancel(_ seat: SeatID, _ amount: Int) async throws {
        try await yield(seat, "creditAmount=\(amount)&type=CANCEL")
        try await unsubscribe("/topic/seat.\(seat).requester.\(account)")
    }

    package func reject(_ seat: SeatID, of other: AccountID, _ amount: Int) async throws {
        try await yield(seat, "creditAmount=\(amount)&oppositeUserId=\(other)&type=REJECT")
    }

    package func accept(_ seat: SeatID, of other: AccountID) async throws {
        try await yield(seat, "oppositeUserId=\(other)&type=ACCEPT")
    }

    /// Takes over a seat after the owner has accepted.
    package func takeOver(_ seat: SeatID, _ amount: Int) async throws {
        try await send(\.confirmSeat, query: "creditAmount=\(amount)&seatId=\(seat)").expect()
        try await unsubscribe("/topic/seat.\(seat).requester.\(account)")
        try await subscribe("/topic/seat.\(seat).owner")
    }

    package func yield(_ seat: SeatID, _ query: String, _ status: Int = 200) async throws {
        try await send(\.yieldSeat, seat, query: query).expect(status)
    }
}

// MARK: - Socket

extension SeatCatcherClient {
    /// - Throws: `ClientError` before `connect()`.
    package var socket: SeatCatcherSocket {
        get throws {
            guard let socket = state.withLock({ $0.socket }) else { throw ClientError("there is no socket") }
            return socket
        }
    }

    /// Opens a socket with the access token.
    package func connect() async throws {
        let observer = connection.transport.observer
        let socket = try await SeatCatcherSocket(connection.gateway, token: token, observer: observer)
        state.withLock { $0.socket = socket }
    }

    /// Connects again as the app does: with the headers of the first connection, every 3 seconds until it succeeds. It
    /// then repeats its subscriptions without reading anything by REST.
    package func reconnect() async throws {
        try await waitUntil("the app is connected again", every: .milliseconds(50), atMost: .seconds(60)) {
            (try? await connect()) != nil
        }
        for topic in state.withLock({ $0.topics }) { try await socket.subscribe(topic) }
    }

    package func subscribe(_ topic: String) async throws {
        state.withLock { state in
            state.topics.removeAll { $0 == topic }
            state.topics.append(topic)
        }
        try await socket.subscribe(topic)
    }

    package func unsubscribe(_ topic: String) async throws {
        state.withLock { state in state.topics.removeAll { $0 == topic } }
        try await socket.unsubscribe(topic)
    }

    /// The next snapshot on a train's topic.
    package func nextCar(_ train: String) async throws -> SeatCatcherCar {
        try SeatCatcherCar(try await socket.next("/topic/seat.\(train)"))
    }

    /// Reads snapshots until the seat has the given occupant, or none.
    ///
    /// - Returns: All of them.
    @discardableResult
    package func cars(
        _ train: String,
        until seat: SeatID,
        is occupant: AccountID?
    ) async throws -> [SeatCatcherCar] {
        var cars: [SeatCatcherCar] = []
        var fault: ClientError?
        let _: [SeatCatcherSection] = try await socket.next("/topic/seat.\(train)") { sections in
            do throws(ClientError) {
                cars.append(try SeatCatcherCar(sections))
            } catch {
                fault = error
            }
            return fault != nil || cars.last?.occupants[seat] == occupant
        }
        if let fault { throw fault }
        return cars
    }

    /// The next request for a seat, or its cancellation.
    package func nextRequest(_ seat: SeatID) async throws -> SeatCatcherSeatRequest {
        try await socket.next("/topic/seat.\(seat).owner")
    }

    /// The next answer to the user's own request for a seat.
    package func nextReply(_ seat: SeatID) async throws -> SeatCatcherReply {
        try await socket.next("/topic/seat.\(seat).requester.\(account)")
    }

    /// Reads path events until one reports the end of the journey, or its continuation.
    @discardableResult
    package func path(until arrived: Bool) async throws -> SeatCatcherPath {
        try await socket.next("/topic/path-histories.\(journey)") { path in
            if path.expectedArrivalTime.utf8.count != 16 {
                report("the app drops an event without a time of this form: \(path.expectedArrivalTime)")
            }
            return path.arrived == arrived
        }
    }
}
