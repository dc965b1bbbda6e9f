import Logging
import ServiceLifecycle

/// Checks every five seconds whether the city's events are due to be fetched. All replicas run it concurrently.
struct CalendarTimer: Service {
    let calendar: CalendarRefresh
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withLogger(logger) { _ in
                while !Task.isCancelled {
                    do {
                        if try await calendar.runIfDue() { logger.info("calendar: events refreshed") }
                    } catch {
                        if !Task.isCancelled { logger.warning("calendar: refresh failed, will retry", error: error) }
                    }
                    try? await Task.sleep(for: .seconds(5))
                }
            }
        }
    }
}
