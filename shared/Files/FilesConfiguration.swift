import FoundationEssentials
package import ServiceHost

/// Where a service keeps its files.
package struct FilesConfiguration: Sendable, Equatable {
    /// The service's own folder.
    package var folder: String

    package init(folder: String) {
        self.folder = folder
    }

    /// `FILES_DIR`: a folder in which each service has one of its own; every copy of a service must see the same.
    package init(_ settings: inout Settings, service: String) {
        folder = settings.string("FILES_DIR", default: ".local/files") + "/" + service
    }

    /// Where files wait until they are kept.
    package var incoming: String { "\(folder)/incoming" }

    /// A new folder that the system clears some time, for tests.
    package static var temporary: FilesConfiguration {
        let folder = FileManager.default.temporaryDirectory.appending(path: "madang-files-\(UUID().uuidString)")
        return FilesConfiguration(folder: folder.path)
    }
}
