import FoundationEssentials
import TestKit
import Values

@testable import Payments

/// Users order and pay at PortOne, whose answers and webhooks come late, twice or never, to two copies of the service that
/// crash. `PaymentChanges`, `Payment`, `Balance`, `PaymentVerification`, `Order` and `Refund` decide.
struct SettlementModel: SimulationModel {
    typealias Party = SettlementParty
    typealias Message = SettlementMessage

    enum Defect: CaseIterable, Sendable {
        /// Refunds are requested without the amount that PortOne should still hold.
        case omitsChecksum
        /// Orders expire in time, whether or not PortOne has said that they are not paid.
        case expiresUnasked
        /// An order is paid by every payment.
        case ignoresOtherPayments
        /// A refund is done when it is requested.
        case finishesEarly
    }

    let defect: Defect?
    var broken: BrokenPromise?
    private(set) var books: SettlementBooks
    private(set) var portOne = SimulatedPortOne()
    private var servers = [SettlementServer(), SettlementServer()]
    private var givenUp: Set<String> = []

    let settlingTime: Int64 = 5_000_000

    init(defect: Defect? = nil) {
        self.defect = defect
        books = SettlementBooks(defect: defect)
    }

    static func date(_ milliseconds: Int64) -> Date {
        Date(timeIntervalSince1970: 1_800_000_000 + Double(milliseconds) / 1_000)
    }

    // MARK: From outside

    func next(using random: inout SplitMix) -> (pause: Int64, happening: Happening<Self>.Kind) {
        let pause: Int64 = [0, 20, 500, 5_000, 60_000].randomElement(using: &random) ?? 0
        let fault = Fault.random(on: Self.links, of: [.server(0), .server(1)], longest: 120_000, using: &random)
        if let fault, Bool.random(using: &random) { return (pause, .fault(fault)) }
        let place = Int.random(in: 0..<4, using: &random)
        let percent: Int64 = [10, 30, 100].randomElement(using: &random) ?? 100
        let input: SettlementInput =
            switch Int.random(in: 0..<24, using: &random) {
            case 0...2: .order
            case 3...12: .pay(order: place, amount: SettlementBooks.price)
            case 13: .pay(order: place, amount: 1)
            case 14: .failToPay(order: place)
            case 15...18: .report(payment: place)
            case 19: .giveUp(order: place)
            case 20...22: .refund(payment: place, percent: percent)
            default: .cancelAtConsole(payment: place, percent: percent)
            }
        return (pause, .input(input))
    }

    private static let links: [(Party, Party)] = [0, 1].flatMap { number -> [(Party, Party)] in
        [(.server(number), .portOne), (.portOne, .server(number)), (.user, .server(number))]
    }

    mutating func begin(_ effects: inout Effects<Self>) {
        for number in servers.indices { restart(.server(number), &effects) }
    }

    mutating func handle(_ input: SettlementInput, _ effects: inout Effects<Self>) {
        let now = Self.date(effects.now)
        let server = Party.server(Int.random(in: 0...1, using: &effects.random))
        switch input {
        case .order: books.order(at: now)
        case .pay(let place, let amount): pay(place, amount, true, &effects)
        case .failToPay(let place): pay(place, SettlementBooks.price, false, &effects)
        case .report(let place):
            if let impUID = payment(place) { effects.send(.report(impUID), from: .user, to: server) }
        case .giveUp(let place):
            guard let order = order(place), order.state == .open else { return }
            givenUp.insert(order.code)
            check(order.code, givingUp: true, server, &effects)
        case .refund(let place, let percent):
            guard let impUID = payment(place) else { return }
            broken = books.refund(impUID, percent: percent, at: now, &effects)
            startRefunds(server, &effects)
        case .cancelAtConsole(let place, let percent):
            guard let impUID = payment(place), let paid = portOne.rows[impUID]?.report.paid else { return }
            let isDone = portOne.cancel(impUID, paid * percent / 100, checksum: nil, atConsole: true)
            if isDone { notify(of: impUID, &effects) }
        }
    }

    /// An order, counted from the last.
    private func order(_ place: Int) -> Order? {
        books.orders.indices.contains(books.orders.count - 1 - place)
            ? books.orders[books.orders.count - 1 - place].order : nil
    }

    private func payment(_ place: Int) -> ImpUID? {
        portOne.list.indices.contains(portOne.list.count - 1 - place)
            ? portOne.list[portOne.list.count - 1 - place] : nil
    }

    private mutating func pay(_ place: Int, _ amount: Int64, _ succeeds: Bool, _ effects: inout Effects<Self>) {
        let now = Self.date(effects.now)
        guard let order = order(place) else { return }
        guard let impUID = portOne.pay(order.code, amount, at: now, succeeds: succeeds) else { return }
        effects.note("\(impUID) for \(order.code)")
        notify(of: impUID, &effects)
    }

    private func notify(of impUID: ImpUID, _ effects: inout Effects<Self>) {
        effects.send(.webhook(impUID), from: .portOne, to: .server(Int.random(in: 0...1, using: &effects.random)))
    }

