import ServiceKit

/// Emulates the external systems that services call, including their failures, on one port, for development and tests.
///
/// Each system has a path prefix, so that a service uses the emulation by its base URL alone:
/// `KAKAO_URL=http://127.0.0.1:8090/kakao`. Actions of users outside the apps (consent to a sign-in, payment) and
/// failures are controlled below `/_control`:
///
/// - `POST /_control/kakao/tokens` `{id, nickname?, email?, app_id?, expires_in?}` → `{access_token}`
/// - `POST /_control/apple/tokens` `{sub, email?, nonce?, aud?, expired?}` → `{identity_token, authorization_code}`
/// - `POST /_control/google/codes` `{sub, email?, name?, aud?, expired?}` → `{authorization_code}`
/// - `GET /_control/sms?to=&limit=` → `{messages: [{to, from, text, at, code?}]}`, newest first
/// - `GET /_control/push?token=&id=&limit=` →
///   `{messages: [{id, project, token, title, subtitle, body, data, apns, apns_id, at, answered}]}`, newest first
/// - `DELETE /_control/push`: deletes the recorded messages
/// - `GET /_control/push/summary` → `{messages, tokens}`, the counts
/// - `GET /_control/push/phones?token=` → a web page with the phones' lock screens
/// - `POST /_control/push/tokens/{token}` `{error?, retry_after?, count?}`: sets FCM's error for the token; removes it
///   without `error`
/// - `GET /_control/fcm/service-accounts/{project}` → the key of the project's service account, in the format of
///   Google's console
/// - `POST /_control/fcm/tokens` `{project}` → `{access_token}` for the project
/// - `POST /_control/fcm/tokens/expire`: expires all access tokens for FCM
/// - `POST /_control/fcm/latency` `{ms}`: sets the latency of FCM's responses
/// - `POST /_control/trains` `{btrainNo, line, station, direction, seconds, destination}`: places a train in addition
///   to the timetable
/// - `GET /_control/trains` → `{trains: [{number, line, destination}]}`; `DELETE /_control/trains`: removes the placed trains
/// - `POST /_control/payments` `{merchant_uid, amount, status?, currency?, sandbox?, paid_at?, name?, buyer_name?}` →
///   `{imp_uid}` of a payment as if made in PortOne's window
/// - `GET /_control/payments?limit=` → `{payments}`, newest first; `GET /_control/payments/{imp_uid}` → the payment
/// - `POST /_control/payments/{imp_uid}` `{status?, cancel_amount?, amount?, currency?}`: changes it as if in PortOne's
///   console
/// - `POST /_control/payments/{imp_uid}/webhook` `{times?, delay_ms?, form?, status?}` → `{statuses}` of the responses
///   to PortOne's webhook
/// - `POST /_control/payments/tokens/expire`: expires PortOne's access token
/// - `POST /_control/faults` `{provider, kind: timeout|lost|slow|http, status?, delay_ms?, count}`: the next `count`
///   calls fail
/// - `GET /_control/faults` → `{providers, faults: [{provider, kind, count, status?, delay_ms?}]}`
/// - `GET /_control/calls?provider=` → `{calls: [{provider, method, path, query, body, at}]}`, newest first
///
/// Kakao's tokens and Google's codes `test-user-<id>` are those of test users: valid at any time, without a control.
///
/// Web pages load `GET /portone/v1/iamport.js`, which defines `window.IMP` and opens the payment window.
///
/// The state is in memory and is lost when the process exits. The sandbox refuses to run with `MADANG_ENV=production`.
@main struct SandboxService {
    static func main() async {
        await ServiceHost.run(
            "sandbox",
            "local stand-ins for the identity providers, PortOne, FCM and open data",
            read: { SandboxConfiguration(&$0) },
            logLevel: \.logLevel,
            build: { try buildSandbox($0, logger: $1) }
        )
    }
}
