import Contracts
import FoundationEssentials
import TestKit
import Values

/// Rounds of Seoul Culture: an account pays for a post and claims the payment afterwards, or orders the post first.
extension Round {
    private enum Payment: String {
        case claimed, unclaimed, wrongAmount, wrongCurrency, wrongPost, rivals, sameCode, partlyCancelled, test, ordered
    }

    private static let payments: [(Payment, Int)] = [
        (.claimed, 34), (.unclaimed, 8), (.wrongAmount, 8), (.wrongCurrency, 5), (.wrongPost, 8), (.rivals, 10),
        (.sameCode, 6), (.partlyCancelled, 5), (.test, 4), (.ordered, 12),
    ]

    func purchase(_ random: inout SplitMix) async throws {
        let post = RoundGoods.post(number)
        let people = Array(RoundsPlan.accounts(of: .culture).shuffled(using: &random).prefix(2))
        let (buyer, rival) = (people[0], people[1])
        let kind = random.draw(Self.payments, or: .unclaimed)
        record.count("culture: \(kind.rawValue)")
        if kind == .ordered { return try await ordered(post, by: buyer, rival: rival, &random) }

        // The code as the app makes it: its key and a timestamp in seconds.
        let code = "ios_culture-key_\(1_600_000_000 + number)"
        let paid = try await pay(code, Double(RoundGoods.price(of: post)), kind, &random)
        var deeds: [Step] = []
        for (index, impUID) in paid.enumerated() {
            let isRight = [.claimed, .rivals, .sameCode, .unclaimed].contains(kind)
            let shown = kind == .unclaimed ? 0 : Int.random(in: 0...3, using: &random)
            for time in 0..<shown {
                let isRival = kind == .rivals && random.happens(50)
                let account = kind == .sameCode ? people[index] : isRival ? rival : buyer
                let (post, may) = kind == .wrongPost ? (wrongPost(&random), false) : (post, isRight)
                let key = random.happens(25) ? "validate-\(impUID)-\(account)-\(post)" : nil
                deeds.append {
                    await steps.validate(impUID, post: post, by: account, key: key, mayConfirm: may, at: number + time)
                }
            }
            deeds += webhooks(impUID, &random)
            if kind != .wrongCurrency { deeds += returns(impUID, RoundGoods.price(of: post), &random) }
        }
        await Self.perform(deeds, &random)
        for impUID in paid { await steps.sendWebhook(impUID, seed: random.next()) }
    }

    /// A post with another price, or an id that is no post.
    private func wrongPost(_ random: inout SplitMix) -> String {
        random.happens(50) ? RoundGoods.post(number + 1) : RoundGoods.listing(number)
    }

    /// - Returns: the payments' `imp_uid`s.
    private func pay(_ code: String, _ won: Double, _ kind: Payment, _ random: inout SplitMix) async throws -> [String]
    {
        switch kind {
        case .wrongAmount: return [try await steps.pay(code, won + 50)]
        case .wrongCurrency: return [try await steps.pay(code, won, currency: "USD")]
        case .test: return [try await steps.pay(code, won, isTest: true)]
        case .sameCode: return [try await steps.pay(code, won), try await steps.pay(code, won)]
        case .partlyCancelled:
            let impUID = try await steps.pay(code, won, status: "ready")
            try await steps.complete(impUID, cancelled: Int64.random(in: 1..<Int64(won), using: &random))
            return [impUID]
        case .claimed, .unclaimed, .wrongPost, .rivals, .ordered: return [try await steps.pay(code, won)]
        }
    }

    /// A newer client orders first, so that no other account can claim the payment.
    private func ordered(_ post: String, by buyer: AccountID, rival: AccountID, _ random: inout SplitMix) async throws {
        guard let order = await steps.order(post, of: .culture, by: buyer, key: nil, seed: random.next()) else {
            return record.count("round without an order")
        }
        let impUID = try await steps.pay(order.code, Double(order.amount))
        let isInTime = Date.now < order.heldUntil.addingTimeInterval(-1.5)
        if isInTime, random.happens(30) {
            record.count("paid in silence")
            return record.mustBeConfirmed(impUID)
        }
        let returns = returns(impUID, order.amount, &random)
        if returns.isEmpty, isInTime { record.mustBeConfirmed(impUID) }
        var deeds = webhooks(impUID, &random) + returns
        for time in 0..<Int.random(in: 0...3, using: &random) {
            let account = random.happens(70) ? buyer : rival
            deeds.append {
                await steps.validate(impUID, post: post, by: account, mayConfirm: account == buyer, at: number + time)
            }
        }
        await Self.perform(deeds, &random)
        await steps.sendWebhook(impUID, seed: random.next())
    }
}