    // MARK: Steps

    mutating func receive(_ message: Message, at party: Party, from sender: Party, _ effects: inout Effects<Self>) {
        switch (party, message) {
        case (.portOne, .ask(.cancel(let impUID, let amount, let checksum), let number)):
            let isDone = portOne.cancel(impUID, amount, checksum: checksum)
            if isDone { broken = SettlementPromises.refunds(of: impUID, books, portOne) }
            let reports = isDone ? portOne.answer(.payment(impUID)) : []
            effects.send(.answer(reports, number: number), from: .portOne, to: sender)
        case (.portOne, .ask(let request, let number)):
            effects.send(.answer(portOne.answer(request), number: number), from: .portOne, to: sender)
        case (.server(let number), .report(let impUID)), (.server(let number), .webhook(let impUID)):
            servers[number].start(.report(impUID), .payment(impUID), party, &effects)
        case (.server(let server), .answer(let reports, let number)):
            guard let work = servers[server].end(number) else { return }
            finish(work, with: reports, party, &effects)
        default: break
        }
    }

    mutating func wake(_ party: Party, for timer: SettlementTimer, _ effects: inout Effects<Self>) {
        guard case .server(let server) = party else { return }
        switch timer {
        case .jobs:
            effects.wake(party, after: 5_000, for: .jobs)
            for order in books.takeDueOrders(at: Self.date(effects.now)) {
                check(order.code, givingUp: false, party, &effects)
            }
            startRefunds(party, &effects)
        case .timeout(let number):
            switch servers[server].end(number) {
            case .refund(let refund), .cancel(let refund): putOff(refund, &effects)
            case .check(let code, let askedAt, _) where defect == .expiresUnasked:
                books.checked(code, askedAt: askedAt, givingUp: false, at: Self.date(effects.now))
            case .report, .check, nil: break
            }
        case .reconciliation:
            // As `Reconciliation.compare`, whose pages of PortOne's payments are not simulated.
            for impUID in SettlementPromises.differing(books, portOne) {
                servers[server].start(.report(impUID), .payment(impUID), party, &effects)
            }
        }
    }

    private mutating func startRefunds(_ party: Party, _ effects: inout Effects<Self>) {
        guard case .server(let server) = party else { return }
        for refund in books.takeDueRefunds(at: Self.date(effects.now)) {
            servers[server].start(.refund(refund), .payment(refund.impUID), party, &effects)
        }
    }

    private mutating func check(_ code: String, givingUp: Bool, _ party: Party, _ effects: inout Effects<Self>) {
        guard case .server(let server) = party else { return }
        let work = SettlementServer.Work.check(code: code, askedAt: Self.date(effects.now), givingUp: givingUp)
        servers[server].start(work, .payments(code: code), party, &effects)
    }

    private mutating func finish(
        _ work: SettlementServer.Work,
        with reports: [PaymentReport],
        _ party: Party,
        _ effects: inout Effects<Self>
    ) {
        let now = Self.date(effects.now)
        for report in reports { broken = broken ?? books.settle(report, at: now, &effects) }
        switch work {
        case .report: startRefunds(party, &effects)
        case .check(let code, let askedAt, let givingUp):
            books.checked(code, askedAt: askedAt, givingUp: givingUp, at: now)
        case .refund(let refund):
            guard case .server(let server) = party, let report = reports.first else { return putOff(refund, &effects) }
            let due = books.payments[refund.impUID]?.payment.balance.due ?? 0
            guard let amount = refund.amount(of: due) else { return books.finish(refund) }
            let checksum = defect == .omitsChecksum ? nil : report.held.amount
            let request = PortOneRequest.cancel(refund.impUID, amount: amount, checksum: checksum)
            servers[server].start(.cancel(refund), request, party, &effects)
            if defect == .finishesEarly { books.finish(refund) }
        case .cancel(let refund):
            if reports.isEmpty { putOff(refund, &effects) } else { books.finish(refund) }
        }
    }

    private mutating func putOff(_ refund: Refund, _ effects: inout Effects<Self>) {
        let pause = refund.pause * Double.random(in: 0.75...1.25, using: &effects.random)
        books.putOff(refund, until: Self.date(effects.now) + pause)
    }

    mutating func crash(_ party: Party) {
        if case .server(let number) = party { servers[number].crash() }
    }

    mutating func restart(_ party: Party, _ effects: inout Effects<Self>) {
        effects.wake(party, after: Int64.random(in: 0..<5_000, using: &effects.random), for: .jobs)
    }

    mutating func settle(_ effects: inout Effects<Self>) {
        for time in [1_200_000, 2_400_000, 3_600_000] as [Int64] {
            effects.wake(.server(0), after: time, for: .reconciliation)
        }
    }

    func isRoutine(_ message: Message) -> Bool {
        switch message {
        case .ask(.payment, _), .ask(.payments, _), .answer: true
        case .ask(.cancel, _), .report, .webhook: false
        }
    }

    func brokenAtEnd() -> BrokenPromise? {
        SettlementPromises.atEnd(books, portOne, givenUp: givenUp)
    }
}
