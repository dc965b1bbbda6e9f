import AppClients
import FoundationEssentials
import Values

/// Reads the answer of a call as the app does.
struct AppDecoder: Sendable {
    private let read: @Sendable (Data) throws -> Void

    private static let plain = JSONDecoder()
    private static let snake: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }()

    /// - Parameter isSnake: Whether the app's types write `user_id` as `userId`.
    init<Value: Decodable & SendableMetatype>(_ type: Value.Type, isSnake: Bool = false) {
        read = { _ = try (isSnake ? Self.snake : Self.plain).decode(Value.self, from: $0) }
    }

    /// The value in With Suhyeon's envelope.
    static func enveloped<Value: Decodable & SendableMetatype>(_ type: Value.Type) -> AppDecoder {
        AppDecoder(Envelope<Value>.self)
    }

    /// With Suhyeon's envelope as its app reads it (With Suhyeon contract 1.1).
    private struct Envelope<Value: Decodable & SendableMetatype>: Decodable {
        var errorCode: String?
        var message: String
        var result: Value
    }

    func reads(_ answer: JSONTree) -> Bool { (try? read(Data(answer.text.utf8))) != nil }
}
