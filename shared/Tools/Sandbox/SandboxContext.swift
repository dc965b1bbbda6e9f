import Glibc
import Hummingbird
import NIOCore

/// The context of every request to the sandbox.
struct SandboxContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Whether the response must not reach the caller.
    var losesResponse = false
    private let channel: any Channel

    /// The maximum request size of the emulated systems.
    var maxUploadSize: Int { 1 << 20 }

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    /// Whether a response can reach the caller: the peer has not closed the connection (the system closes it when a
    /// program exits). True if there is no such connection, as in tests without a server.
    func reachesCaller() async -> Bool {
        guard !losesResponse else { return false }
        guard let socket = channel as? any SocketOptionProvider else { return true }
        let state = try? await socket.getTCPInfo().map { Int32($0.tcpi_state) }.get()
        return state == Int32(TCP_ESTABLISHED)
    }
}
