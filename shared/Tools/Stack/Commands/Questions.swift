import StackKit

/// Asks for the settings that an `.env` lacks.
struct Questions {
    /// Returns the answer's line; nil at the end of input.
    let ask: (_ name: String) -> String?
    let say: (_ text: String) -> Void

    /// Asks until every setting has a value or is left out, or until the input ends.
    func complete(_ file: inout EnvironmentFile) {
        var explanation = ""
        for setting in file.missing {
            if setting.explanation != explanation { say("\n\(setting.explanation)") }
            explanation = setting.explanation
            while true {
                guard let answer = answer(setting.name) else { return }
                do {
                    try file.set(setting.name, to: answer)
                    break
                } catch {
                    say("\(error)")
                }
            }
        }
    }

    /// A line, or the lines of a key in PEM.
    private func answer(_ name: String) -> String? {
        guard var text = ask(name) else { return nil }
        guard text.hasPrefix("-----BEGIN ") else { return text }
        while !text.contains("-----END "), let line = ask(name) { text += "\n\(line)" }
        return text
    }
}
