import AppClients
import Apps
import Contracts
import Postgres
import TestKit
import Testing

/// What a test of two passengers gets: A sits on the seat.
typealias ExchangeTest =
    @Sendable (_ a: SeatCatcherClient, _ b: SeatCatcherClient, _ seat: SeatID, Platform) async throws -> Void

extension Platform {
    /// Records what an app could not read.
    static let observer: ClientObserver = { event in
        if case .fault(let error) = event { Issue.record(error) }
    }

    var outside: SandboxClient { SandboxClient(sandbox) }

    /// Clients of apps with a key, before the sign-in.
    var anlaka: AnlakaClient { AnlakaClient(gateway, key: AppKey.anlaka, observer: Self.observer) }
    var culture: CultureClient { CultureClient(gateway, key: AppKey.culture, observer: Self.observer) }

    /// Sends a request without a key and without a token.
    func send(
        _ method: Operation.Method,
        _ path: String,
        headers: [String: String] = [:],
        body: RequestBody? = nil
    ) async throws -> ClientResponse {
        try await HTTPTransport(gateway).send(method, path, headers: headers, body: body)
    }

    /// Makes the next calls to a provider fail.
    func fault(_ provider: String, count: Int64, status: Int64 = 503) async throws {
        let fault: RequestBody = [
            "provider": "\(provider)", "kind": "http", "status": .integer(status), "count": .integer(count),
        ]
        try await outside.post("faults", fault).expect(204)
    }

    /// Returns as soon as a condition holds.
    func eventually(_ holds: () async throws -> Bool) async throws {
        try await waitUntil("the test goes on", every: .milliseconds(20), atMost: .seconds(3600), holds)
    }

    /// Whether all services have erased an account's data.
    func hasLeft(_ account: AccountID) async throws -> Bool {
        try await authDatabase.client.one(
            "SELECT finished_at IS NOT NULL FROM withdrawals WHERE account_id = \(account)"
        ) { try $0.decode(Bool.self) }
    }
}

// MARK: - SeatCatcher

extension Platform {
    /// Signs a SeatCatcher user in, without a socket.
    ///
    /// - Parameter device: the FCM token; empty when the app has none.
    func signIn(kakao id: Int64, device: String = "") async throws -> SeatCatcherClient {
        let client = SeatCatcherClient(gateway, observer: Self.observer)
        try await client.signIn(kakao: outside.kakaoToken(id), device: device)
        return client
    }

    @discardableResult
    func seatCatcherSocket(token: String) async throws -> SeatCatcherSocket {
        try await SeatCatcherSocket(gateway, token: token, observer: Self.observer)
    }
}

extension SeatCatcherClient {
    /// A passenger who is signed in and connected.
    convenience init(_ platform: Platform, kakao id: Int64, device: String = "") async throws {
        self.init(platform.gateway, observer: Platform.observer)
        try await signIn(kakao: platform.outside.kakaoToken(id), device: device)
        try await profile()
        try await connect()
    }

    /// Takes a train, and opens a car.
    func board(_ train: String, car: String = "2429") async throws {
        try await startJourney(train, from: 32, to: 35)
        try await look(train, car: car)
    }

    /// Gets the next pair of tokens.
    func refresh(_ token: String) async throws -> ClientResponse {
        try await send(\.refreshTokens, body: ["refreshToken": "\(token)"])
    }
}

// MARK: - Anlaka and Seoul Culture

extension SeSACClient {
    private init(_ client: Self, _ account: SeSACAccount) async throws {
        self = client
        try await join(account)
        try await signIn(account)
    }
}

extension SeSACClient where Calls == Anlaka {
    /// A user who has just joined.
    ///
    /// - Parameter device: the FCM token; nil for none.
    init(_ platform: Platform, _ email: String, nick: String, device: String? = nil) async throws {
        let account = SeSACAccount(email: email, password: "abcd123!", nick: nick, device: device)
        try await self.init(platform.anlaka, account)
    }

    /// Another client of a user who has joined.
    init(
        _ platform: Platform,
        signingIn email: String,
        device: String? = nil,
        headers: [String: String] = [:]
    ) async throws {
        self = platform.anlaka
        try await signIn(SeSACAccount(email: email, password: "abcd123!", device: device), headers: headers)
    }
}

