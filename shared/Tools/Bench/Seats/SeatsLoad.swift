import Authentication
import Contracts
import FoundationEssentials
import NIOCore
import NIOPosix
import StackKit

/// Passengers who take and leave seats of one car, each on its own persistent connection, all on one event loop: each
/// takes a seat that appears free, and leaves it once it is taken.
final class SeatsLoad: Sendable {
    private let eventLoop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()
    private let port: Int
    private let seats: [Int64]

    init(port: Int, seats: [Int64]) {
        self.port = port
        self.seats = seats
    }

    struct Outcome: Sendable {
        /// The number of seats that were taken and left again.
        var pairs = 0
        /// The number of seats that were already taken.
        var refusals = 0
        /// Violated invariants: two owners at a time, or an invalid response of the service.
        var defects: [String] = []
    }

    func run(passengers: Int, for duration: Duration) async throws -> Outcome {
        let tally = try await eventLoop.submit { [self] in
            NIOLoopBound(SeatsTally(seats: seats), eventLoop: eventLoop)
        }.get()
        let start = NIODeadline.now()
        let end = start + .nanoseconds(Int64(duration / .nanoseconds(1)))
        let bootstrap = ClientBootstrap(group: eventLoop)
            .channelOption(.socketOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let passenger = SeatsPassenger(account: tally.value.nextAccount(), tally.value, until: end)
                    try channel.pipeline.syncOperations.addHandler(passenger)
                }
            }
        var channels: [any Channel] = []
        for _ in 0..<passengers {
            channels.append(try await bootstrap.connect(host: "127.0.0.1", port: port).get())
        }
        for channel in channels { try await channel.closeFuture.get() }
        return try await eventLoop.submit { tally.value.outcome }.get()
    }
}

/// The state shared by all passengers.
private final class SeatsTally {
    let seats: [Int64]
    var outcome = SeatsLoad.Outcome()
    /// The owners of seats by the service's responses, until they start to leave.
    private var owners: [Int64: Int64] = [:]
    private var lastAccount: Int64 = 0

    init(seats: [Int64]) {
        self.seats = seats
    }

    func nextAccount() -> Int64 {
        lastAccount += 1
        return lastAccount
    }

    /// A seat that appears free to a client; another passenger may take it first.
    var freeSeat: Int64 { seats.filter { owners[$0] == nil }.randomElement() ?? 0 }

    func took(_ seat: Int64, _ account: Int64) {
        if let other = owners.updateValue(account, forKey: seat) {
            outcome.defects.append("seat \(seat) belongs to \(other) and \(account)")
        }
    }

    func leaves(_ seat: Int64) {
        owners[seat] = nil
    }
}

/// One connection. It parses only the status and length of a response.
private final class SeatsPassenger: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let account: Int64
    private let tally: SeatsTally
    private let end: NIODeadline
    private var received = ByteBuffer()
    private var seat: Int64 = 0
    private var isSeated = false

    init(account: Int64, _ tally: SeatsTally, until end: NIODeadline) {
        self.account = account
        self.tally = tally
        self.end = end
    }

    func channelActive(context: ChannelHandlerContext) {
        move(context)
    }

    private func move(_ context: ChannelHandlerContext) {
        if isSeated {
            tally.leaves(seat)
            send("DELETE", "/user/seats", context)
        } else if NIODeadline.now() < end {
            seat = tally.freeSeat
            send("POST", "/user/seats?creditAmount=10&seatId=\(seat)", context)
        } else {
            context.close(promise: nil)
        }
    }

    private func send(_ method: String, _ path: String, _ context: ChannelHandlerContext) {
        let identity = ServiceFixture.identity(of: account, in: .seatcatcher, method, path, to: .seats)
        let text = """
            \(method) \(path) HTTP/1.1\r
            host: 127.0.0.1\r
            content-type: application/json\r
            content-length: 0\r
            \(InternalIdentity.header): \(identity)\r
            \r

            """
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        received.writeBuffer(&bytes)
        guard let status = nextStatus() else { return }
        switch (isSeated, status) {
        case (false, 201):
            tally.took(seat, account)
            isSeated = true
        case (false, 409):
            tally.outcome.refusals += 1
        case (true, 204):
            tally.outcome.pairs += 1
            isSeated = false
        default:
            tally.outcome.defects.append("account \(account), seat \(seat): \(status)")
            return context.close(promise: nil)
        }
        move(context)
    }

    /// The status of the response, once it is complete.
    private func nextStatus() -> Int? {
        let text = String(buffer: received)
        guard let head = text.firstRange(of: "\r\n\r\n"), let status = Int(text.dropFirst(9).prefix(3)) else {
            return nil
        }
        let field = text[..<head.lowerBound].split(separator: "\r\n").first {
            $0.lowercased().hasPrefix("content-length:")
        }
        let length = field.flatMap { Int($0.split(separator: ":")[1].drop { $0 == " " }) } ?? 0
        guard text[head.upperBound...].utf8.count >= length else { return nil }
        received.clear()
        return status
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        tally.outcome.defects.append("account \(account): \(error)")
        context.close(promise: nil)
    }
}
