import TestKit
import Values

@testable import Auth

/// A phone, a tablet and a thief use the sessions of an account, while messages get lost, come late and twice, and
/// gateways and auth crash. `RefreshFamily` decides. A request reaches auth at most 30 seconds after it was sent.
struct SessionModel: SimulationModel {
    typealias Party = SessionParty
    typealias Message = SessionMessage

    /// A defect of auth or of a gateway.
    enum Defect: CaseIterable, Sendable {
        /// Every repetition is a theft.
        case knowsNoRepetition
        /// Calls that a gateway has refreshed the tokens for are reported as uses by the client.
        case takesForwardingForUse
        /// Whatever comes with the last but one token gets the last one.
        case forgivesReuse
        /// Uses are not recorded.
        case ignoresUses
    }

    let defect: Defect?
    /// Whether tokens of the phone are stolen.
    let hasThief: Bool
    /// Whether a phone may change its network while a request of it is under way. Auth takes the request for a theft if
    /// the phone has got the tokens at its new address and used them before.
    let roamsAnyTime: Bool

    var broken: BrokenPromise?
    private var auth = SessionAuthority()
    private var gateways = [SessionGateway(), SessionGateway()]
    private var clients: [SessionClient.Name: SessionClient] = [:]
    /// Number of thefts.
    private(set) var thefts = 0

    let settlingTime: Int64 = 5_000_000

    init(defect: Defect? = nil, hasThief: Bool, roamsAnyTime: Bool = false) {
        self.defect = defect
        self.hasThief = hasThief
        self.roamsAnyTime = roamsAnyTime
        for name in SessionClient.Name.allCases {
            clients[name] = SessionClient(name)
            if name != .thief { clients[name]?.tokens = auth.open(at: 0) }
        }
    }

    /// Number of sessions that have ended.
    var ends: Int { auth.endedCount }

    // MARK: From outside

    func next(using random: inout SplitMix) -> (pause: Int64, happening: Happening<Self>.Kind) {
        let pause: Int64 = [200, 3_000, 20_000, 100_000, 950_000].randomElement(using: &random) ?? 0
        let client = SessionClient.Name.allCases.randomElement(using: &random) ?? .phone
        let fault = Fault.random(
            on: Self.links,
            of: Self.fallible,
            longest: roamsAnyTime ? 14_000 : 6_000,
            using: &random
        )
        if let fault, Int.random(in: 0..<3, using: &random) == 0 { return (pause, .fault(fault)) }
        let input: SessionInput =
            switch Int.random(in: 0..<14, using: &random) {
            case 5...8 where roamsAnyTime: .roam(.phone)
            case 0...1: .roam(client == .thief ? .phone : client)
            case 2 where hasThief: .steal
            case 3...4: .actTwice(client)
            default: .act(client)
            }
        return (pause, .input(input))
    }

    private static let fallible: [Party] = [.client(.phone), .client(.tablet), .gateway(0), .gateway(1), .auth]

    private static let links: [(Party, Party)] = [0, 1].flatMap { number -> [(Party, Party)] in
        let others: [Party] = [.auth] + SessionClient.Name.allCases.map { .client($0) }
        return others.flatMap { [(.gateway(number), $0), ($0, .gateway(number))] }
    }

    mutating func handle(_ input: SessionInput, _ effects: inout Effects<Self>) {
        switch input {
        case .act(let name): act(name, &effects)
        case .actTwice(let name):
            act(name, &effects)
            act(name, &effects)
        case .roam(let name):
            // A request that is under way keeps its address; afterwards none comes from there.
            guard let client = clients[name], roamsAnyTime || effects.now - client.lastRefresh > 60_000 else { return }
            let address = "198.51.100.\(Int.random(in: 0..<200, using: &effects.random))"
            clients[name]?.origin.address = address
            effects.note("has the address \(address)")
        case .steal:
            guard hasThief, let tokens = clients[.phone]?.tokens, !auth.isStolen(tokens.session) else { return }
            clients[.thief]?.tokens = tokens
            auth.steal(tokens.session)
            thefts += 1
        }
    }

    private mutating func act(_ name: SessionClient.Name, _ effects: inout Effects<Self>) {
        if clients[name]?.tokens == nil, name != .thief {
            clients[name]?.tokens = auth.open(at: effects.now)
            effects.note("signs in again")
        }
        let isSilent = Bool.random(using: &effects.random)
        guard let request = clients[name]?.request(at: effects.now, isSilent: isSilent) else { return }
        let gateway = Party.gateway(Int.random(in: 0...1, using: &effects.random))
        effects.send(.request(request), from: .client(name), to: gateway)
        effects.wake(.client(name), after: 15_000, for: .timeout(request.number))
    }

    func isRoutine(_ message: Message) -> Bool {
        switch message {
        case .answer(_, .done), .usesRecorded: true
        case .request, .answer, .uses: false
        }
    }

    // MARK: Steps

    mutating func receive(_ message: Message, at party: Party, from sender: Party, _ effects: inout Effects<Self>) {
        switch (party, message) {
        case (.client(let name), .answer(let request, let answer)):
            let goesOn = clients[name]?.receive(answer, to: request) ?? false
            if goesOn { act(name, &effects) }
        case (.gateway(let number), .request(let request)):
            gateways[number].receive(request, party, &effects)
        case (.gateway(let number), .answer(let request, let answer)):
            gateways[number].receive(answer, to: request, party, defect, &effects)
        case (.gateway(let number), .usesRecorded(let uses)):
            gateways[number].forget(uses)
        case (.auth, .request(let request)):
            let (answer, broken) = auth.refresh(request, defect, &effects)
            self.broken = self.broken ?? broken
            effects.send(.answer(request, answer), from: .auth, to: sender)
        case (.auth, .uses(let uses)):
            auth.record(uses, defect)
            effects.send(.usesRecorded(uses), from: .auth, to: sender)
        default: break
        }
    }

    mutating func wake(_ party: Party, for timer: SessionTimer, _ effects: inout Effects<Self>) {
        switch (party, timer) {
        case (.client(let name), .timeout(let number)):
            let triesAgain = clients[name]?.timeout(number) ?? false
            if triesAgain { act(name, &effects) }
        case (.client(let name), .act): act(name, &effects)
        case (.gateway(let number), .report): gateways[number].report(party, &effects)
        default: break
        }
    }

    mutating func crash(_ party: Party) {
        switch party {
        case .client(let name): clients[name]?.crash()
        case .gateway(let number): gateways[number] = SessionGateway()
        // It keeps all in its database.
        case .auth: break
        }
    }

    mutating func restart(_ party: Party, _ effects: inout Effects<Self>) {}

    // MARK: End

    /// The tablet is used, and then the phone and the thief in turn, each time after their access tokens have expired.
    mutating func settle(_ effects: inout Effects<Self>) {
        effects.wake(.client(.tablet), after: 1_000_000, for: .act)
        for round in 1...3 as ClosedRange<Int64> {
            effects.wake(.client(.phone), after: round * 1_100_000, for: .act)
            effects.wake(.client(.thief), after: round * 1_100_000 + 300_000, for: .act)
        }
    }

    func brokenAtEnd() -> BrokenPromise? {
        guard let session = clients[.phone]?.tokens?.session, auth.isStolen(session), !auth.hasEnded(session) else {
            return nil
        }
        return BrokenPromise("a theft is noticed", "the session of the phone goes on")
    }
}
