import Apps
import ServiceKit

extension EstateError: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .listingNotFound: Problem(.notFound, message: "There is no such estate.")
        case .rule(let what): Problem(.malformed, message: what)
        case .ruleOfListing(let index, let what): Problem(.malformed, message: Self.sentence(what, ofListing: index))
        case .creatorNotFound: Problem(.notFound, message: "There is no such creator.")
        case .placesUnavailable:
            Problem(.unavailable, message: "The search for places does not answer; try again.", retryAfter: 5)
        case .placesExhausted:
            Problem(.tooMany, message: "Today's searches for places are used up; try again tomorrow.", retryAfter: 3600)
        }
    }

    /// The sentence with the path of its field in internal requests: `listings[3].monthlyRent must …`.
    private static func sentence(_ what: String, ofListing index: Int) -> String {
        let words = what.split(separator: " ", maxSplits: 1)
        let parts = words.first?.split(separator: "_") ?? []
        let field = parts.prefix(1) + parts.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return "listings[\(index)].\(field.joined()) \(words.dropFirst().joined())"
    }
}
