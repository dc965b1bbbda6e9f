import Metrics
package import NIOCore
import ServiceLifecycle

/// Measures how late event loops run what is due, each second: from a task's submission to its start. A loop that is
/// blocked for several seconds is counted once for each of them.
package struct EventLoopLag: Service {
    private let group: any EventLoopGroup
    private let time = Timer(label: "event_loop_lag_seconds")

    package init(of group: any EventLoopGroup) {
        self.group = group
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: .seconds(1))) != nil { measure() }
        }
    }

    func measure() {
        for loop in group.makeIterator() {
            let start = NIODeadline.now()
            loop.execute { [time] in time.recordNanoseconds((NIODeadline.now() - start).nanoseconds) }
        }
    }
}
