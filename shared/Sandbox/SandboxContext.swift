import Glibc
import Hummingbird
import NIOCore

/// The context of every request to the sandbox.
struct SandboxContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The answer is not to get to the caller.
    var losesAnswer = false
    private let channel: any Channel

    /// No outside system that we call takes more from us.
    var maxUploadSize: Int { 1 << 20 }

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    /// Whether an answer can get to the caller: the other end of the connection is open still, as the system knows it (a program that
    /// has ended, however it did, has closed its end). True where there is no such connection, as in tests without a server.
    func reachesCaller() async -> Bool {
        guard !losesAnswer else { return false }
        guard let socket = channel as? any SocketOptionProvider else { return true }
        let state = try? await socket.getTCPInfo().map { Int32($0.tcpi_state) }.get()
        return state == Int32(TCP_ESTABLISHED)
    }
}
