import Authentication
import Crypto
import FoundationEssentials
import NIOCore
import NIOPosix

/// A gateway that is replaced several times in a row by the next one, under WebSockets and requests.
struct HandoverLoad: Sendable {
    var sockets: Int
    /// Requests per second.
    var rate: Int
    /// The number of upgrades.
    var rounds: Int
    /// The time in which each socket sends one frame.
    var period = Duration.seconds(4)
    var report: @Sendable (String) -> Void = { _ in }

    /// The number of connections for requests.
    private static let connections = 64
    private static let tokens = 300

    /// - Parameters:
    ///   - executables: The folder of the gateway's executable.
    ///   - scratch: A folder for the socket of the handover.
    /// - Throws: If a gateway does not start, or does not take over.
    func run(executables: String, scratch: String) async throws -> HandoverTally {
        let clients = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let services = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let key = P256.Signing.PrivateKey()
        let keys = try JSONEncoder().encode(JWKS(keys: [JWKS.Key(kid: ProxyFixture.keyID, key: key.publicKey)]))
        let service = try await HandoverService.listen(keys: String(decoding: keys, as: UTF8.self), on: services)
        let gateways = try HandoverGateways(executables: executables, scratch: scratch, service: service.port)
        let tally = HandoverTally()
        let phones = HandoverPhones(on: clients.next(), tally)
        let tokens = try ProxyFixture.tokens(Self.tokens, signedBy: key)
        let requests = HandoverRequests(tokens, port: gateways.port, on: clients.next(), tally)
        let outcome: Result<Void, any Error>
        do {
            try await gateways.start()
            report("opening \(sockets) WebSockets")
            try await phones.open(sockets, port: gateways.port)
            try await measure(gateways, phones, requests, tally)
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await gateways.stop()
        await service.close()
        for line in gateways.warnings.prefix(20) { report(line) }
        try await clients.shutdownGracefully()
        try await services.shutdownGracefully()
        try outcome.get()
        return tally
    }

    private func measure(
        _ gateways: HandoverGateways,
        _ phones: HandoverPhones,
        _ requests: HandoverRequests,
        _ tally: HandoverTally
    ) async throws {
        let start = ContinuousClock.now
        let tasks = [
            try await phones.start(once: period),
            try await requests.start(rate: rate, connections: Self.connections),
        ]
        for round in 1...rounds {
            try await Task.sleep(for: period / 2)
            tally.upgrade(true)
            let time = try await gateways.replace()
            tally.upgrade(false)
            tally.ended(after: time)
            report("upgrade \(round) of \(rounds): the old gateway was gone after \(time / .seconds(1)) s")
        }
        try await Task.sleep(for: period / 2)
        for task in tasks { task.cancel() }
        tally.measured(ContinuousClock.now - start)
        try await requests.close()
        try await phones.close()
    }
}
