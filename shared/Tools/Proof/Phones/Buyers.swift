import AppClients
import Apps
import Contracts
import Synchronization
import Values

/// People of Anlaka who want the same few listings: they reserve them, pay at PortOne, and present their payments, also
/// wrong ones, twice, or never (Anlaka contract 6).
struct Buyers: Sendable {
    let phones: [Phone]
    let clients: [AnlakaClient]
    private let sandbox: SandboxClient
    let state = State()

    final class State: Sendable {
        let listings = Mutex<[String]>([])
        /// Orders of which a phone has the code, by buyer.
        let orders = Mutex<[Int: [String]]>([:])
        /// Payments of which a phone has the id.
        let payments = Mutex<[Int: [(order: String, id: String)]]>([:])
    }

    static let price: Int64 = 70_000

    /// A listing that can be reserved.
    static let listing: RequestBody = [
        "category": "원룸", "title": "예약할 수 있는 원룸", "introduction": "역에서 5분",
        "reservation_price": .integer(price), "thumbnails": [], "description": "남향", "deposit": 5_000_000,
        "monthly_rent": 450_000, "built_year": "2019-03-02", "maintenance_fee": 50_000, "area": 23.1,
        "parking_count": 0, "floors": 2, "is_safe_estate": true, "is_recommended": false, "options": ["sink": true],
        "longitude": 127.0454, "latitude": 37.6522,
    ]

    static func meet(_ number: Int, count: Int, in city: City) async throws -> Buyers {
        var (clients, phones): ([AnlakaClient], [Phone]) = ([], [])
        for buyer in 0..<count {
            let name = "buyer-\(number)-\(buyer)"
            let (client, account) = try await SeSACPeople.join(Anlaka.self, AppKey.anlaka, name, in: city)
            clients.append(client)
            let renewal = Renewal.of(client, SeSACPeople.account(name))
            phones.append(Phone("buyer \(number)-\(buyer)", of: account, in: city, renewal: renewal))
        }
        let buyers = Buyers(phones: phones, clients: clients, sandbox: city.sandbox)
        for _ in 0..<3 { try await buyers.offer() }
        return buyers
    }

    private init(phones: [Phone], clients: [AnlakaClient], sandbox: SandboxClient) {
        (self.phones, self.clients, self.sandbox) = (phones, clients, sandbox)
    }

    /// Puts a listing on the map.
    private func offer() async throws {
        guard await phones[0].isReady() else { return }
        let listing = try await clients[0].send(\.createEstate, body: Self.listing).json().text("estate_id")
        state.listings.withLock { $0.append(listing) }
    }

    func play(_ number: Int, until end: Moment, _ random: SplitMix) async {
        var random = random
        let phone = phones[number]
        while phone.diary.now < end, !Task.isCancelled {
            try? await Task.sleep(for: phone.habits.pause(&random))
            let cut = phone.habits.cut(&random)
            switch phone.habits.act(of: "buyer", &random) {
            case "order": await order(number, cut, &random)
            case "pay": await pay(number, &random)
            case "present": await present(number, cut, twice: phone.habits.isTappedTwice(&random), &random)
            case "cancel": await giveUp(number, cut, &random)
            case "look": await look(number, cut, &random)
            case "forge": await forge(number, &random)
            default: await list(number, cut)
            }
        }
    }

    // MARK: Acts

    private func order(_ number: Int, _ cut: Duration?, _ random: inout SplitMix) async {
        // Now and then there is another one to want.
        if Double.random(in: 0..<1, using: &random) < 0.2 { try? await offer() }
        guard let listing = state.listings.withLock({ $0.suffix(4).randomElement(using: &random) }) else { return }
        let client = clients[number]
        let answer = await phones[number].attempt("payments", cut: cut) {
            try await client.send(
                \.placeOrder,
                body: ["estate_id": .string(listing), "total_price": .integer(Self.price)]
            )
        }
        guard answer.attempt.outcome == .done, let response = answer.response else { return }
        guard let code = JSON(parsing: response.bytes)?["order_code"]?.string else {
            return phones[number].surprise("could not read its order", answer.attempt)
        }
        state.orders.withLock { $0[number, default: []].append(code) }
    }

    /// Pays at PortOne, mostly the price.
    private func pay(_ number: Int, _ random: inout SplitMix) async {
        guard let code = state.orders.withLock({ $0[number]?.suffix(3).randomElement(using: &random) }) else { return }
        let isWrong = Double.random(in: 0..<1, using: &random) < 0.1
        guard let id = try? await sandbox.pay(code, isWrong ? 1 : Self.price) else { return }
        state.payments.withLock { $0[number, default: []].append((code, id)) }
        phones[number].diary.note { $0.paid.append(id) }
    }

    private func present(_ number: Int, _ cut: Duration?, twice: Bool, _ random: inout SplitMix) async {
        guard let payment = state.payments.withLock({ $0[number]?.suffix(4).randomElement(using: &random) }) else {
            return
        }
        let (client, phone) = (clients[number], phones[number])
        for cut in twice ? [cut, nil] : [cut] {
            let answer = await phone.attempt("payments", cut: cut) { try await client.validate(payment.id) }
            let act = PurchaseAct(answer.attempt, order: payment.order)
            phone.diary.note { $0.purchases.append(act) }
        }
    }

    private func giveUp(_ number: Int, _ cut: Duration?, _ random: inout SplitMix) async {
        guard let code = state.orders.withLock({ $0[number]?.randomElement(using: &random) }) else { return }
        let client = clients[number]
        _ = await phones[number].attempt("payments", cut: cut) { try await client.send(\.cancelOrder, code) }
    }

    /// Looks at a listing, whose place is shown inexactly.
    private func look(_ number: Int, _ cut: Duration?, _ random: inout SplitMix) async {
        guard let listing = state.listings.withLock({ $0.randomElement(using: &random) }) else { return }
        let (client, phone) = (clients[number], phones[number])
        let answer = await phone.attempt("estate", cut: cut) { try await client.send(\.getEstate, listing) }
        guard answer.attempt.outcome == .done, let response = answer.response else { return }
        let place = JSON(parsing: response.bytes)?["geolocation"]
        guard let latitude = place?["latitude"]?.double, let longitude = place?["longitude"]?.double else {
            return phone.surprise("could not read a listing", answer.attempt)
        }
        let shown = ShownPosition(
            listing,
            to: phone.account,
            phone: phone.name,
            shown: Coordinate(latitude: latitude, longitude: longitude),
            screen: "the listing",
            at: answer.attempt.ended ?? phone.diary.now,
            trace: answer.attempt.trace
        )
        phone.diary.note { $0.positions.append(shown) }
    }

    /// Reads the list of paid orders.
    private func list(_ number: Int, _ cut: Duration?) async {
        let (client, phone) = (clients[number], phones[number])
        let answer = await phone.attempt("payments", cut: cut) { try await client.send(\.listOrders) }
        guard answer.attempt.outcome == .done, let response = answer.response else { return }
        guard let list = JSON(parsing: response.bytes)?["data"] else {
            return phone.surprise("could not read its orders", answer.attempt)
        }
        let shown = list.elements.compactMap { $0["order_code"]?.string }.map { ShownOrder(answer.attempt, order: $0) }
        phone.diary.note { $0.shownOrders += shown }
    }
}
