import Authentication
import Contracts
import FoundationEssentials
import HTTPTypes
import NIOCore
import Postgres
import Sockets

/// SeatCatcher's STOMP endpoint (contract 2): authentication, authorization of subscriptions, and the initial messages
/// of a new subscription, so that it misses nothing.
struct LiveService: STOMPService {
    typealias Principal = ConnectedPassenger
    typealias Record = ConnectedPassenger
    typealias Position = LivePosition

    let database: PostgresClient
    let keys: PublishedKeys
    let verifier: AccessTokenVerifier
    let hub: STOMPHub
    let sessions: LiveSessions
    let feed: LiveFeed
    let cars: Cars
    let aliases: TrainAliases
    let journeys: Journeys
    let passengers = PassengerStore()
    private let store = LiveStore()
    private let requests = YieldRequestStore()
    private let longestHello = 1024

    // MARK: Connecting

    /// Authenticates by the access token of the CONNECT frame; that of the handshake is ignored.
    func connect(
        _ headers: STOMPHeaders,
        handshake: HTTPRequest,
        on connection: STOMPConnection
    ) async throws(STOMPRefusal) -> Principal {
        guard let field = headers["Authorization"] ?? headers["authorization"], let token = Self.bearer(field) else {
            throw STOMPRefusal("Sign in first")
        }
        let claims = try await claims(of: token)
        guard claims.app == .seatcatcher else { throw STOMPRefusal("Invalid Token") }
        let passenger = Principal(account: claims.account, session: claims.session)
        // Registered before the check, so that a concurrent revocation finds the socket.
        await sessions.add(connection, passenger)
        do throws(STOMPRefusal) {
            let isWelcome = try await reading {
                try await passengers.mayConnect(passenger.account, session: passenger.session, in: database)
            }
            guard isWelcome else { throw STOMPRefusal("Invalid Token") }
        } catch {
            sessions.remove(connection, passenger)
            throw error
        }
        return passenger
    }

    func account(of passenger: Principal) -> String { "\(passenger.account)" }

    func disconnected(_ connection: STOMPConnection, as passenger: Principal, hasMoved: Bool) {
        sessions.remove(connection, passenger)
    }

    private func claims(of token: String) async throws(STOMPRefusal) -> AccessClaims {
        let now = Int64(Date.now.timeIntervalSince1970)
        do {
            return try verifier.verify(token, keys: keys.current.keys, now: now)
        } catch .unknownKey {
            guard await keys.refetch() == .fresh else { throw STOMPRefusal("Tokens cannot be checked, try again") }
        } catch .expired {
            throw STOMPRefusal("Expired Token")
        } catch {
            throw STOMPRefusal("Invalid Token")
        }
        do {
            return try verifier.verify(token, keys: keys.current.keys, now: now)
        } catch {
            throw STOMPRefusal("Invalid Token")
        }
    }

    private static func bearer(_ field: String) -> String? {
        let words = field.split(separator: " ")
        return words.count == 2 && words[0].lowercased() == "bearer" ? String(words[1]) : nil
    }

    // MARK: Subscribing

