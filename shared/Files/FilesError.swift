package import Apps
import ServiceKit

/// Why an upload is refused. A refused upload is not stored.
package enum FilesError: Error, Sendable, Equatable {
    case tooLarge(limit: Int)
    case empty
    /// The type is not allowed; nil if it is unknown.
    case type(FileType?)
    /// The file has metadata, such as a track of places, that cannot be removed.
    case metadata
    /// The disk is full.
    case noSpace
    /// The object store is unavailable or refuses the credentials.
    case unavailable
}

extension FilesError: ProblemConvertible {
    package var problem: Problem {
        switch self {
        case .tooLarge(let limit): Problem(.tooLarge, message: "The file is larger than \(limit) bytes.")
        case .empty: Problem(.malformed, message: "The file is empty.")
        case .type: Problem(.unsupportedMedia, message: "This type of file is not taken here.")
        case .metadata:
            Problem(.unsupportedMedia, message: "This file records where it was made, and that cannot be removed.")
        case .unavailable:
            Problem(.unavailable, message: "Files cannot be had at the moment; try again.", retryAfter: 5)
        case .noSpace: Problem(.unavailable, message: "There is no room for files now; try again.", retryAfter: 60)
        }
    }
}
