import FoundationEssentials
import TestKit
import Values

@testable import Seats

/// A step of passengers who try to make credit, in the terms of `CreditModel`.
enum CreditStep {
    case sit(Int, seat: Int)
    case leave(Int)
    case start(Int, train: Int)
    case end(Int)
    case request(Int, seat: Int, Int64)
    case cancel(Int, seat: Int)
    case accept(Int, seat: Int, requester: Int)
    case reject(Int, seat: Int, requester: Int)
    case unlock(Int)
    case pass(seconds: TimeInterval)
    case endDay

    /// A random step, half of the time one that the state permits.
    static func random(in model: CreditModel, _ random: inout SplitMix) -> CreditStep {
        let passenger = Int.random(in: model.passengers.indices, using: &random)
        let seat = Int.random(in: model.trains.indices, using: &random)
        let known = model.requests.randomElement(using: &random)
        let (wanted, requester) = Bool.random(using: &random) ? (known?.seat, known?.requester) : (nil, nil)
        let owner = wanted.flatMap { model.occupancies[$0]?.passenger } ?? passenger
        let other = requester ?? Int.random(in: model.passengers.indices, using: &random)
        switch Int.random(in: 0..<40, using: &random) {
        case 0..<12: return .sit(passenger, seat: seat)
        case 12..<16: return .leave(passenger)
        case 16..<19: return .start(passenger, train: model.trains[seat])
        case 19..<21: return .end(passenger)
        case 21..<26:
            let taken = model.occupancies.indices.filter { model.occupancies[$0] != nil }
            let most = max(1, model.passengers[passenger].credit)
            let amount = Int64.random(in: 0...most, using: &random)
            return .request(passenger, seat: taken.randomElement(using: &random) ?? seat, amount)
        case 26..<28: return .cancel(requester ?? passenger, seat: wanted ?? seat)
        case 28..<33: return .accept(owner, seat: wanted ?? seat, requester: other)
        case 33..<34: return .reject(owner, seat: wanted ?? seat, requester: other)
        case 34..<36: return .unlock(passenger)
        // No sum of these is near one of the policy's times (300 s and 180 s), so that what a step itself takes decides nothing.
        case 36..<39: return .pass(seconds: [110, 400].randomElement(using: &random) ?? 110)
        default: return .endDay
        }
    }
}

extension CreditModel {
    mutating func apply(_ step: CreditStep) {
        switch step {
        case .sit(let passenger, let seat): sit(passenger, on: seat)
        case .leave(let passenger): leave(passenger)
        case .start(let passenger, let train): start(passenger, train: train)
        case .end(let passenger): end(passenger)
        case .request(let passenger, let seat, let amount): request(seat, by: passenger, amount)
        case .cancel(let passenger, let seat): cancel(seat, by: passenger)
        case .accept(let owner, let seat, let requester): accept(seat, by: owner, of: requester)
        case .reject(let owner, let seat, let requester): reject(seat, by: owner, of: requester)
        case .unlock(let passenger): unlock(passenger)
        case .pass(let seconds): pass(seconds: seconds)
        case .endDay: endDay()
        }
    }
}
