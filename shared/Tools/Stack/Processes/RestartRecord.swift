import FoundationEssentials
import StackKit

/// The restarts of a program since a command started it: a line with the time and the cause of each.
struct RestartRecord {
    let path: String

    var count: Int { text.split(separator: "\n").count }

    private var text: String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

    func record(_ cause: String) {
        let line = "\(Date.now.formatted(.iso8601)) \(cause.replacing("\n", with: " "))\n"
        try? Data((text + line).utf8).write(to: URL(filePath: path), options: .atomic)
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }
}

extension LocalFolder {
    func restarts(of name: String) -> RestartRecord { RestartRecord(path: "\(path)/run/\(name).restarts") }
}
