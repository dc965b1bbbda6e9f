import Contracts

/// The originator of a change, for the audit.
enum Actor: Sendable, Equatable {
    case account(AccountID)
    /// A webhook.
    case portOne
    /// A background job.
    case timer
    /// An operator, by name.
    case `operator`(String)

    var name: String {
        switch self {
        case .account(let id): "account/\(id)"
        case .portOne: "portone"
        case .timer: "timer"
        case .operator(let name): "operator/\(name)"
        }
    }
}
