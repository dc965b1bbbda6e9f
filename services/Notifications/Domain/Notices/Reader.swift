import Contracts

/// Who looks at what they are told of.
struct Reader: Sendable, Equatable {
    var app: App
    var account: Int64
}
