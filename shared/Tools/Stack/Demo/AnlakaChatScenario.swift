import AppClients
import Apps
import FoundationEssentials
import StackKit

/// Posts and a chat between two neighbours, as a part of the real-estate app's scenario: one has the current app
/// (Socket.IO), the other a newer one (STOMP).
extension Scenario {
    /// Publishes a post, and signs up a neighbour.
    static func publish(_ person: AnlakaClient, _ programs: Programs) async throws -> (
        neighbour: AnlakaClient, post: String
    ) {
        let post = try await person.step("The person tells the neighbourhood something.").send(
            \.createPost,
            body: [
                "category": "동네소식", "title": "수락산 아래 새 빵집", "content": "아침 일곱 시부터 문을 열어요. 소금빵이 맛있습니다.",
                "longitude": 127.0454, "latitude": 37.6523, "files": [],
            ]
        ).json().text("post_id")
        let neighbour = AnlakaClient(
            programs.gateway.url,
            key: AppKey.anlaka,
            name: "neighbour",
            observer: Transcript.print
        )
        let email = "neighbour-\(UInt32.random(in: 0...UInt32.max))@example.com"
        try await neighbour.step("Another user joins.")
            .join(SeSACAccount(email: email, password: "anlaka2025!", nick: "이웃"))
        return (neighbour, post)
    }

    /// The neighbour finds the post, likes it and comments.
    static func react(_ neighbour: AnlakaClient, to post: String, of person: AnlakaClient) async throws {
        let near = try await neighbour.step("They look at the posts within 500 m.").send(
            \.listPostsNearby,
            query: "longitude=127.0467&latitude=37.6531&maxDistance=500&limit=5&order=createdAt"
        ).json()
        guard near["data"]?.elements.contains(where: { $0["post_id"]?.string == post }) == true else {
            throw StackError("the neighbour does not find the post")
        }
        try await neighbour.step("They like it.").like(post).json()
        try await neighbour.step("And ask.").comment("주말에도 여나요?", on: post).json()
        let seen = try await person.step("The person sees both.").send(\.getPost, post).json()
        guard seen["like_count"] == 1, seen["comments"]?[0]?["content"] == "주말에도 여나요?" else {
            throw StackError("the post lacks the like or the comment")
        }
    }

    /// A chat, in which the person loses the network.
    static func chat(_ person: AnlakaClient, _ neighbour: AnlakaClient, _ programs: Programs) async throws {
        let other = try await neighbour.step("The neighbour opens the own profile.").send(\.getOwnProfile).json()
        let room = try await person.step("The person opens a chat with the neighbour.")
            .send(\.openChatRoom, body: ["opponent_id": .string(try other.text("user_id"))]).json().text("room_id")
        let device = "demo-\(UUID().uuidString.lowercased())"
        try await person.step("The app registers the token that FCM has given it.").registerDevice(device).json()
        let stream = try await AnlakaStream(neighbour.step("The neighbour's newer app opens its stream."), room: room)
        /// The text of the next message on the stream.
        func streamed() async throws -> String {
            neighbour.step("This had come on the stream:")
            return try (await stream.next { $0["message"] != nil }["message"] ?? .null).text("content")
        }

        var socket = try await open(room, person.step("The app joins the room's namespace."))
        try await write(person, "The person writes.", "빵집에 같이 가실래요?", in: room)
        _ = try await socket.next { $0.hasPrefix("42/") && $0.contains("빵집에 같이 가실래요?") }
        let last = try await write(neighbour, "The neighbour answers.", "좋아요, 몇 시에요?", in: room)
        _ = try await socket.next { $0.hasPrefix("42/") && $0.contains("좋아요, 몇 시에요?") }
        var texts = [try await streamed(), try await streamed()]

        person.step("The person's phone loses its network.")
        await socket.abort()
        neighbour.step("The neighbour's app shows that the person has gone.")
        try await stream.next { $0["is_present"] == false }
        for text in ["아침 아홉 시 어때요?", "소금빵은 금방 나가요.", "역 앞에서 만나요."] {
            try await write(neighbour, "Meanwhile the neighbour writes on.", text, in: room)
        }
        person.step("In the other pocket, the phone has got a push by FCM.")
        try await printPush(to: device, saying: "새로운 메시지가 3개 있습니다.", programs)
        let missed =
            try await person
            .step("The network is back; the app asks for what is newer than the last that it has.")
            .send(\.listMessages, room, query: "from=\(last.text("createdAt"))").json()
        guard missed["data"]?.elements.count == 3 else { throw StackError("the app did not get what it had missed") }
        socket = try await open(room, person.step("And joins again."))
        try await write(neighbour, "The neighbour adds something.", "우산 챙기세요!", in: room)
        _ = try await socket.next { $0.hasPrefix("42/") && $0.contains("우산 챙기세요!") }
        await socket.close()

        let (own, theirs) = (try await log(of: room, person), try await log(of: room, neighbour))
        guard own == theirs, own.count == 6 else { throw StackError("the two phones end with different logs") }
        while texts.count < own.count { texts.append(try await streamed()) }
        guard texts == own else { throw StackError("the stream has other messages than the log") }
        Transcript.print(log: own)
    }

    private static func open(_ room: String, _ client: AnlakaClient) async throws -> TextSocket {
        let socket = try await client.chat(room)
        let answer = try await socket.next { $0.hasPrefix("40/") || $0.hasPrefix("44/") }
        guard answer.hasPrefix("40/") else { throw StackError("the namespace refused: \(answer)") }
        return socket
    }

    @discardableResult
    private static func write(
        _ client: AnlakaClient,
        _ step: String,
        _ text: String,
        in room: String
    ) async throws -> JSON {
        try await client.step(step).write(text, in: room, id: UUID().uuidString).json()
    }

    /// Waits until the newest push of a device has a text, and prints it.
    private static func printPush(to device: String, saying text: String, _ programs: Programs) async throws {
        var newest: JSON = .null
        try await waitUntil("the phone got a push that says: \(text)", every: .milliseconds(50)) {
            newest = try await programs.unobservedSandbox.pushes(to: device).json()["messages"]?[0] ?? .null
            return newest["body"]?.string == text
        }
        Console.line("    🔔 \(newest["subtitle"]?.string ?? newest["title"]?.string ?? ""): \(text)")
    }

    /// The messages of a room, in order.
    private static func log(of room: String, _ client: AnlakaClient) async throws -> [String] {
        let page = try await client.step("The phone's log of the room.")
            .send(\.listChatRoomEvents, room, query: "after=0").json()
        return page["data"]?.elements.compactMap { $0["message"]?["content"]?.string } ?? []
    }
}
