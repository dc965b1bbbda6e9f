import AppWire
import ServiceHost

extension EstateError: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .personUnknown: Problem(.unauthenticated, message: "This account is gone; sign in again.")
        case .listingNotFound: Problem(.notFound, message: "There is no such estate.")
        case .commentNotFound: Problem(.notFound, message: "There is no such comment.")
        case .notYours: Problem(.notOwner, message: "This is somebody else's.")
        case .rule(let what): Problem(.malformed, message: what)
        case .placesUnavailable:
            Problem(.unavailable, message: "The search for places does not answer; try again.", retryAfter: 5)
        }
    }
}
