import Contracts
import FoundationEssentials
import TestKit
import Values

/// Rounds of Anlaka: one account or several concurrent ones reserve a listing.
extension Round {
    private enum Payment: String {
        case right, wrongAmount, wrongCurrency, failed, readyThenPaid, twice, late, partlyCancelled, test, never
    }

    private static let payments: [(Payment, Int)] = [
        (.right, 34), (.wrongAmount, 6), (.wrongCurrency, 4), (.failed, 6), (.readyThenPaid, 10), (.twice, 10),
        (.late, 5), (.partlyCancelled, 6), (.test, 4), (.never, 6),
    ]

    func reservation(_ random: inout SplitMix) async throws {
        let listing = RoundGoods.listing(number)
        let people = Array(RoundsPlan.accounts(of: .anlaka).shuffled(using: &random).prefix(random.happens(25) ? 4 : 1))
        let asks = people.map { account in
            (account: account, key: random.happens(30) ? "order-\(number)-\(account)" : nil, seed: random.next())
        }
        let orders: [RoundSteps.Ordered] = await withTaskGroup(of: RoundSteps.Ordered?.self) { group in
            for (account, key, seed) in asks {
                group.addTask { await steps.order(listing, of: .anlaka, by: account, key: key, seed: seed) }
            }
            return await group.reduce(into: []) { orders, order in if let order { orders.append(order) } }
        }
        if orders.isEmpty { record.count("round without an order") }
        for order in orders { try await settle(order, &random) }
    }

    private func settle(_ order: RoundSteps.Ordered, _ random: inout SplitMix) async throws {
        guard order.amount == RoundGoods.price(of: order.subject) else {
            return record.defect("\(order.code) costs \(order.amount)")
        }
        let kind = random.draw(Self.payments, or: .never)
        record.count("paid: \(kind.rawValue)")
        let givesUp = random.happens(8)
        await Self.pause(upTo: 500, &random)
        let paid = try await pay(order, kind, &random)
        let isInTime = Date.now < order.heldUntil.addingTimeInterval(-1.5)
        let isRight = [.right, .readyThenPaid, .twice, .late].contains(kind)
        if givesUp, random.happens(50) { await steps.giveUp(order, at: number) }

        // The app was closed right after the payment: it does not validate, and no webhook arrives.
        if ![.late, .twice, .never].contains(kind), isInTime, !givesUp, random.happens(25) {
            record.count("paid in silence")
            if isRight { paid.forEach(record.mustBeConfirmed) }
            return
        }
        var (deeds, afterwards): ([Step], [Step]) = ([], [])
        var isTouched = false
        for impUID in paid {
            deeds += validations(impUID, order, mayConfirm: isRight, &random)
            deeds += webhooks(impUID, &random)
            let returns = kind == .wrongCurrency ? [] : returns(impUID, order.amount, &random)
            isTouched = isTouched || !returns.isEmpty
            if random.happens(50) { deeds += returns } else { afterwards += returns }
        }
        if givesUp { deeds.append { await steps.giveUp(order, at: number + 1) } }
        if paid.count == 1, isRight, kind != .late, isInTime, !givesUp, !isTouched {
            paid.forEach(record.mustBeConfirmed)
        }
        await Self.perform(deeds, &random)
        for impUID in paid { await steps.sendWebhook(impUID, seed: random.next()) }
        await Self.pause(upTo: 500, &random)
        await Self.perform(afterwards, &random)
    }

    /// - Returns: the payments' `imp_uid`s.
    private func pay(_ order: RoundSteps.Ordered, _ kind: Payment, _ random: inout SplitMix) async throws -> [String] {
        let (code, won) = (order.code, Double(order.amount))
        switch kind {
        case .never: return []
        case .right: return [try await steps.pay(code, won)]
        case .wrongAmount: return [try await steps.pay(code, won - Double(Int.random(in: 1...900, using: &random)))]
        case .wrongCurrency: return [try await steps.pay(code, won / 100, currency: "USD")]
        case .failed: return [try await steps.pay(code, won, status: "failed")]
        case .test: return [try await steps.pay(code, won, isTest: true)]
        case .twice: return [try await steps.pay(code, won), try await steps.pay(code, won)]
        case .late:
            let left = max(0, order.heldUntil.timeIntervalSinceNow) + Double.random(in: 0.1...1.5, using: &random)
            try await Task.sleep(for: .seconds(left))
            return [try await steps.pay(code, won)]
        case .readyThenPaid, .partlyCancelled:
            let impUID = try await steps.pay(code, won, status: "ready")
            if random.happens(60) { await steps.validate(impUID, by: order.account, mayConfirm: false, at: number) }
            let part = kind == .partlyCancelled ? Int64.random(in: 1..<order.amount, using: &random) : nil
            try await steps.complete(impUID, cancelled: part)
            return [impUID]
        }
    }

    private func validations(
        _ impUID: String,
        _ order: RoundSteps.Ordered,
        mayConfirm: Bool,
        _ random: inout SplitMix
    ) -> [Step] {
        (0..<Int.random(in: 0...3, using: &random)).map { time in
            let isOwner = random.happens(75)
            let stranger = RoundsPlan.accounts(of: .anlaka).filter { $0 != order.account }.randomElement(using: &random)
            let account = isOwner ? order.account : stranger ?? order.account
            let key = random.happens(25) ? "validate-\(impUID)-\(account)" : nil
            let may = mayConfirm && account == order.account
            return { await steps.validate(impUID, by: account, key: key, mayConfirm: may, at: number + time) }
        }
    }
}
