package import Contracts

/// All calls of one app. Each stored property is a call, and its name is the operation's name: a new call is one line.
package protocol AppCatalogue: Sendable {
    static var app: App { get }
    init()
}

extension AppCatalogue {
    /// The calls with their names, in the order in which they are declared.
    package static var operations: [(name: String, operation: Operation)] {
        Mirror(reflecting: Self()).children.compactMap { property in
            guard let name = property.label, let operation = property.value as? Operation else { return nil }
            return (name, operation)
        }
    }
}

/// The catalogues of all apps.
package enum AppCatalogues {
    package static let all: [any AppCatalogue.Type] = [
        SeatCatcher.self, MOUP.self, Anlaka.self, Culture.self, WithSuhyeon.self,
    ]
}
