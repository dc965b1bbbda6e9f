/// A place in an answer that is not as the contract says.
package struct Deviation: Sendable, Hashable, CustomStringConvertible {
    /// `$.data[0].title`, `status`, `header Location`.
    package var place: String
    package var expected: String
    package var came: String

    package init(_ place: String, expected: String, came: String) {
        self.place = place
        self.expected = expected
        self.came = came
    }

    package var description: String { "\(place): expected \(expected), came \(came)" }
}
