import AsyncHTTPClient
import FoundationEssentials
package import ServiceKit

/// A service's file storage.
package struct FilesConfiguration: Sendable {
    /// The service's own folder. Received files are written here first, even if they are stored in a bucket.
    package var folder: String
    /// The bucket that stores the files instead of the folder.
    package var bucket: S3Bucket?

    package init(folder: String, bucket: S3Bucket? = nil) {
        self.folder = folder
        self.bucket = bucket
    }

    /// Reads `FILES_DIR`, and `FILES_S3_URL` with the bucket's other settings.
    package init(_ settings: inout Settings, service: String) {
        folder =
            settings.string(
                "FILES_DIR",
                default: ".local/files",
                "folder for files, with one for each service; all copies of a service need the same"
            ) + "/" + service
        let url = settings.url(
            "FILES_S3_URL",
            default: "",
            "bucket of an S3-compatible store instead, as https://host/bucket"
        )
        let bucket = S3Bucket(
            url: url,
            prefix: service,
            region: settings.string("FILES_S3_REGION", default: "us-east-1", "the bucket's region"),
            key: S3Key(
                id: settings.credential(
                    "FILES_S3_KEY_ID",
                    development: S3Key.development.id,
                    isRequired: !url.isEmpty,
                    "the bucket's access key"
                ),
                secret: settings.credential(
                    "FILES_S3_SECRET",
                    development: S3Key.development.secret,
                    isRequired: !url.isEmpty,
                    "the bucket's secret key"
                )
            )
        )
        if !url.isEmpty { self.bucket = bucket }
    }

    /// The intake of received files.
    package var intake: FileIntake { FileIntake(folder: "\(folder)/incoming") }

    package var store: any FileStore {
        bucket.map { S3FileStore(bucket: $0, http: .untraced) } ?? LocalFileStore(folder: folder)
    }

    /// A new folder in the system's temporary directory, for tests.
    package static var temporary: FilesConfiguration {
        let folder = FileManager.default.temporaryDirectory.appending(path: "madang-files-\(UUID().uuidString)")
        return FilesConfiguration(folder: folder.path)
    }
}
