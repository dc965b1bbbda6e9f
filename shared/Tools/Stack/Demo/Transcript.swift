import AppClients
import Apps

/// The output of `stack demo` for the events of a client: an arrow and a line for each message.
enum Transcript {
    static func print(_ event: ClientEvent) {
        switch event {
        case .request(let method, let path, let body):
            Console.line("    → \(method.rawValue) \(path)\(body.map { "  \(short($0.text))" } ?? "")")
        case .response(let answer, let time):
            let text = answer.body.isEmpty ? "" : "  \(short(answer.body))"
            Console.line("    ← \(answer.status)\(text)  (\(Int(time / .milliseconds(1))) ms)")
        case .sent(let frame):
            Console.line("    ⇢ \(short(frame))")
        case .received(let frame, let body):
            let text = JSON(parsing: body.utf8)?.description ?? body
            Console.line("    ⇠ \(short(frame))\(text.isEmpty ? "" : "  \(short(text))")")
        case .fault(let error):
            Console.line("    ⇠ unreadable: \(error)")
        }
    }

    /// One line for the terminal, with tokens and long bodies truncated.
    static func short(_ text: String) -> String {
        var line = ""
        var word = ""
        for character in text + " " {
            if character.isASCII, character.isLetter || character.isNumber || "-_.".contains(character) {
                word.append(character)
                continue
            }
            line += word.count > 40 ? "\(word.prefix(12))…" : word
            line.append(character)
            word = ""
        }
        line.removeLast()
        return line.count > 200 ? "\(line.prefix(200))…" : line
    }

    /// Prints the messages of a chat, which both participants have.
    static func print(log: [String]) {
        Console.line("\n  Both phones end with the same log:")
        for (number, text) in log.enumerated() { Console.line("    \(number + 1)  \(text)") }
    }
}
