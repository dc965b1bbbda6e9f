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
        abstract: "Tells everybody in an app: in their lists, and on their phones.",
        discussion: """
            Who comes later does not find it. Phones get it a part at a time.
            Examples:
              stack announce moup "점검 안내" "오늘 밤 두 시부터 세 시까지 쉽니다."
              stack announce seatcatcher "새 노선이 열렸습니다" --key lines-2026
            """
    )

    @OptionGroup var yard: StackOptions

    @Argument(help: "seatcatcher, moup, anlaka, culture or withsuhyeon.")
    var app: String

    @Argument(help: "At most 100 characters.")
    var title: String

    @Argument(help: "At most 2000 characters; nothing without it.")
    var content: String?

    @Option(help: "A name for this announcement: given again under the same, it is sent once.")
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
        let answer = try await yard.internalCalls.post(
            "notifications",
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
