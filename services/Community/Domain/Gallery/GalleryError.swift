/// Errors of the gallery.
enum GalleryError: Error, Sendable, Equatable {
    case itemNotFound
    /// The picture belongs to another user.
    case notYours
    case categoryUnknown
    /// The file is not a picture.
    case notAPicture
    /// The file storage is full.
    case notStored
}
