import NIOCore
import NIOPosix

/// Where tasks run.
package enum EventLoopTasks {
    /// Has all tasks of the process run on the event loops from now on, so that a request changes threads less often: on a
    /// busy machine it waits for a processor at each change.
    package static func install() {
        NIOSingletons.unsafeTryInstallSingletonPosixEventLoopGroupAsConcurrencyGlobalExecutor()
    }
}
