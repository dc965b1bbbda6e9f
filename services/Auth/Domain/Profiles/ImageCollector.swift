import Logging
import ServiceLifecycle

/// Collects pictures that nobody refers to. What is due is a row of the database, so a restart loses none.
struct ImageCollector: Service {
    let images: ProfileImages
    let logger: Logger

    private static let pause = Duration.seconds(2)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    while try await images.collectNext() {}
                } catch {
                    if !Task.isCancelled { logger.warning("a picture could not be deleted", error: error) }
                }
                try? await Task.sleep(for: Self.pause)
            }
        }
    }
}
