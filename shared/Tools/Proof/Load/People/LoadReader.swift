import AppClients
import Apps
import Synchronization
import Values

/// A person of Seoul Culture, who reads and likes posts and comments on them.
final class LoadReader: LoadPerson {
    let habits = "reader"
    private let client: CultureClient
    private let account: SeSACAccount
    private let post: String
    private let written = Atomic<Int>(0)

    private init(_ client: CultureClient, _ account: SeSACAccount, post: String) {
        (self.client, self.account, self.post) = (client, account, post)
    }

    /// Signs six people up, who read one post.
    static func meet(_ number: Int, in city: City) async throws -> [any LoadPerson] {
        var clients: [(CultureClient, SeSACAccount)] = []
        for person in 0..<6 {
            let name = "culture-load-\(number)-\(person)"
            let (client, _) = try await SeSACPeople.join(Culture.self, AppKey.culture, name, in: city)
            clients.append((client, SeSACPeople.account(name)))
        }
        let post = try await SeSACPeople.post(ProofPeople.culturePost, by: clients[0].0)
        return clients.map { LoadReader($0, $1, post: post) }
    }

    func next(_ name: String, _ random: inout SplitMix) async -> NextAct? {
        let (client, post) = (client, post)
        switch name {
        case "readHome":
            return NextAct(.readHome) { try await client.send(\.listPosts, query: "next=&limit=10&product_id=") }
        case "readPost": return NextAct(.readPost) { try await client.send(\.getPost, post) }
        case "comment":
            let text = "후기 \(written.wrappingAdd(1, ordering: .relaxed).newValue)"
            return NextAct(.comment) { try await client.comment(text, on: post) }
        case "like":
            let isLiked = Bool.random(using: &random)
            return NextAct(.like) { try await client.send(\.setLike, post, body: ["like_status": .bool(isLiked)]) }
        case "refresh": return NextAct(.refresh) { try await client.refresh(header: "Refresh") }
        case "signIn":
            let account = account
            return NextAct(.signIn) {
                let other = CultureClient(client.connection.gateway, key: AppKey.culture)
                let answer = try await other.signIn(account)
                client.connection.tokens = other.connection.tokens
                return answer
            }
        default: return NextAct(.readInbox) { try await client.send(\.listNotifications) }
        }
    }
}
