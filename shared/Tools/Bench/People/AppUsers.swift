import AppClients
import Apps
import PostgresServer
import StackKit

/// Users of all apps whose requests and sockets are measured.
struct AppUsers: Sendable {
    let passengers: [LivePassenger]
    /// Users of Anlaka, and their rooms with others.
    let neighbours: [AnlakaClient]
    let rooms: [ChatSockets.Place]
    let worker: MOUPClient
    /// Users of Anlaka comment on this post.
    let post: String
    /// The device of the post's author.
    let device = "author"

    private static let train = "2001"

    /// Signs all of them up.
    ///
    /// - Parameters:
    ///   - people: The number of users of Anlaka.
    ///   - rooms: The number of their rooms.
    init(_ programs: Programs, people: Int, rooms: Int, on server: PostgresServer) async throws {
        var passengers: [LivePassenger] = []
        for number in 0..<4 {
            passengers.append(try await .signIn(programs, number: number, train: Self.train, car: "2001"))
        }
        self.passengers = passengers
        worker = MOUPClient(programs.gateway.url)
        _ = try await worker.signIn(code: SandboxClient(programs.sandboxURL).googleCode("worker"))
        _ = try await worker.register("알바", as: "ROLE_WORKER").expect()

        let author = try await Self.join(programs, "글쓴이", device: device)
        let post: RequestBody = [
            "category": "맛집", "title": "국밥", "content": "골목 안", "longitude": 127.045, "latitude": 37.652, "files": [],
        ]
        try await waitUntil("community knows the author") {
            try await author.send(\.listLikedPosts).status == 200
        }
        self.post = try await author.send(\.createPost, body: post).json().text("post_id")
        var neighbours: [AnlakaClient] = []
        for number in 0..<people { neighbours.append(try await Self.join(programs, "이웃\(number)")) }
        self.neighbours = neighbours
        let tokens = neighbours.map(\.token)
        self.rooms = try await ChatDataset.rooms(rooms, batch: 0, ofTheNewest: tokens, on: server)
    }

    /// The user whose room it is.
    func writer(in place: ChatSockets.Place) -> AnlakaClient {
        neighbours.first { $0.token == place.token } ?? neighbours[0]
    }

    private static func join(_ programs: Programs, _ nick: String, device: String? = nil) async throws -> AnlakaClient {
        let client = AnlakaClient(programs.gateway.url, key: AppKey.anlaka)
        let email = "user-\(UInt64.random(in: 0 ... .max))@example.com"
        try await client.join(SeSACAccount(email: email, password: "bench2025!", nick: nick, device: device))
        return client
    }
}
