import AppClients
import Apps
import Contracts
import Synchronization
import Values

/// People of Anlaka and Seoul Culture who like a post, comment on it, and rename themselves.
struct Readers<Calls: SeSACCalls>: Sendable {
    let phones: [Phone]
    private let clients: [SeSACClient<Calls>]
    private let post: String
    private let app: String
    private let state = State()

    private final class State: Sendable {
        /// Comments of which a phone has the id, by reader.
        let comments = Mutex<[Int: [(text: String, id: String)]]>([:])
        let written = Atomic<Int>(0)
    }

    /// - Parameters:
    ///   - body: Of the post that all of them read.
    ///   - renewal: How the app renews its tokens.
    static func meet(
        _ number: Int,
        count: Int,
        of app: Calls.Type,
        _ key: String,
        post body: RequestBody,
        renewal: (SeSACClient<Calls>, SeSACAccount) -> Renewal,
        in city: City
    ) async throws -> Self {
        let name = "\(app)".lowercased()
        var (clients, phones): ([SeSACClient<Calls>], [Phone]) = ([], [])
        for reader in 0..<count {
            let own = "\(name)-\(number)-\(reader)"
            let (client, account) = try await SeSACPeople.join(app, key, own, in: city)
            clients.append(client)
            let renewal = renewal(client, SeSACPeople.account(own))
            phones.append(Phone("\(name) reader \(number)-\(reader)", of: account, in: city, renewal: renewal))
        }
        let post = try await SeSACPeople.post(body, by: clients[0])
        let readers = Self(
            phones: phones,
            clients: clients,
            post: post,
            app: name
        )
        let names = try await readers.names()
        city.diary.note { $0.writes.initial.merge(names) { $1 } }
        return readers
    }

    private init(phones: [Phone], clients: [SeSACClient<Calls>], post: String, app: String) {
        (self.phones, self.clients, self.post, self.app) = (phones, clients, post, app)
    }

    private var diary: Diary { phones[0].diary }

    /// The names with which people have signed up.
    private func names() async throws -> [String: String] {
        var names: [String: String] = [:]
        for (number, client) in clients.enumerated() {
            names[place(ofNickOf: number)] = try await client.send(\.getOwnProfile).json().text("nick")
        }
        return names
    }

    func play(_ number: Int, until end: Moment, _ random: SplitMix) async {
        var random = random
        let phone = phones[number]
        while diary.now < end, !Task.isCancelled {
            try? await Task.sleep(for: phone.habits.pause(&random))
            let cut = phone.habits.cut(&random)
            switch phone.habits.act(of: "reader", &random) {
            case "comment": await comment(number, cut)
            case "uncomment": await uncomment(number, cut, &random)
            case "like": await like(number, cut, true)
            case "unlike": await like(number, cut, false)
            case "rename": await rename(number, cut)
            case "search": await call(number, cut) { try await $0.send(\.listLikedPosts) }
            default: await read(number, cut)
            }
        }
    }

    private func call(
        _ number: Int,
        _ cut: Duration?,
        _ send: @escaping @Sendable (SeSACClient<Calls>) async throws -> ClientResponse
    ) async {
        let client = clients[number]
        _ = await phones[number].attempt("community", cut: cut) { try await send(client) }
    }

    private func note(_ attempt: Attempt, _ place: String, _ value: String?) {
        let write = Write(attempt, place, value)
        diary.note { $0.writes.writes.append(write) }
    }

    // MARK: Acts

    private func place(ofComment text: String) -> String { "comment \"\(text)\" of post \(post)" }
    private func place(ofLikeBy number: Int) -> String { "like of account \(phones[number].account) on post \(post)" }
    private func place(ofNickOf number: Int) -> String { "nickname of account \(phones[number].account)" }

    private func comment(_ number: Int, _ cut: Duration?) async {
        let text = "c\(state.written.wrappingAdd(1, ordering: .relaxed).newValue)-\(post.suffix(6))"
        let (client, post) = (clients[number], post)
        let answer = await phones[number].attempt("community", cut: cut) { try await client.comment(text, on: post) }
        note(answer.attempt, place(ofComment: text), "there")
        guard answer.attempt.outcome == .done, let response = answer.response else { return }
        guard let id = JSON(parsing: response.bytes)?["comment_id"]?.string else {
            return phones[number].surprise("could not read its comment", answer.attempt)
        }
        state.comments.withLock { $0[number, default: []].append((text, id)) }
    }

    private func uncomment(_ number: Int, _ cut: Duration?, _ random: inout SplitMix) async {
        guard let own = state.comments.withLock({ $0[number]?.randomElement(using: &random) }) else { return }
        let (client, post) = (clients[number], post)
        let answer = await phones[number].attempt("community", cut: cut) {
            try await client.send(\.deleteComment, post, own.id)
        }
        var attempt = answer.attempt
        // The app takes one that is not there for deleted. The gateway repeats a deletion whose service has died, so that it
        // may have been this one.
        if attempt.outcome.isRefused { attempt.outcome = .unknown("it was not there") }
        note(attempt, place(ofComment: own.text), nil)
    }

    private func like(_ number: Int, _ cut: Duration?, _ isLiked: Bool) async {
        let (client, post) = (clients[number], post)
        let answer = await phones[number].attempt("community", cut: cut) {
            try await client.send(\.setLike, post, body: ["like_status": .bool(isLiked)])
        }
        note(answer.attempt, place(ofLikeBy: number), isLiked ? "there" : nil)
    }

    private func rename(_ number: Int, _ cut: Duration?) async {
        let name = "n\(state.written.wrappingAdd(1, ordering: .relaxed).newValue)\(post.suffix(6))"
        let client = clients[number]
        let answer = await phones[number].attempt("auth", cut: cut) {
            try await client.send(\.updateOwnProfile, body: ["nick": .string(name)])
        }
        note(answer.attempt, place(ofNickOf: number), name)
    }

    // MARK: Readings

    private func read(_ number: Int, _ cut: Duration?) async {
        let (client, post) = (clients[number], post)
        let answer = await phones[number].attempt("community", cut: cut) { try await client.send(\.getPost, post) }
        guard answer.attempt.outcome == .done, let response = answer.response else { return }
        guard let body = JSON(parsing: response.bytes), let isLiked = isLiked(body, by: client.id) else {
            return phones[number].surprise("could not read a post", answer.attempt)
        }
        note(answer, place(ofLikeBy: number), isLiked ? "there" : nil)
    }

    /// Anlaka's posts say whether their reader likes them, and Seoul Culture's who does.
    private func isLiked(_ post: JSON, by reader: String) -> Bool? {
        if case .bool(let isLiked)? = post["is_like"] { return isLiked }
        return post["likes"].map { $0.elements.contains(.string(reader)) }
    }

    private func note(_ answer: Phone.Answer, _ place: String, _ value: String?) {
        let attempt = answer.attempt
        let reading = WriteReading(
            place,
            value,
            reader: attempt.phone,
            begun: attempt.begun,
            ended: attempt.ended ?? diary.now,
            trace: attempt.trace
        )
        diary.note { $0.writes.readings.append(reading) }
    }

    /// Reads likes and names at the end. Comments are read from the table, as the apps show only some.
    func finish() async {
        for number in phones.indices {
            await read(number, nil)
            let client = clients[number]
            let answer = await phones[number].attempt("auth") { try await client.send(\.getOwnProfile) }
            if let nick = answer.response.flatMap({ JSON(parsing: $0.bytes) })?["nick"]?.string {
                note(answer, place(ofNickOf: number), nick)
            }
        }
    }
}