    func subscribe(
        _ subscription: STOMPSubscription,
        headers: STOMPHeaders,
        on connection: STOMPConnection,
        as passenger: Principal
    ) async throws(STOMPRefusal) {
        let account = passenger.account
        switch LiveDestination(subscription.destination) {
        case .train(let named):
            let train = try await reading { try await aliases.train(parsing: named.text) }
            sessions.look(subscription, at: train, connection, account)
            let car = try await reading { try await cars.watched(by: account, in: train) }
            await sessions.begin(subscription, with: car, on: connection, of: account)
        case .owner(let seat):
            // A passenger without the seat gets no messages and no error: after an error the app would reconnect
            // endlessly.
            try await follow(.owner(seat: seat, account: account), subscription, on: connection) {
                let pending = try await requests.pending(onSeat: seat, in: $0).filter { $0.owner.account == account }
                return pending.compactMap { LivePayload.body($0.notice) }.map { ($0, false) }
            }
        case .requester(let seat, let requester):
            guard requester == account else { throw STOMPRefusal("This destination is not yours") }
            try await follow(.requester(seat: seat, account: account), subscription, on: connection) {
                let reply = try await store.undelivered(on: .requester(seat: seat, account: account), in: $0)
                return reply.flatMap(LivePayload.body(of:)).map { [($0, true)] } ?? []
            }
        case .path(let id):
            do {
                _ = try await journeys.path(id, account: account)
            } catch {
                throw STOMPRefusal(error is SeatsError ? "This destination is not yours" : "Try again in a moment")
            }
            try await follow(.path(id), subscription, on: connection) {
                guard let journey = try await JourneyStore().journey(id: id, in: $0), journey.status != .planned else {
                    return []
                }
                return LivePayload.body(journey.state).map { [($0, false)] } ?? []
            }
        case .hello:
            openHello(subscription, on: connection)
        case nil:
            throw STOMPRefusal("There is no such destination")
        }
    }

    func unsubscribe(_ subscription: STOMPSubscription, on connection: STOMPConnection, as passenger: Principal) {
        sessions.lookAway(subscription, connection, passenger.account)
        hub.remove(subscription, on: connection)
    }

    /// Sends the current state of a topic to a subscription, then its messages.
    ///
    /// - Parameter standing: reads the bodies of the current state, and whether their delivery is recorded.
    private func follow(
        _ topic: LiveTopic,
        _ subscription: STOMPSubscription,
        on connection: STOMPConnection,
        _ standing: @escaping (PostgresTransaction) async throws -> [(body: String, isRemembered: Bool)]
    ) async throws(STOMPRefusal) {
        hub.hold(subscription, on: connection, topic: topic.name)
        do {
            // Both are read in one snapshot, otherwise a message could be missing from both.
            let (through, bodies) = try await database.transaction(isolation: .repeatableRead) { transaction in
                (try await store.lastID(of: topic, in: transaction), try await standing(transaction))
            }
            let replay = bodies.map { body, isRemembered in
                isRemembered
                    ? feed.addressed(id: through, body: body)
                    : STOMPMessage(id: through.rawValue, body: ByteBuffer(string: body))
            }
            await feed.follow(topic, after: through)
            hub.open(subscription, on: connection, topic: topic.name, replay: replay, through: through.rawValue)
        } catch {
            throw STOMPRefusal("Try again in a moment")
        }
    }

    // MARK: Sending

    /// Accepts only greetings, which go back to the connection: passengers act by REST calls, and other frames would be
    /// forgeries.
    func send(
        _ destination: String,
        headers: STOMPHeaders,
        body: ByteBuffer,
        on connection: STOMPConnection,
        as passenger: Principal
    ) async throws(STOMPRefusal) {
        guard destination == LiveDestination.helloInput else { throw STOMPRefusal("Nothing can be sent there") }
        guard body.readableBytes <= longestHello, let text = String(validating: body.readableBytesView, as: UTF8.self)
        else { throw STOMPRefusal("A greeting is a text of at most \(longestHello) bytes") }
        let id = Int64(clamping: NIODeadline.now().uptimeNanoseconds)
        hub.publish(STOMPMessage(id: id, body: ByteBuffer(string: text)), to: Self.helloTopic(of: connection))
    }

    func openHello(_ subscription: STOMPSubscription, on connection: STOMPConnection) {
        hub.open(subscription, on: connection, topic: Self.helloTopic(of: connection), through: 0)
    }

    private static func helloTopic(of connection: STOMPConnection) -> String { "hello/\(connection.id)" }

    private func reading<Value>(_ body: () async throws -> Value) async throws(STOMPRefusal) -> Value {
        do {
            return try await body()
        } catch {
            throw STOMPRefusal("Try again in a moment")
        }
    }
}
