/// Why something about the gallery is refused.
enum GalleryError: Error, Sendable, Equatable {
    case itemNotFound
    /// Somebody else's picture.
    case notYours
    case categoryUnknown
    /// A file that is no picture.
    case notAPicture
    /// There is no room for pictures now.
    case notStored
}
