import FoundationEssentials
import Logging
import ServiceLifecycle

/// Background jobs: regions of new listings, and deletion of old cached searches. All replicas run them concurrently.
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
                logger.info("regions: the search for places is unavailable, will retry")
            } catch {
                if !Task.isCancelled { logger.warning("regions: regions could not be stored", error: error) }
            }
            try? await Task.sleep(for: .seconds(2))
        }
    }

    private func prune() async {
        while !Task.isCancelled {
            do {
                try await cache.prune()
            } catch {
                if !Task.isCancelled { logger.warning("places: old responses could not be deleted", error: error) }
            }
            try? await Task.sleep(for: .seconds(600))
        }
    }
}
