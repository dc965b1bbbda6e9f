"""The NetworkPolicies: they have to let through exactly the calls that the settings of the programs name."""

import re
from dataclasses import dataclass

from compose import SERVICES, Compose
from objects import Object, Overlay
from settings import environment
from workloads import matches

# The namespaces outside of this one that may come in.
NAMESPACES = {"monitoring", "cnpg-system"}
# Where a collector of OpenTelemetry is: its namespace, and its port for OTLP over HTTP.
COLLECTOR = ("monitoring", 4318)
# The namespaces outside of this one that are called, and the ports.
CALLED = {("kube-system", 53), COLLECTOR}
OUTSIDE = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"]


@dataclass(frozen=True)
class Pod:
    name: str
    labels: tuple[tuple[str, str], ...]
    ports: tuple[tuple[str, int], ...]

    def number(self, port: str | int) -> int | None:
        return port if isinstance(port, int) else dict(self.ports).get(port)


def pods(overlay: Overlay) -> list[Pod]:
    """All pods of the namespace, with the ports on which others call them."""
    found = []
    for object in overlay.all("Deployment", "StatefulSet", "Job"):
        ports = [(p["name"], p["containerPort"]) for c in object.containers for p in c.get("ports", [])]
        found.append(Pod(object.name, tuple(object.labels.items()), tuple(ports)))
    for cluster in overlay.all("Cluster"):
        labels = (("cnpg.io/cluster", cluster.name), ("cnpg.io/podRole", "instance"))
        found.append(Pod(cluster.name, labels, (("postgres", 5432), ("status", 8000))))
    found.append(Pod("stack", (("app.kubernetes.io/name", "stack"),), ()))
    return found


def expected(overlay: Overlay) -> set[tuple[str, str, int]]:
    """The calls that the settings name: caller, called pod, port."""
    calls = set()
    for object in overlay.all("Deployment", "Job"):
        for container in object.containers:
            for name, value in environment(overlay, container).items():
                if match := re.fullmatch(r"http://([a-z]+)(?:-copies)?:(\d+)", value):
                    calls.add((object.name, match[1], int(match[2])))
                if name.startswith("DATABASE_") and (match := re.search(r"@([a-z]+)-(?:pooler|rw):(\d+)/", value)):
                    calls.add((object.name, match[1], int(match[2])))
                if name == "ANNOUNCER_URL":
                    calls.add((object.name, "nats", int(re.search(r":(\d+)", value.split("@")[1])[1])))
    for cluster in overlay.all("Cluster"):
        calls |= {(cluster.name, cluster.name, 5432), (cluster.name, cluster.name, 8000)}
    if overlay.find("StatefulSet", "nats"):
        calls.add(("nats", "nats", 6222))
    for service in SERVICES:
        for container in (overlay.find("Deployment", service) or Object({}, "")).containers:
            calls |= {("stack", service, port["containerPort"]) for port in container.get("ports", [])}
    return calls


def check(overlay: Overlay, compose: Compose) -> None:
    everyone = pods(overlay)
    policies = overlay.all("NetworkPolicy")
    for direction in ["Ingress", "Egress"]:
        if not any(p.spec["podSelector"] == {} and direction in p.spec.get("policyTypes", []) for p in policies):
            overlay.faults.append(f"{overlay.folder}: no NetworkPolicy forbids {direction} of every pod by default.")
    let_out: dict[tuple[str, str, int], Object] = {}
    let_in: dict[tuple[str, str, int], Object] = {}
    for policy in policies:
        chosen = [pod for pod in everyone if matches(policy.spec["podSelector"], dict(pod.labels))]
        for rule in policy.spec.get("egress", []):
            check_egress(overlay, policy, rule)
            for caller in chosen:
                for called in reached(rule.get("to", []), everyone):
                    for port in ports(rule, called):
                        let_out[caller.name, called.name, port] = policy
        for rule in policy.spec.get("ingress", []):
            check_ingress(overlay, policy, rule, chosen)
            for called in chosen:
                for caller in reached(rule.get("from", []), everyone):
                    for port in ports(rule, called):
                        let_in[caller.name, called.name, port] = policy
    wanted = expected(overlay)
    # A rule that names pods without ports lets out to all of their ports; who is called decides which of them are open.
    reasons = sorted({(caller, called) for caller, called, _ in wanted})
    for caller, called, port in sorted(wanted):
        if (caller, called, port) not in let_out:
            overlay.faults.append(f"NetworkPolicy: {caller} calls {called}:{port}, and no policy lets it out there.")
        if (caller, called, port) not in let_in:
            overlay.faults.append(f"NetworkPolicy: {caller} calls {called}:{port}, and no policy lets it in there.")
    for (caller, called, port), policy in let_in.items():
        if (caller, called, port) not in wanted:
            overlay.fault(policy, "spec.ingress", f"lets {caller} in to {called}:{port}, which it does not call")
    for (caller, called), policy in {key[:2]: value for key, value in let_out.items()}.items():
        if (caller, called) not in reasons:
            overlay.fault(policy, "spec.egress", f"lets {caller} out to {called}, which it does not call")
    check_providers(overlay, compose, policies, everyone)
    check_collector(overlay, compose, policies, everyone)


