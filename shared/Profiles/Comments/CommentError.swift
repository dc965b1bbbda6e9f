package import Apps
import ServiceKit

/// The errors of operations on comments.
package enum CommentError: Error, Sendable, Equatable, ProblemConvertible {
    /// The comment does not exist, or belongs to another subject.
    case notFound
    /// The subject does not exist or is not visible; the payload is the app's name for this kind of subject.
    case subjectNotFound(String)
    /// The comment belongs to another user.
    case notYours
    /// A field breaks a rule; the payload is a sentence that names the field.
    case rule(String)

    package var problem: Problem {
        switch self {
        case .notFound: Problem(.notFound, message: "There is no such comment.")
        case .subjectNotFound(let name): Problem(.notFound, message: "There is no such \(name).")
        case .notYours: Problem(.notOwner, message: "This belongs to another user.")
        case .rule(let what): Problem(.malformed, message: what)
        }
    }
}
