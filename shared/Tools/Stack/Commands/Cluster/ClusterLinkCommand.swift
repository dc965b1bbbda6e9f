import ArgumentParser
import StackKit

/// `stack cluster link`: delays, loses and cuts what hosts send to each other.
struct ClusterLinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Delays or loses packets between two hosts, or cuts the link and restores it.",
        discussion: """
            With one host, its links to all others and to the clients on this machine. A delay is that of each direction:
            50ms adds 100 ms to an answer. What is cut is lost without an error, in both directions. Delays and losses
            replace those before, need the kernel's sch_netem, and stay beside a cut; --restore ends all of them.
            Examples:
              stack cluster link 1 2 --delay 50ms --jitter 10ms --loss 1%
              stack cluster link 3 --cut
              stack cluster link 3 --restore
            """
    )

    @OptionGroup var options: ClusterOptions
    @Argument(help: "A host.") var host: Int
    @Argument(help: "The other host; all, and the clients, without one.") var other: Int?
    @Option(help: "As in 50ms.") var delay: String?
    @Option(help: "How much the delay varies, as in 10ms.") var jitter: String?
    @Option(help: "The share of packets that is lost, as in 1%.") var loss: String?
    @Flag(help: "Lose everything.") var cut = false
    @Flag(help: "End cuts, delays and losses.") var restore = false

    func validate() throws {
        guard [cut, restore, delay != nil || loss != nil].count(where: \.self) == 1 else {
            throw ValidationError("name what happens to the link: --delay or --loss or both, --cut, or --restore")
        }
        guard jitter == nil || delay != nil else { throw ValidationError("--jitter varies a --delay") }
        for time in [delay, jitter].compactMap(\.self) where time.wholeMatch(of: #/[0-9]+(\.[0-9]+)?(us|ms|s)/#) == nil
        {
            throw ValidationError("\(time) is no time such as 50ms")
        }
        if let loss, loss.wholeMatch(of: #/[0-9]+(\.[0-9]+)?%/#) == nil {
            throw ValidationError("\(loss) is no share such as 1%")
        }
    }

    func run() async throws {
        let (run, lock) = try await options.locked()
        defer { lock.release() }
        for host in [host, other].compactMap(\.self) { try run.require(host) }
        guard host != other else { throw StackError("a link has two different hosts") }
        let links =
            other.map { [ClusterLink(run.network, host, $0)] }
            ?? ClusterLink.all(of: host, run.network, size: run.cluster.size)
        let words =
            (delay.map { ["delay", $0] + [jitter].compactMap(\.self) } ?? []) + (loss.map { ["loss", $0] } ?? [])
        for link in links {
            if cut {
                try await link.cut()
            } else if restore {
                try await link.restore()
            } else {
                try await link.impair(words)
            }
            Console.line("  ✓ link \(link.name)  \(try await link.state)")
        }
    }
}