extension SeSACClient where Calls == Culture {
    /// A user who has just joined.
    init(_ platform: Platform, _ email: String, nick: String) async throws {
        let account = SeSACAccount(email: email, password: "abcd123!", nick: nick)
        try await self.init(platform.culture, account)
    }
}

extension Platform {
    /// The account id of a user, which the app never sees.
    func account<Calls>(of client: SeSACClient<Calls>) async throws -> AccountID {
        try await authDatabase.client.one("SELECT id FROM accounts WHERE public_id = \(client.id)") {
            try $0.decode(AccountID.self)
        }
    }

    /// PortOne's webhook calls the gateway, several times at once.
    ///
    /// - Returns: the status of each call.
    func sendWebhook(of impUID: String, times: Int64 = 1) async throws -> [JSON] {
        try await outside.post("payments/\(impUID)/webhook", ["times": .integer(times)]).json()["statuses"]?.elements
            ?? []
    }
}

// MARK: - MOUP

extension MOUPClient {
    /// A registered user.
    ///
    /// - Parameters:
    ///   - subject: the user's `sub` at Google.
    ///   - device: the FCM token; empty when the app has none.
    init(_ platform: Platform, subject: Int, nickname: String, role: String, device: String = "") async throws {
        self.init(platform.gateway, observer: Platform.observer)
        let code = try await platform.outside.googleCode("\(subject)", name: "구글")
        if try await signIn(code: code, device: device).status == 201 {
            try await register(nickname, as: role).expect()
        }
        try await profile()
    }

    /// Joins a workplace that the owner opens, and is accepted.
    func work(for owner: MOUPClient) async throws -> (workplace: WorkplaceID, worker: WorkerID) {
        let workplace = try await owner.openWorkplace()
        let code = try await owner.inviteCode(workplace)
        try await send(\.getWorkplaceByInviteCode, code.lowercased()).expect()
        let id = try await join(code)
        try await send(\.listWorkplaceShifts, workplace, query: "baseYearMonth=2025-11").expect(403)
        try await owner.send(\.acceptWorker, workplace, id).expect(204)
        return (workplace, id)
    }
}

// MARK: - With Suhyeon

extension WithSuhyeonClient {
    /// A user who has signed up with Kakao and a verified phone number, and in.
    init(
        _ platform: Platform,
        kakao id: Int64,
        number: String,
        nickname: String,
        region: String = "강릉"
    ) async throws {
        self.init(platform.gateway, observer: Platform.observer)
        let userID = try await signIn(kakao: platform.outside.kakaoToken(id)).number("userId")
        try await sendCode(number)
        try await verify(number, code: platform.outside.verificationCode(number))
        try await signUp(
            Form(number: number, nickname: nickname, image: "img_red_suma", region: region),
            userID: userID
        )
        try await signIn(number)
    }

    /// Publishes a picture in the gallery.
    @discardableResult
    func publish(_ picture: [UInt8], category: String, title: String) async throws -> JSON {
        let request: JSON = ["category": "\(category)", "title": "\(title)", "content": ""]
        let form = MultipartForm().file("image", picture, filename: "image.jpg")
            .file("createGalleryRequest", Array(request.description.utf8), type: "application/json")
        return try await send(\.createGalleryPicture, body: .form(form)).result()
    }
}

extension Platform {
    /// A companion post, from the sides of its author and of a guest.
    func withSuhyeonChat() async throws -> (author: WithSuhyeonChat, guest: WithSuhyeonChat) {
        let author = try await WithSuhyeonClient(self, kakao: 11, number: "01011110000", nickname: "하루")
        let guest = try await WithSuhyeonClient(self, kakao: 12, number: "01022220000", nickname: "나무")
        try await author.send(\.createPost, body: WithSuhyeonCommunityJourneyTests.post).result()
        let posts = try await guest.send(\.listPosts, query: "region=&date=").result()["posts"]
        let post = try #require(posts?[0]).number("postId")
        return (WithSuhyeonChat(author, about: post), WithSuhyeonChat(guest, about: post))
    }
}
