import AppClients
import Apps
import NIOCore
import Sockets
import Synchronization
import Values

/// A person of Anlaka: looks at the map and at posts, writes with a neighbour in a room whose socket is open, reserves a
/// listing now and then, and pays for it.
final class LoadNeighbour: LoadPerson {
    /// Neighbours who read one post and reserve each other's listings.
    final class Group: Sendable {
        let post: String
        /// Listings that are not reserved, with their creators.
        let listings = Mutex<[(id: String, creator: String)]>([])
        /// When each message that has not arrived was due, by its text.
        let sent = Mutex<[String: Moment]>([:])
        let written = Atomic<Int>(0)

        init(post: String) { self.post = post }
    }

    let habits = "neighbour"
    private let client: AnlakaClient
    private let account: SeSACAccount
    private let room: String
    private let group: Group
    private let city: City
    /// The code of an order that is not paid yet.
    private let order = Mutex<String?>(nil)
    private let last = Atomic<Int64>(0)

    private init(_ client: AnlakaClient, _ account: SeSACAccount, room: String, _ group: Group, in city: City) {
        (self.client, self.account, self.room) = (client, account, room)
        (self.group, self.city) = (group, city)
    }

    /// Signs six people up, with a room for two each.
    static func meet(_ number: Int, in city: City) async throws -> [any LoadPerson] {
        var clients: [(AnlakaClient, SeSACAccount)] = []
        for person in 0..<6 {
            let name = "load-\(number)-\(person)"
            let (client, _) = try await SeSACPeople.join(Anlaka.self, AppKey.anlaka, name, in: city)
            clients.append((client, SeSACPeople.account(name)))
        }
        let group = Group(post: try await SeSACPeople.post(ProofPeople.anlakaPost, by: clients[0].0))
        var people: [any LoadPerson] = []
        for pair in stride(from: 0, to: clients.count, by: 2) {
            let (one, other) = (clients[pair], clients[pair + 1])
            let room = try await one.0.send(\.openChatRoom, body: ["opponent_id": .string(other.0.id)]).json()
                .text("room_id")
            for (client, account) in [one, other] {
                people.append(LoadNeighbour(client, account, room: room, group, in: city))
            }
        }
        return people
    }

    func next(_ name: String, _ random: inout SplitMix) async -> NextAct? {
        let (client, group, room) = (client, group, room)
        switch name {
        case "openMap": return openMap(&random)
        case "readHome": return NextAct(.readHome) { try await client.send(\.listTodayEstates) }
        case "readPost": return NextAct(.readPost) { try await client.send(\.getPost, group.post) }
        case "comment":
            let text = "댓글 \(group.written.wrappingAdd(1, ordering: .relaxed).newValue)"
            return NextAct(.comment) { try await client.comment(text, on: group.post) }
        case "like":
            let isLiked = Bool.random(using: &random)
            return NextAct(.like) {
                try await client.send(\.setLike, group.post, body: ["like_status": .bool(isLiked)])
            }
        case "sendMessage": return sendMessage()
        case "readRoom":
            let after = max(0, last.load(ordering: .relaxed) - 30)
            return NextAct(.readRoom) {
                try await client.send(\.listChatRoomEvents, room, query: "after=\(after)&limit=100")
            }
        case "deal": return await deal()
        case "refresh":
            return NextAct(.refresh) { try await client.refresh(header: "RefreshToken") }
        case "signIn": return signIn()
        default: return NextAct(.readInbox) { try await client.send(\.listNotifications) }
        }
    }

    private func openMap(_ random: inout SplitMix) -> NextAct {
        let client = client
        if Bool.random(using: &random) {
            return NextAct(.openMap) {
                try await client.send(\.listClusters, query: "zoom=12&bbox=126.76,37.42,127.19,37.70")
            }
        }
        return NextAct(.openMap) {
            try await client.send(\.searchEstates, query: "longitude=127.0454&latitude=37.6522&maxDistance=500")
        }
    }

    private func sendMessage() -> NextAct {
        let (client, group, room, city) = (client, group, room, city)
        let text = "m\(group.written.wrappingAdd(1, ordering: .relaxed).newValue)-\(room.suffix(6))"
        return NextAct(.sendMessage) {
            group.sent.withLock { $0[text] = city.diary.now }
            return try await client.write(text, in: room, id: text)
        }
    }

    private func signIn() -> NextAct {
        let (client, account) = (client, account)
        return NextAct(.signIn) {
            let other = AnlakaClient(client.connection.gateway, key: AppKey.anlaka)
            let answer = try await other.signIn(account)
            client.connection.tokens = other.connection.tokens
            return answer
        }
    }

    /// Pays for what is reserved, reserves what a neighbour offers, or offers something.
    private func deal() async -> NextAct? {
        let client = client
        if let code = order.withLock({ $0.take() }) {
            guard let payment = try? await city.sandbox.pay(code, Buyers.price) else { return nil }
            return NextAct(.pay) { try await client.validate(payment) }
        }
        let offered = group.listings.withLock { listings in
            listings.firstIndex { $0.creator != client.id }.map { listings.remove(at: $0).id }
        }
        guard let offered else { return offer() }
        return NextAct(.order) { [self] in
            let body: RequestBody = ["estate_id": .string(offered), "total_price": .integer(Buyers.price)]
            let answer = try await client.send(\.placeOrder, body: body)
            let code = JSON(parsing: answer.bytes)?["order_code"]?.string
            order.withLock { $0 = code }
            return answer
        }
    }

    private func offer() -> NextAct {
        let (client, group) = (client, group)
        return NextAct(.offer) {
            let answer = try await client.send(\.createEstate, body: Buyers.listing)
            if let id = JSON(parsing: answer.bytes)?["estate_id"]?.string {
                group.listings.withLock { $0.append((id, client.id)) }
            }
            return answer
        }
    }

    /// Follows the room, after the last event that has come.
    func stayConnected(_ record: LoadRecord) async {
        while !Task.isCancelled {
            await connect(record)
            try? await Task.sleep(for: .seconds(1))
        }
    }

    private func connect(_ record: LoadRecord) async {
        let connection = client.connection
        let stream = try? await STOMPClient.connect(
            connection.socketURL(Anlaka().connectStream.path),
            headers: [("accept-version", "1.1,1.2"), ("Authorization", client.token)],
            handshake: connection.currentHeaders.map { ($0.key, $0.value) }
        )
        guard let stream else { return }
        await withTaskCancellationHandler {
            do {
                let after = last.load(ordering: .relaxed)
                let headers = [("after", "\(after)")]
                for try await message in try await stream.subscribe("/topic/rooms.\(room)", headers: headers) {
                    guard let json = JSON(parsing: message.body.readableBytesView) else { continue }
                    arrived(json, record)
                }
            } catch {
                // It connects again.
            }
        } onCancel: {
            stream.close()
        }
    }

    private func arrived(_ event: JSON, _ record: LoadRecord) {
        if let number = event["sequence"]?.integer { last.store(number, ordering: .relaxed) }
        guard let message = event["message"], let text = message["content"]?.string else { return }
        // The one who has written it sees it first, by the answer.
        guard message["sender"]?["user_id"]?.string != client.id else { return }
        guard let sent = group.sent.withLock({ $0.removeValue(forKey: text) }) else { return }
        record.arrived(.receiveMessage, sent: sent)
    }
}
