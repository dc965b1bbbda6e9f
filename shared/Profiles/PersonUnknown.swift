package import Apps
import ServiceKit

/// The account is unknown to auth, or withdrawn.
package struct PersonUnknown: Error, Sendable, Equatable, ProblemConvertible {
    package init() {}

    package var problem: Problem { Problem(.unauthenticated, message: "This account is gone; sign in again.") }
}
