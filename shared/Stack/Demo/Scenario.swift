import StackKit

/// One story that `stack demo` plays: an app on a phone, and what its person does with it.
struct Scenario: Sendable {
    /// The word on the command line: the app.
    var name: String
    var title: String
    /// What the app sends with every request.
    var headers: [(String, String)] = []
    var play: @Sendable (Phone) async throws -> Void

    /// In the order of playing.
    static let all = [seatcatcher, moup, anlaka, culture, withsuhyeon]
}
