// Signs in as a person of the initial data, and sends calls. It keeps tokens in memory only, and no text becomes HTML.
"use strict";

const panel = document.getElementById("session");
const session = JSON.parse(panel.dataset.session);
const LIMIT = 200_000;
let token = "";

const element = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

/** Sends a request; the answer has status, headers, body and the time in milliseconds. */
const send = async (method, path, headers, body) => {
  const start = performance.now();
  const reply = await fetch(path, { method, headers, body, credentials: "omit", cache: "no-store" });
  const type = reply.headers.get("content-type") ?? "";
  const isText = type === "" || /json|text|xml|javascript/.test(type);
  const text = isText ? await reply.text() : `${type}, ${(await reply.blob()).size} bytes`;
  return { reply, text, time: Math.round(performance.now() - start) };
};

const pretty = (text) => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

// MARK: The session

const persons = element("select", { id: "person" });
session.persons.forEach((person, index) => persons.append(element("option", { value: index }, person.name)));
const signIn = element("button", { type: "button", id: "sign-in" }, "Sign in");
const state = element("p", { id: "signed-in", role: "status" }, "Not signed in. Calls are sent without an access token.");
const held = element("input", { id: "token", autocomplete: "off", spellcheck: false, placeholder: "access token" });
held.addEventListener("input", () => { token = held.value.trim(); });

signIn.addEventListener("click", async () => {
  const person = session.persons[persons.value];
  signIn.disabled = true;
  try {
    const headers = { "Content-Type": "application/json", ...session.headers, ...person.headers };
    const { reply, text } = await send(person.method, person.path, headers, person.body);
    const body = JSON.parse(text || "{}");
    const found = body.accessToken ?? body.result?.accessToken;
    if (reply.ok && found) {
      held.value = token = found;
      state.textContent = `Signed in as ${person.name}, by ${person.method} ${person.path}.`;
    } else {
      state.textContent = `${person.method} ${person.path} answered ${reply.status}: ${text}`;
    }
  } catch (error) {
    state.textContent = `The sign-in failed: ${error.message}`;
  } finally {
    signIn.disabled = false;
  }
});
panel.append(
  element("h2", {}, "Try it"),
  state,
  element("div", { className: "row" }, persons, signIn),
  element("div", { className: "row" }, held),
);
persons.setAttribute("aria-label", "Person");
held.setAttribute("aria-label", "Access token");
panel.hidden = false;

// MARK: Calls

const input = (field) => {
  const control = element("input", { type: field.place === "file" ? "file" : "text", value: "", autocomplete: "off" });
  if (field.place === "file") control.multiple = true;
  else control.value = field.value;
  control.required = field.isRequired && field.place === "path";
  return { field, control };
};

const labelled = (name, note, control) =>
  element("div", {}, element("label", {}, `${name} `, element("small", {}, note), control));

/** The request that the form describes. */
const request = (call, parameters, fields, body) => {
  let path = call.path;
  const query = new URLSearchParams();
  const headers = { ...session.headers };
  if (token) headers.Authorization = session.scheme + token;
  for (const { field, control } of parameters) {
    if (field.place === "path") path = path.replace(`{${field.name}}`, encodeURIComponent(control.value));
    else if (control.value === "") continue;
    else if (field.place === "query") query.append(field.name, control.value);
    else headers[field.name] = control.value;
  }
  const text = query.toString();
  if (text) path += `?${text}`;
  if (!call.type) return { path, headers };
  if (call.type === "application/json") {
    headers["Content-Type"] = call.type;
    return { path, headers, content: body.value };
  }
  const form = call.type === "multipart/form-data" ? new FormData() : new URLSearchParams();
  for (const { field, control } of fields) {
    if (field.place === "file") for (const file of control.files) form.append(field.name, file);
    else if (control.value !== "") form.append(field.name, control.value);
  }
  return { path, headers, content: form };
};

const show = (outcome, { reply, text, time }) => {
  const lines = [...reply.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
  const long = text.length > LIMIT ? `${text.slice(0, LIMIT)}\n… ${text.length - LIMIT} more characters` : pretty(text);
  outcome.replaceChildren(
    element("p", {}, element("b", { className: `status ${reply.ok ? "good" : "bad"}` }, `${reply.status}`),
      ` ${reply.statusText} in ${time} ms`),
    element("details", {}, element("summary", {}, "Headers"), element("pre", { className: "code" }, lines)),
    element("pre", { className: "code answer", tabIndex: 0 }, long || "no content"),
  );
};

const build = (article, holder) => {
  const call = JSON.parse(article.dataset.call);
  const parameters = call.parameters.map(input);
  const fields = call.fields.map(input);
  const body = element("textarea", { value: pretty(call.body), spellcheck: false });
  body.rows = Math.min(16, body.value.split("\n").length + 1);
  const form = element("form", {});
  for (const { field, control } of [...parameters, ...fields]) {
    form.append(labelled(field.name, field.isRequired ? `${field.place}, required` : field.place, control));
  }
  if (call.type === "application/json") form.append(labelled("Body", call.type, body));
  const button = element("button", { className: "send" }, `Send ${call.method}`);
  form.append(element("div", {}, button));
  const outcome = element("div", { className: "outcome", role: "status" });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      const { path, headers, content } = request(call, parameters, fields, body);
      show(outcome, await send(call.method, path, headers, content));
    } catch (error) {
      outcome.replaceChildren(element("p", { className: "bad" }, `No answer: ${error.message}`));
    } finally {
      button.disabled = false;
    }
  });
  holder.append(form, outcome);
  form.querySelector("input, textarea, button").focus();
};

for (const article of document.querySelectorAll("[data-call]")) {
  const holder = element("div", { className: "try" });
  const opener = element("button", { type: "button", className: "open" }, "Try it");
  opener.setAttribute("aria-label", `Try ${article.querySelector("h3").textContent}`);
  opener.addEventListener("click", () => {
    opener.remove();
    build(article, holder);
  });
  holder.append(opener);
  article.querySelector(".sample").prepend(holder);
}
