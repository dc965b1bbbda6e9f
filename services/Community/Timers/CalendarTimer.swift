import Logging
import ServiceLifecycle

/// Looks again and again whether the city's events are to be fetched. Several copies of the service may do so beside each
/// other.
struct CalendarTimer: Service {
    let calendar: CalendarRefresh
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withLogger(logger) { _ in
                while !Task.isCancelled {
                    do {
                        if try await calendar.runIfDue() { logger.info("the city's events are fetched") }
                    } catch {
                        if !Task.isCancelled { logger.warning("the city's events could not be fetched", error: error) }
                    }
                    try? await Task.sleep(for: .seconds(5))
                }
            }
        }
    }
}
