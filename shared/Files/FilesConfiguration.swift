import AsyncHTTPClient
import FoundationEssentials
package import ServiceHost

/// Where a service keeps its files.
package struct FilesConfiguration: Sendable {
    /// The service's own folder. Files wait there until they are kept, also when they are kept elsewhere.
    package var folder: String
    /// Where they are kept if not there.
    package var bucket: S3Bucket?

    package init(folder: String, bucket: S3Bucket? = nil) {
        self.folder = folder
        self.bucket = bucket
    }

    /// - `FILES_DIR`: a folder in which each service has one of its own; every copy of a service must see the same, unless a
    ///   bucket is set.
    /// - `FILES_S3_URL`: the bucket of an S3-compatible store, `https://host/bucket`; `FILES_S3_REGION` (`us-east-1`),
    ///   `FILES_S3_KEY_ID` and `FILES_S3_SECRET` go with it.
    package init(_ settings: inout Settings, service: String) {
        folder = settings.string("FILES_DIR", default: ".local/files") + "/" + service
        let url = settings.url("FILES_S3_URL", default: "")
        guard !url.isEmpty else { return }
        bucket = S3Bucket(
            url: url,
            prefix: service,
            region: settings.string("FILES_S3_REGION", default: "us-east-1"),
            key: S3Key(
                id: settings.credential("FILES_S3_KEY_ID", development: S3Key.development.id),
                secret: settings.credential("FILES_S3_SECRET", development: S3Key.development.secret)
            )
        )
    }

    /// What takes files in.
    package var intake: FileIntake { FileIntake(folder: "\(folder)/incoming") }

    /// What keeps them.
    package var store: any FileStore {
        bucket.map { S3FileStore(bucket: $0, http: .shared) } ?? LocalFileStore(folder: folder)
    }

    /// A new folder that the system clears some time, for tests.
    package static var temporary: FilesConfiguration {
        let folder = FileManager.default.temporaryDirectory.appending(path: "madang-files-\(UUID().uuidString)")
        return FilesConfiguration(folder: folder.path)
    }
}
