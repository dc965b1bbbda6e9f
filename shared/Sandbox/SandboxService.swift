import ServiceHost

/// The outside world on one port, for development and tests: faithful fakes of the systems that services call, bad days
/// included.
///
/// Each system lives below a prefix of its own, so that a service reaches the fake by its base URL alone:
/// `KAKAO_URL=http://127.0.0.1:8090/kakao`. What a person would do outside of our apps (allow a sign-in, pay) and what
/// goes wrong out there is driven below `/_control`:
///
/// | call | effect |
/// |---|---|
/// | `POST /_control/kakao/tokens` `{id, nickname?, email?, app_id?, expires_in?}` | → `{access_token}` |
/// | `POST /_control/apple/tokens` `{sub, email?, nonce?, aud?, expired?}` | → `{identity_token, authorization_code}` |
/// | `POST /_control/google/codes` `{sub, email?, name?, aud?, expired?}` | → `{authorization_code}` |
/// | `GET /_control/sms?to=` | → `{messages: [{to, from, text, at, code?}]}`, newest first |
/// | `GET /_control/push?token=&limit=` | → `{messages: [{id, project, token, title, subtitle, body, data, apns, apns_id, at, answered}]}`, newest first |
/// | `DELETE /_control/push` | what phones got is forgotten |
/// | `GET /_control/push/summary` | → `{messages, tokens}`, how many |
/// | `GET /_control/push/phones?token=` | → a page with the phones' lock screens |
/// | `POST /_control/push/tokens/{token}` `{error?, retry_after?, count?}` | FCM answers that error for the token; without `error` no more |
/// | `GET /_control/fcm/service-accounts/{project}` | → the key of the project's service account, as Google's console offers it |
/// | `POST /_control/fcm/tokens` `{project}` | → `{access_token}` that is good for the project's phones |
/// | `POST /_control/fcm/tokens/expire` | every access token for FCM is past its time |
/// | `POST /_control/fcm/latency` `{ms}` | FCM answers each message after that long; 0 at once |
/// | `POST /_control/trains` `{btrainNo, line, station, direction, seconds, destination}` | a train beside those of the station data |
/// | `DELETE /_control/trains` | the placed trains leave |
/// | `POST /_control/payments` `{merchant_uid, amount, status?, currency?, sandbox?, paid_at?, name?, buyer_name?}` | → `{imp_uid}`, as if paid in PortOne's window |
/// | `GET /_control/payments/{imp_uid}` | → the payment |
/// | `POST /_control/payments/{imp_uid}` `{status?, cancel_amount?, amount?, currency?}` | as if changed in PortOne's console |
/// | `POST /_control/payments/{imp_uid}/webhook` `{times?, delay_ms?, form?, status?}` | → `{statuses}`, what PortOne's webhook was answered |
/// | `POST /_control/payments/tokens/expire` | PortOne's access token is past its time |
/// | `POST /_control/faults` `{provider, kind: timeout\|lost\|slow\|http, status?, delay_ms?, count}` | the next `count` calls fail |
/// | `GET /_control/calls?provider=` | → `{calls: [{provider, method, path, query, body, at}]}`, newest first |
///
/// A page pays by `GET /portone/v1/iamport.js`, which defines `window.IMP` and opens the pay window.
///
/// State is in memory and ends with the process. The sandbox refuses to run with `MADANG_ENV=production`.
@main struct SandboxService {
    static func main() async {
        await ServiceHost.run(
            "sandbox",
            read: { SandboxConfiguration(&$0) },
            logLevel: \.logLevel,
            build: { try buildSandbox($0, logger: $1) }
        )
    }
}
