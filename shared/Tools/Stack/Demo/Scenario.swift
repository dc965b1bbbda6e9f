import StackKit

/// A scenario of `stack demo`: a user's actions in one app.
struct Scenario: Sendable {
    /// The name on the command line: the app.
    var name: String
    var title: String
    /// The headers of every request.
    var headers: [(String, String)] = []
    var play: @Sendable (Phone) async throws -> Void

    /// The scenarios in the order of playing.
    static let all = [seatcatcher, moup, anlaka, culture, withsuhyeon]
}
