import FoundationEssentials
import Logging
import ServiceLifecycle

/// Asks what the places of new listings are called, and lets go of old answers. Several copies of the service may do so
/// beside each other.
struct PlaceTimers: Service {
    let labels: RegionLabels
    let cache: PlaceCache
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withLogger(logger) { _ in
                await withDiscardingTaskGroup { group in
                    group.addTask { await label() }
                    group.addTask { await prune() }
                }
            }
        }
    }

    private func label() async {
        while !Task.isCancelled {
            do {
                while try await labels.labelNext() {}
            } catch EstateError.placesUnavailable {
                logger.info("regions of listings wait for the search for places")
            } catch {
                if !Task.isCancelled { logger.warning("regions of listings could not be written", error: error) }
            }
            try? await Task.sleep(for: .seconds(2))
        }
    }

    private func prune() async {
        while !Task.isCancelled {
            do {
                try await cache.prune()
            } catch {
                if !Task.isCancelled { logger.warning("old answers for places could not be deleted", error: error) }
            }
            try? await Task.sleep(for: .seconds(600))
        }
    }
}
