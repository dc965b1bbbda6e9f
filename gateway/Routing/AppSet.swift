import Contracts

/// A set of apps, in one byte.
struct AppSet: Sendable, ExpressibleByArrayLiteral {
    private var bits: UInt8 = 0

    init(arrayLiteral apps: App...) {
        for app in apps { insert(app) }
    }

    mutating func insert(_ app: App) {
        bits |= Self.bit(app)
    }

    func contains(_ app: App) -> Bool {
        bits & Self.bit(app) != 0
    }

    /// The only member, or nil if there is not exactly one.
    var only: App? {
        let members = App.allCases.filter(contains)
        return members.count == 1 ? members.first : nil
    }

    private static func bit(_ app: App) -> UInt8 {
        switch app {
        case .seatcatcher: 1
        case .moup: 2
        case .anlaka: 4
        case .culture: 8
        case .withsuhyeon: 16
        }
    }
}
