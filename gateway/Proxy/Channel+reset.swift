import Glibc
import NIOCore

extension Channel {
    /// Closes a connection so that its peer gets nothing of what it has not received yet. After an ordinary close the system
    /// goes on to send that, so that a request could take effect long after its failure was reported.
    func reset() {
        (self as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in }
        close(promise: nil)
    }
}
