import AppClients
import Apps
import Values

/// A person of With Suhyeon, who looks for a companion.
struct LoadTraveller: LoadPerson {
    let habits = "traveller"
    private let client: WithSuhyeonClient
    private let post: Int64

    private init(_ client: WithSuhyeonClient, post: Int64) { (self.client, self.post) = (client, post) }

    /// Signs four people up, one of whom looks for a companion.
    static func meet(_ number: Int, in city: City) async throws -> [any LoadPerson] {
        var clients: [WithSuhyeonClient] = []
        for person in 0..<4 {
            let id = number * 10 + person
            clients.append(
                try await WithSuhyeonPeople.join(
                    7_000_000 + Int64(id),
                    number: "010\(20_000_000 + id)",
                    nickname: "여행\(id)",
                    in: city
                )
            )
        }
        let post = try await WithSuhyeonPeople.post("동행 \(number)", by: clients[0])
        return clients.map { LoadTraveller($0, post: post) }
    }

    func next(_ name: String, _ random: inout SplitMix) async -> NextAct? {
        let (client, post) = (client, post)
        switch name {
        case "readHome":
            if Bool.random(using: &random) {
                return NextAct(.readHome) { try await client.send(\.listPosts, query: "region=&date=") }
            }
            return NextAct(.readHome) { try await client.send(\.getHome) }
        case "readPost": return NextAct(.readPost) { try await client.send(\.getPost, post) }
        case "readRoom": return NextAct(.readRoom) { try await client.send(\.listChatRooms) }
        default: return NextAct(.readInbox) { try await client.send(\.listNotifications) }
        }
    }
}
