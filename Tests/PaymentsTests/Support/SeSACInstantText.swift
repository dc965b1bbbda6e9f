import Apps
import FoundationEssentials

/// Instants as the apps read them.
enum SeSACInstantText {
    static func date(_ text: String) -> Date? { SeSACInstant(text)?.date }
}
