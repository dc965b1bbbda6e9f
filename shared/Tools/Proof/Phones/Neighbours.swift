import AppClients
import Apps
import Contracts
import FoundationEssentials
import NIOCore
import Sockets
import Synchronization
import Values

/// Two neighbours in a room of Anlaka. Both write and delete, the second one on two phones, one of which follows the room
/// by a stream that continues after its last event.
struct Neighbours: Sendable {
    /// The writers' phones.
    let phones: [Phone]
    let clients: [AnlakaClient]
    private let follower: Phone
    let room: String
    private let state = State()
    let seen = Seen()

    /// A message of which a phone has the id.
    private struct Sent: Sendable {
        var phone: Int
        var chat: String
        var number: Int64
    }

    private final class State: Sendable {
        let sent = Mutex<[Sent]>([])
        let written = Atomic<Int>(0)
    }

    static func meet(_ number: Int, in city: City) async throws -> Neighbours {
        var (clients, phones): ([AnlakaClient], [Phone]) = ([], [])
        for side in 0..<2 {
            let (name, device) = ("room-\(number)-\(side)", "device-room-\(number)-\(side)")
            let begun = city.diary.now
            let (client, account) = try await SeSACPeople.join(
                Anlaka.self,
                AppKey.anlaka,
                name,
                device: device,
                in: city
            )
            city.diary.note { $0.pushes.holdings.append(DeviceHolding(device, of: account, since: begun)) }
            clients.append(client)
            let renewal = Renewal.of(client, SeSACPeople.account(name, device: device))
            phones.append(Phone("neighbour \(number)-\(side)", of: account, in: city, renewal: renewal))
        }
        let opened = try await clients[0].send(\.openChatRoom, body: ["opponent_id": .string(clients[1].id)]).json()
        let follower = Phone("neighbour \(number)-1, second phone", of: phones[1].account, in: city)
        return Neighbours(phones: phones, clients: clients, follower: follower, room: try opened.text("room_id"))
    }

    private init(phones: [Phone], clients: [AnlakaClient], follower: Phone, room: String) {
        (self.phones, self.clients, self.follower, self.room) = (phones, clients, follower, room)
    }

    var diary: Diary { phones[0].diary }

    func play(_ number: Int, until end: Moment, _ random: SplitMix) async {
        var random = random
        let phone = phones[number]
        while diary.now < end, !Task.isCancelled {
            try? await Task.sleep(for: phone.habits.pause(&random))
            let cut = phone.habits.cut(&random)
            switch phone.habits.act(of: "neighbour", &random) {
            case "send": await send(number, cut, twice: phone.habits.isTappedTwice(&random))
            case "delete": await delete(number, cut, &random)
            case "page": await page(number, cut, &random)
            case "rooms": await countUnread(number, cut)
            default: await read(number, cut)
            }
        }
    }

    // MARK: Acts

    /// Without an answer the app sends the message again with the same id, and gives up after five attempts.
    private func send(_ number: Int, _ cut: Duration?, twice: Bool) async {
        let marker = "m\(state.written.wrappingAdd(1, ordering: .relaxed).newValue)-\(room.suffix(6))"
        let (client, phone, room) = (clients[number], phones[number], room)
        let write: @Sendable (Duration?) async -> Phone.Answer = { cut in
            await phone.attempt("chat", cut: cut) { try await client.write(marker, in: room, id: marker) }
        }
        var answers = [await write(cut)]
        if twice { answers.append(await write(nil)) }
        var pause = Duration.milliseconds(500)
        while answers.last?.attempt.outcome.isUnknown == true, answers.count < 5, !Task.isCancelled {
            try? await Task.sleep(for: pause)
            pause *= 2
            answers.append(await write(nil))
        }
        var attempt = answers[answers.count - 1].attempt
        attempt.begun = answers[0].attempt.begun
        // A refusal after an attempt without an answer says nothing about that one.
        if attempt.outcome.isRefused, let open = answers.first(where: \.attempt.outcome.isUnknown) {
            attempt.outcome = open.attempt.outcome
        }
        let message = answers.last?.response.flatMap { JSON(parsing: $0.bytes) }
        let place = attempt.outcome == .done ? message?["sequence"]?.integer : nil
        let noted = MessageSend(attempt, marker: marker, number: place)
        let push = PushOccasion(
            marker,
            for: phones[1 - number].account,
            at: attempt.ended ?? diary.now,
            thread: place.map { _ in room },
            number: place ?? 0
        )
        let repeats = answers.map {
            let sequence = $0.response.flatMap { JSON(parsing: $0.bytes) }?["sequence"]?.integer
            return KeyedAct($0.attempt, key: marker, "sent \"\(marker)\"", answer: sequence.map { "\($0)" })
        }
        diary.note { pages in
            pages.rooms[room, default: RoomHistory(room: room)].sends.append(noted)
            if repeats.count > 1 { pages.repeats += repeats }
            pages.pushes.occasions.append(push)
        }
        if let place, let chat = message?["chat_id"]?.string {
            state.sent.withLock { $0.append(Sent(phone: number, chat: chat, number: place)) }
        }
    }