def reached(peers: list[dict], everyone: list[Pod]) -> list[Pod]:
    selectors = [p["podSelector"] for p in peers if "podSelector" in p and "namespaceSelector" not in p]
    return [pod for pod in everyone if any(matches(selector, dict(pod.labels)) for selector in selectors)]


def ports(rule: dict, pod: Pod) -> set[int]:
    known = {number for _, number in pod.ports}
    if "ports" not in rule:
        return known
    return {number for port in rule["ports"] if (number := pod.number(port["port"])) in known}


def check_ingress(overlay: Overlay, policy: Object, rule: dict, chosen: list[Pod]) -> None:
    if not rule.get("from"):
        public = {"http", "https"}
        for pod in chosen:
            names = {name for name, number in pod.ports if number in ports(rule, pod)}
            if pod.name != "gateway" or not names <= public:
                text = f"is open to everyone at {pod.name}: {', '.join(sorted(names))}; only the gateway's http and https may be"
                overlay.fault(policy, "spec.ingress", text)
    for peer in rule.get("from", []):
        if "ipBlock" in peer:
            overlay.fault(policy, "spec.ingress", f"lets addresses in: {peer['ipBlock']['cidr']}; name pods")
        if "namespaceSelector" in peer:
            name = peer["namespaceSelector"].get("matchLabels", {}).get("kubernetes.io/metadata.name")
            if name not in NAMESPACES or "ports" not in rule:
                overlay.fault(
                    policy,
                    "spec.ingress",
                    f"lets the namespace {name} in, and may only {sorted(NAMESPACES)}, with ports",
                )


def check_egress(overlay: Overlay, policy: Object, rule: dict) -> None:
    database = policy.spec["podSelector"].get("matchExpressions", [{}])[0].get("key") == "cnpg.io/cluster"
    if not rule.get("to") and not (database and "ports" in rule):
        overlay.fault(policy, "spec.egress", "lets out to everywhere; name what is called")
    for peer in rule.get("to", []):
        for namespace, port in namespaces(peer, rule) - CALLED:
            overlay.fault(policy, "spec.egress", f"lets out to the namespace {namespace} at {port}; nothing is called there")
        missing = set(OUTSIDE) - set(peer.get("ipBlock", {}).get("except", OUTSIDE))
        if missing:
            overlay.fault(policy, "spec.egress", f"lets out to private addresses: except {', '.join(sorted(missing))}")


def namespaces(peer: dict, rule: dict) -> set[tuple[str, int | str]]:
    """The other namespaces that a rule's peer lets out to, with the ports."""
    if "namespaceSelector" not in peer:
        return set()
    name = peer["namespaceSelector"].get("matchLabels", {}).get("kubernetes.io/metadata.name", "of any name")
    return {(name, port["port"]) for port in rule.get("ports", [{"port": "all ports"}])}


def check_collector(overlay: Overlay, compose: Compose, policies: list[Object], everyone: list[Pod]) -> None:
    """A program that exports spans, and no other pod, is let out to a collector."""
    for pod in everyone:
        own = [policy for policy in policies if matches(policy.spec["podSelector"], dict(pod.labels))]
        rules = [rule for policy in own for rule in policy.spec.get("egress", [])]
        is_let_out = any(COLLECTOR in namespaces(peer, rule) for rule in rules for peer in rule.get("to", []))
        # A database cluster may have the name of a program.
        is_program = ("app.kubernetes.io/name", pod.name) in pod.labels
        exports = is_program and "OTEL_EXPORTER_OTLP_ENDPOINT" in compose.settings.get(pod.name, {})
        place = f"the collector in {COLLECTOR[0]} at port {COLLECTOR[1]}"
        if exports and not is_let_out:
            overlay.faults.append(f"NetworkPolicy: {pod.name} exports spans, and no policy lets it out to {place}.")
        elif is_let_out and not exports:
            overlay.faults.append(f"NetworkPolicy: {pod.name} is let out to {place}, and exports no spans.")


def check_providers(overlay: Overlay, compose: Compose, policies: list[Object], everyone: list[Pod]) -> None:
    """A program that calls outside systems is let out to the ports of their addresses in .env.example."""
    for pod in everyone:
        if pod.name not in compose.settings or pod.name == "stack":
            continue
        open_ports = set()
        for policy in policies:
            if not matches(policy.spec["podSelector"], dict(pod.labels)):
                continue
            for rule in policy.spec.get("egress", []):
                if any("ipBlock" in peer for peer in rule.get("to", [])):
                    open_ports |= {port["port"] for port in rule.get("ports", [{"port": "all"}])}
        wanted = compose.provider_ports(pod.name)
        container = overlay.find("Deployment", pod.name).containers[0]
        if any(s.get("secretRef", {}).get("name") == "files-bucket" for s in container.get("envFrom", [])):
            wanted = wanted | {443}
        for port in sorted(wanted - open_ports):
            overlay.faults.append(
                f"NetworkPolicy: {pod.name} calls providers at port {port}, and no policy lets it out."
            )
        for port in sorted(open_ports - wanted, key=str):
            overlay.faults.append(f"NetworkPolicy: {pod.name} is let out at port {port}, where it calls no provider.")
