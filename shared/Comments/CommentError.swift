package import AppWire
import ServiceHost

/// Why something is refused that concerns a comment.
package enum CommentError: Error, Sendable, Equatable, ProblemConvertible {
    /// There is no such comment, or not of this subject.
    case notFound
    /// What it is said of is not there, or not to be seen; with what the app calls such a thing.
    case subjectNotFound(String)
    /// Somebody else's.
    case notYours
    /// What breaks a rule, in a sentence that names the field.
    case rule(String)

    package var problem: Problem {
        switch self {
        case .notFound: Problem(.notFound, message: "There is no such comment.")
        case .subjectNotFound(let name): Problem(.notFound, message: "There is no such \(name).")
        case .notYours: Problem(.notOwner, message: "This is somebody else's.")
        case .rule(let what): Problem(.malformed, message: what)
        }
    }
}
