package import Logging
import ServiceLifecycle

/// Deletes uploads without references. The pending deletions are rows of the database, so that a restart loses none.
package struct UploadCollector: Service {
    private let uploads: Uploads
    private let logger: Logger

    private static let pause = Duration.seconds(2)

    package init(_ uploads: Uploads, logger: Logger) {
        self.uploads = uploads
        self.logger = logger
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    while try await uploads.collectNext() {}
                } catch {
                    if !Task.isCancelled { logger.warning("uploads: deletion failed, will retry", error: error) }
                }
                try? await Task.sleep(for: Self.pause)
            }
        }
    }
}
