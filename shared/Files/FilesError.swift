package import AppWire
import ServiceHost

/// Why an upload is refused. Nothing is kept of one that is.
package enum FilesError: Error, Sendable, Equatable {
    case tooLarge(limit: Int)
    case empty
    /// Not of an allowed type; nil when it cannot even be told what it is.
    case type(FileType?)
    /// The disk is full.
    case noSpace
    /// The object store does not answer, or refuses us.
    case unavailable
}

extension FilesError: ProblemConvertible {
    package var problem: Problem {
        switch self {
        case .tooLarge(let limit): Problem(.tooLarge, message: "The file is larger than \(limit) bytes.")
        case .empty: Problem(.malformed, message: "The file is empty.")
        case .type: Problem(.unsupportedMedia, message: "This type of file is not taken here.")
        case .unavailable:
            Problem(.unavailable, message: "Files cannot be had at the moment; try again.", retryAfter: 5)
        case .noSpace: Problem(.unavailable, message: "There is no room for files now; try again.", retryAfter: 60)
        }
    }
}
