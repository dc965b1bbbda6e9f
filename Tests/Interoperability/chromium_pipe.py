"""A headless Chromium, driven by the DevTools protocol over a pipe (`--remote-debugging-pipe`): messages of JSON, each
ended by NUL. Needs nothing but Python."""

import base64
import json
import os
import queue
import subprocess
import threading
import time

TIMEOUT = 40


class Wrong(Exception):
    """Something is not as it should be."""


class Chromium:
    """A browser with a profile of its own."""

    def __init__(self, program, profile):
        hears, self.says = os.pipe()
        self.reads, tells = os.pipe()

        def give_pipes():
            # The protocol's are 3 and 4. Both are moved out of the way first: one may be the other's number.
            hearing, telling = os.dup(hears), os.dup(tells)
            high_in, high_out = 100, 101
            os.dup2(hearing, high_in)
            os.dup2(telling, high_out)
            os.dup2(high_in, 3)
            os.dup2(high_out, 4)

        command = [
            program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe",
            f"--user-data-dir={profile}", "--window-size=390,844", "about:blank",
        ]
        self.process = subprocess.Popen(
            command, preexec_fn=give_pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(hears)
        os.close(tells)
        self.number = 0
        self.answers = {}
        self.tabs = {}
        self.lock = threading.Lock()
        threading.Thread(target=self.listen, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close")
            self.process.wait(TIMEOUT)
        except (Wrong, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()

    def listen(self):
        rest = b""
        while True:
            try:
                some = os.read(self.reads, 1 << 16)
            except OSError:
                return
            if not some:
                return
            *messages, rest = (rest + some).split(b"\0")
            for message in map(json.loads, messages):
                if "id" in message:
                    self.answers.pop(message["id"]).put(message)
                elif message.get("sessionId") in self.tabs:
                    self.tabs[message["sessionId"]].hear(message["method"], message["params"])

    def send(self, method, session=None, **params):
        """Sends a command; returns where its answer will be."""
        box = queue.Queue()
        with self.lock:
            self.number += 1
            message = {"id": self.number, "method": method, "params": params}
            if session:
                message["sessionId"] = session
            self.answers[self.number] = box
            os.write(self.says, json.dumps(message).encode() + b"\0")
        return box

    def call(self, method, session=None, **params):
        """Sends a command; returns its result."""
        try:
            answer = self.send(method, session, **params).get(timeout=TIMEOUT)
        except queue.Empty:
            raise Wrong(f"Chromium does not answer {method}") from None
        if "error" in answer:
            raise Wrong(f"Chromium refuses {method}: {answer['error']['message']}")
        return answer["result"]

    def tab(self):
        """A new tab, as wide as a phone."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        return Tab(self, target, session)


class Tab:
    """A tab, which collects what the browser complains about: blocked by a policy, thrown and not caught."""

    def __init__(self, browser, target, session):
        self.browser, self.target, self.session = browser, target, session
        self.complaints = []
        # The addresses of all requests.
        self.requests = []
        self.frames = {}
        self.headers = {}
        browser.tabs[session] = self
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=2, mobile=False)

    def call(self, method, **params):
        return self.browser.call(method, self.session, **params)

    def hear(self, method, params):
        if method == "Runtime.executionContextCreated":
            context = params["context"]
            if context["auxData"].get("isDefault"):
                self.frames[context["id"]] = context["auxData"]["frameId"]
        elif method == "Runtime.executionContextDestroyed":
            self.frames.pop(params["executionContextId"], None)
        elif method == "Runtime.executionContextsCleared":
            self.frames.clear()
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(params["exceptionDetails"].get("exception", {}).get("description", "an exception"))
        elif method == "Runtime.consoleAPICalled" and params["type"] == "error":
            self.complaints.append(" ".join(str(argument.get("value")) for argument in params["args"]))
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Log.entryAdded" and params["entry"]["source"] in ("security", "violation", "javascript"):
            self.complaints.append(params["entry"]["text"])
        elif method == "Fetch.requestPaused":
            own = [{"name": name, "value": value} for name, value in params["request"]["headers"].items()]
            more = [{"name": name, "value": value} for name, value in self.headers.items()]
            self.browser.send("Fetch.continueRequest", self.session, requestId=params["requestId"], headers=own + more)

    def before_each_page(self, script):
        self.call("Page.addScriptToEvaluateOnNewDocument", source=script)

    def pretend(self, agent):
        self.call("Network.setUserAgentOverride", userAgent=agent)

    def block(self, *patterns):
        """Lets nothing through that fits; called again without any, everything."""
        self.call("Network.setBlockedURLs", urls=list(patterns))

    def open(self, url, headers):
        """Opens an address; the headers go along with this one request alone."""
        self.headers = headers
        self.call("Fetch.enable", patterns=[{"urlPattern": url, "requestStage": "Request"}])
        self.call("Page.navigate", url=url)
        self.until(f"location.href.startsWith({json.dumps(url)}) && document.readyState === 'complete'",
                   f"{url} does not open")
        self.call("Fetch.disable")

    def contexts(self, within):
        """Where scripts of the page run, or of a frame whose address has a part."""
        if within is None:
            tree = self.call("Page.getFrameTree")["frameTree"]
            return [context for context, frame in list(self.frames.items()) if frame == tree["frame"]["id"]]
        return [context for context in list(self.frames) if within in str(self.run("location.href", context))]

    def run(self, script, context):
        try:
            answer = self.call("Runtime.evaluate", expression=script, contextId=context, returnByValue=True,
                               awaitPromise=False)
        except Wrong:
            # The page has gone meanwhile.
            return None
        return answer["result"].get("value")

    def ask(self, script, within=None):
        """What an expression is worth; nil where there is nowhere to ask."""
        for context in reversed(self.contexts(within)):
            return self.run(script, context)
        return None

    def until(self, script, otherwise, within=None):
        """Asks until it holds."""
        limit = time.monotonic() + TIMEOUT
        while not self.ask(script, within):
            if time.monotonic() > limit:
                raise Wrong(f"{otherwise}; {self.complaints}")
            time.sleep(0.1)

    def picture(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)
