// Opens the payment window, with the interface of PortOne's script: IMP.init(userCode), IMP.request_pay(params, callback).
(() => {
  "use strict";
  // The base URL of the sandbox.
  const home = new URL("../", document.currentScript.src);
  // These are set by the merchant's server, not by the page.
  const ignored = ["notice_url", "confirm_url", "m_redirect_url"];
  let userCode = "";

  const refusal = (params, message) => ({
    success: false, imp_uid: null, merchant_uid: params.merchant_uid ?? null, error_code: "F400", error_msg: message,
  });

  const begin = async (params, redirect) => {
    const fields = new URLSearchParams({ user_code: userCode });
    for (const [name, value] of Object.entries(params)) {
      if (value === undefined || value === null || ignored.includes(name)) continue;
      fields.set(name, typeof value === "object" ? JSON.stringify(value) : String(value));
    }
    if (redirect) fields.set("m_redirect_url", redirect);
    // A form needs no CORS preflight.
    const answer = await fetch(new URL("window", home), { method: "POST", body: fields, credentials: "omit" });
    return answer.json();
  };

  // Shows the window over the page until the user has finished.
  const show = (impUid, finish) => {
    const frame = document.createElement("iframe");
    frame.src = new URL(`window/${impUid}`, home).href;
    frame.title = "결제창";
    Object.assign(frame.style, {
      position: "fixed", inset: "0", width: "100%", height: "100%", border: "0", zIndex: "2147483647",
      background: "rgba(15, 18, 25, .55)", colorScheme: "normal",
    });
    const listen = (event) => {
      if (event.source !== frame.contentWindow || event.origin !== home.origin) return;
      if (event.data?.imp_uid !== impUid) return;
      window.removeEventListener("message", listen);
      frame.remove();
      if (event.data.outcome) finish(event.data.outcome);
    };
    window.addEventListener("message", listen);
    document.body.append(frame);
    frame.focus();
  };

  window.IMP = {
    init(code) {
      userCode = String(code ?? "");
    },
    async request_pay(params = {}, callback) {
      const finish = (outcome) => callback?.(outcome);
      if (userCode === "") return finish(refusal(params, "IMP.init으로 가맹점 식별코드를 먼저 설정해 주세요."));
      // Mobile browsers leave the page for the window, and return to the redirect URL.
      const redirect = navigator.userAgent.includes("Mobile") ? params.m_redirect_url : undefined;
      let answer;
      try {
        answer = await begin(params, redirect);
      } catch {
        return finish(refusal(params, "결제창을 열 수 없습니다. 잠시 뒤에 다시 시도해 주세요."));
      }
      if (!answer.imp_uid) {
        if (answer.redirect && !callback) return location.assign(answer.redirect);
        return finish({ ...refusal(params, answer.message ?? "결제창을 열 수 없습니다."), ...answer.outcome });
      }
      if (redirect) return location.assign(new URL(`window/${answer.imp_uid}`, home));
      show(answer.imp_uid, finish);
    },
  };
})();
