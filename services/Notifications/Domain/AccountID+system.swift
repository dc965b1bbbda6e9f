import Contracts

extension AccountID {
    /// Stands for the system and the operators: no account has the number 0.
    static let system = AccountID(rawValue: 0)
}
