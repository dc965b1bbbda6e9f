import AppWire
import ServiceHost

extension ArrivalsUnavailable: ProblemConvertible {
    var problem: Problem {
        Problem(.unavailable, message: "The arrivals service of Seoul does not answer; try again.", retryAfter: 5)
    }
}
