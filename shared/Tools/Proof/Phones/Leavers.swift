import AppClients
import Apps
import Contracts
import Values

/// A person of Anlaka who comments on a post, writes to a neighbour, and leaves the app for good. What was written stays,
/// with a writer who has left.
struct Leavers: Sendable {
    let phones: [Phone]
    private let client: AnlakaClient
    private let marker: String
    private let post: String
    private let room: String

    /// The names of people who leave, which are in their e-mail addresses, too.
    static let pattern = "gone[0-9]+x"

    /// - Parameter host: Who has the post, and stays.
    static func join(_ number: Int, in city: City) async throws -> Leavers {
        let marker = "gone\(number)x"
        let (host, _) = try await SeSACPeople.join(Anlaka.self, AppKey.anlaka, "host-\(number)", in: city)
        let (client, account) = try await SeSACPeople.join(Anlaka.self, AppKey.anlaka, marker, in: city)
        let post = try await SeSACPeople.post(ProofPeople.anlakaPost, by: host)
        let room = try await client.send(\.openChatRoom, body: ["opponent_id": .string(host.id)]).json().text("room_id")
        let renewal = Renewal.of(client, SeSACPeople.account(marker))
        let phone = Phone("leaver \(number)", of: account, in: city, renewal: renewal)
        return Leavers(phones: [phone], client: client, marker: marker, post: post, room: room)
    }

    private init(phones: [Phone], client: AnlakaClient, marker: String, post: String, room: String) {
        (self.phones, self.client, self.marker, self.post, self.room) = (phones, client, marker, post, room)
    }

    func play(_ number: Int, until end: Moment, _ random: SplitMix) async {
        var random = random
        let (phone, client, marker, post, room) = (phones[number], client, marker, post, room)
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            try? await Task.sleep(for: phone.habits.pause(&random))
            _ = await phone.attempt("community") { try await client.comment("안녕", on: post) }
            _ = await phone.attempt("chat") { try await client.write("안녕", in: room) }
        }
        guard phone.diary.now < end, !Task.isCancelled else { return }
        let answer = await phone.attempt("auth") { try await client.send(\.withdraw) }
        var end = answer.attempt
        // The gateway repeats a withdrawal of which the service has died, after it may have taken effect.
        if end.outcome.isRefused { end.outcome = .unknown("it may have been repeated") }
        phone.diary.note { [session = phone.session, end] pages in
            pages.leavers.append(Leaver(answer.attempt, markers: [marker]))
            pages.sessions.ends.append(SessionEnd(end, session: session, .withdrawal))
        }
        try? await Task.sleep(for: .seconds(2))
        await SignOuts.use(phone, client)
    }
}
