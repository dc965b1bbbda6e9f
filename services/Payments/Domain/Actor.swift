/// Who does something to orders and payments, for the audit.
enum Actor: Sendable, Equatable {
    case account(Int64)
    /// A webhook has told.
    case portOne
    /// A timer of ours.
    case timer
    /// Somebody who runs this, by a name.
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
