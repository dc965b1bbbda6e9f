import Contracts
import NIOCore
import NIOHTTP1
import Sockets
import TestKit

/// A passenger who only observes, with a socket that reconnects as the app does.
struct CrashWatcher: Sendable {
    let number: Int
    let service: CrashService
    let record: CrashRecord<PassengerObservations>

    private var account: AccountID { .init(rawValue: Int64(1000 + number)) }

    /// Requests the car once, so that the sockets of this passenger receive its changes.
    func look() async throws {
        let path = "/trains?carCode=\(CrashPlayer.car)&trainCode=\(CrashPlayer.train)"
        let answer = await service.send(.GET, path, account, to: number % CrashService.copies.count)
        guard answer?.status == 200 else { throw NothingToSee(answer: answer) }
    }

    struct NothingToSee: Error { var answer: CrashHarness.Answer? }

    /// Watches until the task is cancelled.
    func watch() async {
        var copy = number
        while !Task.isCancelled {
            try? await watch(copy % CrashService.copies.count)
            copy += 1
            try? await Task.sleep(for: .milliseconds(150))
        }
    }

    private func watch(_ copy: Int) async throws {
        let client = try await STOMPClient.connect(
            service.url("ws", copy) + "/seatcatcher",
            headers: [("Authorization", "Bearer \(try service.token(account))")],
            handshake: [service.identity()]
        )
        var last = Int64.min
        for try await frame in try await client.subscribe("/topic/seat.\(CrashPlayer.train)") {
            guard let id = frame.headers["message-id"].flatMap({ Int64($0) }) else {
                record.defect("a message without a numeric id: \(frame.headers)")
                continue
            }
            if id < last { record.defect("socket \(number) received \(id) after \(last)") }
            last = id
            record.shown(String(buffer: frame.body), id: id, on: number)
        }
        try await client.disconnect()
    }
}
