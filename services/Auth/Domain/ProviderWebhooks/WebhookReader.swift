import ServiceKit

/// Verifies and decodes received webhooks.
struct WebhookReader: Sendable {
    let kakao: KakaoClient
    let apple: AppleClient

    /// The decoded webhook; nil for one that is not from the provider or has no effect here.
    ///
    /// - Throws: `ProviderUnavailable` when the provider's keys cannot be fetched.
    func read(_ notice: ReceivedWebhook) async throws -> ProviderWebhook? {
        switch notice.provider {
        case .apple:
            do {
                return try await apple.notice(payload: notice.fields["payload"] ?? "", app: notice.app)
            } catch AccountError.socialTokenRefused {
                return nil
            }
        case .kakao: return kakao.notice(notice)
        case .google: return nil
        }
    }
}
