import AppClients
import ArgumentParser
import Contracts
import FoundationEssentials
import NIOHTTP1
import StackKit

/// `stack announce moup "점검 안내"`: sends a notification to all users of an app.
struct AnnounceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "announce",
        abstract: "Sends an announcement to all users of an app: to their lists, and to their phones.",
        discussion: """
            Users who sign up later do not get it. Pushes are sent in batches.
            Examples:
              stack announce moup "점검 안내" "오늘 밤 두 시부터 세 시까지 쉽니다."
              stack announce seatcatcher "새 노선이 열렸습니다" --key lines-2026
            """
    )

    @OptionGroup var options: StackOptions

    @Argument(help: "seatcatcher, moup, anlaka, culture or withsuhyeon.")
    var app: String

    @Argument(help: "At most 100 characters.")
    var title: String

    @Argument(help: "At most 2000 characters; nothing without it.")
    var content: String?

    @Option(help: "An idempotency key: repeated with the same key, the announcement is sent once.")
    var key: String?

    private struct Answer: Decodable {
        var id: Int64
    }

    func validate() throws {
        guard App(rawValue: app) != nil else {
            throw ValidationError(
                "'\(app)' is no app; there are \(App.allCases.map(\.rawValue).joined(separator: ", "))"
            )
        }
    }

    func run() async throws {
        var body: [String: JSON] = ["app": .string(app), "title": .string(title)]
        body["content"] = content.map(JSON.string)
        let answer = try await options.internalCalls.post(
            .notifications,
            "/internal/announcements",
            [UInt8](JSON.object(body).encoded()),
            headers: key.map { [("Idempotency-Key", $0)] } ?? []
        )
        guard answer.status == .ok, let sent = try? JSONDecoder().decode(Answer.self, from: Data(answer.text.utf8))
        else {
            throw StackError("the announcement is refused: \(answer.message)")
        }
        Console.line("announcement \(sent.id) is sent to \(app)")
    }
}
