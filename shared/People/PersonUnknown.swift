package import AppWire
import ServiceHost

/// Nobody whom auth knows, or somebody who has left.
package struct PersonUnknown: Error, Sendable, Equatable, ProblemConvertible {
    package init() {}

    package var problem: Problem { Problem(.unauthenticated, message: "This account is gone; sign in again.") }
}
