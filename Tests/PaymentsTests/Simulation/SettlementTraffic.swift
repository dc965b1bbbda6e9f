import TestKit

@testable import Payments

enum SettlementParty: Hashable, Sendable, CustomStringConvertible {
    case user, portOne
    /// A copy of the service. All share one database.
    case server(Int)

    var description: String {
        switch self {
        case .user: "user"
        case .portOne: "PortOne"
        case .server(let number): "server \(number)"
        }
    }
}

/// What users and operators do. Orders and payments are named by their place in the list of all, counted from the last.
enum SettlementInput: Sendable, CustomStringConvertible {
    case order
    /// The user pays in PortOne's window.
    case pay(order: Int, amount: Int64)
    case failToPay(order: Int)
    /// The app reports a payment.
    case report(payment: Int)
    case giveUp(order: Int)
    /// An operator refunds a part, in percent, here or at PortOne's console.
    case refund(payment: Int, percent: Int64)
    case cancelAtConsole(payment: Int, percent: Int64)

    var description: String {
        switch self {
        case .order: "the user orders"
        case .pay(_, let amount): "the user pays \(amount)"
        case .failToPay: "the user's card is refused"
        case .report: "the app reports a payment"
        case .giveUp: "the user gives an order up"
        case .refund(_, let percent): "an operator refunds \(percent) %"
        case .cancelAtConsole(_, let percent): "an operator cancels \(percent) % at PortOne's console"
        }
    }
}

/// A request to PortOne.
enum PortOneRequest: Sendable, CustomStringConvertible {
    case payment(ImpUID)
    case payments(code: String)
    case cancel(ImpUID, amount: Int64, checksum: Int64?)

    var description: String {
        switch self {
        case .payment(let impUID): "what of \(impUID)?"
        case .payments(let code): "which payments of \(code)?"
        case .cancel(let impUID, let amount, let checksum):
            "cancel \(amount) of \(impUID)" + (checksum.map { " if you hold \($0)" } ?? "")
        }
    }
}

enum SettlementMessage: Sendable, CustomStringConvertible {
    case report(ImpUID)
    case webhook(ImpUID)
    case ask(PortOneRequest, number: Int)
    /// Empty for a payment that PortOne does not know, or a refund that it refuses.
    case answer([PaymentReport], number: Int)

    var description: String {
        switch self {
        case .report(let impUID): "paid by \(impUID)"
        case .webhook(let impUID): "look at \(impUID)"
        case .ask(let request, _): "\(request)"
        case .answer(let reports, _):
            reports.isEmpty
                ? "none"
                : reports.map { "\($0.impUID) \($0.status.rawValue), \($0.cancelled) of \($0.paid) cancelled" }
                    .joined(separator: ", ")
        }
    }
}

enum SettlementTimer: Sendable, CustomStringConvertible {
    /// A server looks for what is due.
    case jobs
    case timeout(Int)
    /// The books are compared with PortOne's.
    case reconciliation

    var description: String {
        switch self {
        case .jobs: "does what is due"
        case .timeout: "PortOne does not answer"
        case .reconciliation: "compares the books"
        }
    }
}
