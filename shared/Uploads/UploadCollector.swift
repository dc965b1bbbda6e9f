package import Logging
import ServiceLifecycle

/// Collects uploads that nothing refers to. What is due is a row of the database, so a restart loses none.
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
                    if !Task.isCancelled { logger.warning("an upload could not be deleted", error: error) }
                }
                try? await Task.sleep(for: Self.pause)
            }
        }
    }
}
