import FoundationEssentials
import Glibc

/// Prints a YAML document as one line of JSON with sorted keys: `yamltojson FILE`. The build runs it, so that programs
/// need no parser for YAML.
@main enum YAMLToJSON {
    static func main() {
        let file = CommandLine.arguments.dropFirst().joined(separator: " ")
        do {
            let yaml = try String(contentsOfFile: file, encoding: .utf8)
            print(try JSONDocument(yaml: yaml).text)
        } catch {
            let message = Array("\(file): \(error)\n".utf8)
            _ = message.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
            exit(1)
        }
    }
}
