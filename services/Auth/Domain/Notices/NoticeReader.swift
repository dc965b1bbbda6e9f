import Providers

/// Reads what came in as a provider's notice.
struct NoticeReader: Sendable {
    let kakao: KakaoClient
    let apple: AppleClient

    /// What a notice says; nil for what no provider said, or what does not concern us.
    ///
    /// - Throws: `ProviderUnavailable` while that cannot be known.
    func read(_ notice: ReceivedNotice) async throws -> ProviderNotice? {
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
