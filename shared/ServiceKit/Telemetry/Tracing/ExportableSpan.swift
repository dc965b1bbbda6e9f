package import Tracing

/// A span that can be exported: one that was recorded, or one that is made of what is known of it.
package protocol ExportableSpan: Sendable {
    var span: FinishedSpan { get }
    /// The span, whose attributes do not matter.
    var head: FinishedSpan { get }
    func forEachAttribute(_ body: (String, SpanAttribute) -> Void)
}

extension FinishedSpan: ExportableSpan {
    package var span: FinishedSpan { self }
    package var head: FinishedSpan { self }
    package func forEachAttribute(_ body: (String, SpanAttribute) -> Void) { attributes.forEach(body) }
}
