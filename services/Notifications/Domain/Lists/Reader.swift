import Contracts

/// The user who reads a list.
struct Reader: Sendable, Equatable {
    var app: App
    var account: AccountID
}