    private func delete(_ number: Int, _ cut: Duration?, _ random: inout SplitMix) async {
        let own = state.sent.withLock { $0.filter { $0.phone == number } }
        guard let message = own.randomElement(using: &random) else { return }
        let (client, room) = (clients[number], room)
        let answer = await phones[number].attempt("chat", cut: cut) {
            try await client.send(\.deleteMessage, room, message.chat)
        }
        diary.note {
            $0.rooms[room, default: RoomHistory(room: room)].deletions.append(
                MessageDeletion(answer.attempt, message: message.number)
            )
        }
    }

    /// Reads a page of events after a number.
    private func page(_ number: Int, _ cut: Duration?, _ random: inout SplitMix) async {
        let newest = state.sent.withLock { $0.last?.number ?? 0 }
        let after = Int64.random(in: 0...max(newest, 1), using: &random)
        await page(number, after: after, cut)
    }

    private func page(_ number: Int, after: Int64, _ cut: Duration?) async {
        let (client, room, phone) = (clients[number], room, phones[number])
        let answer = await phone.attempt("chat", cut: cut) {
            try await client.send(\.listChatRoomEvents, room, query: "after=\(after)&limit=500")
        }
        guard answer.attempt.outcome == .done, let response = answer.response else { return }
        guard let body = JSON(parsing: response.bytes), body["last_sequence"] != nil else {
            return phone.surprise("could not read a page of events", answer.attempt)
        }
        var reading = RoomReading(
            device: phone.name,
            begun: answer.attempt.begun,
            ended: answer.attempt.ended ?? diary.now,
            after: after,
            trace: answer.attempt.trace
        )
        reading.events = (body["data"]?.elements ?? []).compactMap { ShownEvent($0, at: reading.ended) }
        let read = reading
        seen.see(read.events.last?.number ?? 0, on: number)
        diary.note { $0.rooms[room, default: RoomHistory(room: room)].readings.append(read) }
    }

    // MARK: The second phone

    /// Follows the room until the end. After a lost connection it connects again within seconds, and continues.
    func follow(until end: Moment, _ random: SplitMix) async {
        var (random, last): (SplitMix, Int64) = (random, 0)
        while diary.now < end, !Task.isCancelled {
            let stay = Swift.min(
                Duration.microseconds(end.microseconds - diary.now.microseconds),
                .seconds(Double.random(in: 10..<60, using: &random))
            )
            await connect(&last, for: stay)
            try? await Task.sleep(for: .seconds(Double.random(in: 0.2..<2, using: &random)))
        }
    }

    private func connect(_ last: inout Int64, for stay: Duration) async {
        guard await phones[1].isReady() else { return }
        let (app, topic) = (clients[1], "/topic/rooms.\(room)")
        var reading = RoomReading(device: follower.name, begun: diary.now, ended: diary.now, after: last)
        reading.continuesList = true
        do {
            let client = try await STOMPClient.connect(
                app.connection.socketURL(Anlaka().connectStream.path),
                headers: [("accept-version", "1.1,1.2"), ("Authorization", app.token)],
                handshake: app.connection.currentHeaders.map { ($0.key, $0.value) }
            )
            let timer = Task {
                try? await Task.sleep(for: stay)
                client.close()
            }
            defer { timer.cancel() }
            for try await message in try await client.subscribe(topic, headers: [("after", "\(last)")]) {
                guard message.headers["kind"] == "event" else { continue }
                guard let json = JSON(parsing: message.body.readableBytesView),
                    let event = ShownEvent(json, at: diary.now)
                else { continue }
                reading.events.append(event)
                last = event.number
            }
        } catch {
            // The next connection goes on.
        }
        reading.ended = diary.now
        let read = reading
        diary.note { $0.rooms[room, default: RoomHistory(room: room)].readings.append(read) }
    }

    /// Reads the whole room on both sides.
    func finish() async {
        for number in phones.indices {
            var after: Int64 = 0
            while !Task.isCancelled {
                let known = diary.all.rooms[room]?.readings.count ?? 0
                await page(number, after: after, nil)
                let readings = diary.all.rooms[room]?.readings ?? []
                guard readings.count > known, let next = readings.last?.events.last?.number, next > after else { break }
                after = next
            }
        }
    }
}

extension ShownEvent {
    /// An event as Anlaka's clients get it: `{sequence, type, at, message}`.
    fileprivate init?(_ json: JSON, at moment: Moment) {
        guard let number = json["sequence"]?.integer, let kind = json["type"]?.string.flatMap(RoomEventKind.init),
            let message = json["message"]?["sequence"]?.integer
        else { return nil }
        let text = json["message"]?["content"]?.string ?? ""
        self.init(number, kind, of: message, marker: text.isEmpty ? nil : text, at: moment)
    }
}
