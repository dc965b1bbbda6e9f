"""Rules for pods: security, probes, resources, copies, disruptions, and references by labels."""

import math
import re
from pathlib import Path

import yaml

from compose import BUCKET, Compose
from objects import Object, Overlay
from settings import environment

ADAPTER = Path(__file__).resolve().parents[1] / "components/monitoring/prometheus-adapter.yaml"
UNITS = {"": 1, "k": 1000, "M": 1000**2, "G": 1000**3, "Ki": 1024, "Mi": 1024**2, "Gi": 1024**3}


def check(overlay: Overlay, compose: Compose) -> None:
    for object in overlay.all("Deployment", "StatefulSet", "Job"):
        check_pod(overlay, object)
        for container in object.containers:
            check_container(overlay, object, container)
    for object in overlay.all("Deployment"):
        check_copies(overlay, object)
        check_grace(overlay, compose, object)
    for object in overlay.all("HorizontalPodAutoscaler"):
        check_autoscaler(overlay, object)
    check_selectors(overlay)


def amount(text: str) -> float:
    """Bytes, or cores."""
    match = re.fullmatch(r"([0-9.]+)(m|k|M|G|Ki|Mi|Gi)?", str(text))
    if not match:
        return math.nan
    return float(match[1]) * (0.001 if match[2] == "m" else UNITS[match[2] or ""])


def check_pod(overlay: Overlay, object: Object) -> None:
    pod = object.template["spec"]
    security = pod.get("securityContext", {})
    path = "spec.template.spec"
    if security.get("runAsNonRoot") is not True or not security.get("runAsUser"):
        overlay.fault(object, f"{path}.securityContext", "runAsNonRoot must be true, with a numeric runAsUser")
    if security.get("seccompProfile", {}).get("type") != "RuntimeDefault":
        overlay.fault(object, f"{path}.securityContext.seccompProfile", "type must be RuntimeDefault")
    if pod.get("automountServiceAccountToken") is not False:
        overlay.fault(object, f"{path}.automountServiceAccountToken", "must be false: no program calls the API server")
    if pod.get("enableServiceLinks") is not False:
        overlay.fault(object, f"{path}.enableServiceLinks", "must be false: AUTH_PORT and others are names of settings")


def check_container(overlay: Overlay, object: Object, container: dict) -> None:
    path = f"containers {container['name']}"
    security = container.get("securityContext", {})
    if security.get("allowPrivilegeEscalation") is not False or security.get("readOnlyRootFilesystem") is not True:
        overlay.fault(object, f"{path}.securityContext", "must forbid escalation, and writing to the root file system")
    if security.get("capabilities", {}).get("drop") != ["ALL"]:
        overlay.fault(object, f"{path}.securityContext.capabilities", "must drop ALL")
    tag = container["image"].rpartition("/")[2].partition(":")[2]
    if tag in ("", "latest") and "@" not in container["image"]:
        overlay.fault(object, f"{path}.image", f"{container['image']} must have a tag that names a version")
    resources = container.get("resources", {})
    request, limit = resources.get("requests", {}), resources.get("limits", {})
    if "cpu" not in request or "memory" not in request or "memory" not in limit:
        overlay.fault(object, f"{path}.resources", "needs requests of cpu and memory, and a limit of memory")
    elif amount(request["memory"]) > amount(limit["memory"]):
        text = f"{request['memory']} are requested, more than the limit of {limit['memory']}"
        overlay.fault(object, f"{path}.resources.requests.memory", text)
    if "cpu" in limit:
        overlay.fault(object, f"{path}.resources.limits.cpu", "must not be set: it pauses programs within a request")
    if object.kind == "Job":
        return
    ports = {port["name"] for port in container.get("ports", [])}
    for probe in ["startupProbe", "readinessProbe", "livenessProbe"]:
        target = container.get(probe, {}).get("httpGet")
        if not target:
            overlay.fault(object, f"{path}.{probe}", "is missing")
        elif target["port"] not in ports:
            overlay.fault(object, f"{path}.{probe}.httpGet.port", f"the container has no port named {target['port']}")
    if container.get("livenessProbe", {}).get("httpGet", {}).get("path") == "/readyz":
        overlay.fault(
            object, f"{path}.livenessProbe", "/readyz fails without the database, which no restart brings back"
        )


def copies(overlay: Overlay, object: Object) -> int:
    """The smallest number of copies that a Deployment has in operation."""
    scaler = overlay.find("HorizontalPodAutoscaler", object.name)
    return scaler.spec.get("minReplicas", 1) if scaler else object.spec.get("replicas", 1)


def check_copies(overlay: Overlay, object: Object) -> None:
    number = copies(overlay, object)
    if number < 1:
        overlay.fault(object, "spec.replicas", f"must be 1 or more, and is {number}")
    if overlay.find("HorizontalPodAutoscaler", object.name) and "replicas" in object.spec:
        overlay.fault(object, "spec.replicas", "must not be set beside a HorizontalPodAutoscaler")
    update = object.spec.get("strategy", {}).get("rollingUpdate", {})
    if update.get("maxUnavailable") != 0 or not update.get("maxSurge"):
        overlay.fault(object, "spec.strategy.rollingUpdate", "maxUnavailable must be 0, with a maxSurge of 1 or more")
    budgets = [b for b in overlay.all("PodDisruptionBudget") if matches(b.spec["selector"], object.labels)]
    if number > 1 and not budgets:
        overlay.fault(object, "PodDisruptionBudget", f"is missing for {number} copies")
    for budget in budgets:
        least = budget.spec.get("minAvailable", 0)
        if isinstance(least, str):
            least = math.ceil(number * int(least.removesuffix("%")) / 100)
        if least >= number:
            text = f"keeps {least} of {number} copies of {object.name}, so that no host could be emptied"
            overlay.fault(budget, "spec.minAvailable", text)


def check_grace(overlay: Overlay, compose: Compose, object: Object) -> None:
    """The time between SIGTERM and SIGKILL must be enough for an orderly end."""
    container = object.containers[0]
    values = environment(overlay, container)
    settings = compose.settings.get(object.name, {})
    if "SHUTDOWN_DELAY" not in settings:
        return
    if "DRAIN_TIME" in settings:
        setting, usual = "DRAIN_TIME", "30"
    elif set(BUCKET) & set(settings):
        setting, usual = "UPLOAD_DEADLINE", "120"
    else:
        setting, usual = "REQUEST_DEADLINE", "15"
    times = [values.get("SHUTDOWN_DELAY", "0"), values.get(setting, usual)]
    if not all(time.isdecimal() for time in times):
        return
    needed = sum(int(time) for time in times) + 10
    reason = f"SHUTDOWN_DELAY, {setting} and 10 s"
    grace = object.template["spec"].get("terminationGracePeriodSeconds", 30)
    if grace < needed:
        path = "spec.template.spec.terminationGracePeriodSeconds"
        overlay.fault(object, path, f"must be {needed} or more for {reason}, and is {grace}")


def measures() -> set[str]:
    """The metrics that prometheus-adapter makes by the rules beside the monitors."""
    rules = yaml.safe_load(ADAPTER.read_text())["rules"]["custom"]
    return {rule.get("name", {}).get("as") or rule["seriesQuery"].partition("{")[0] for rule in rules}


def check_autoscaler(overlay: Overlay, object: Object) -> None:
    least, most = object.spec.get("minReplicas", 1), object.spec["maxReplicas"]
    if not 1 <= least <= most:
        overlay.fault(object, "spec.minReplicas", f"must be from 1 to maxReplicas, {most}, and is {least}")
    if not overlay.find(object.spec["scaleTargetRef"]["kind"], object.spec["scaleTargetRef"]["name"]):
        overlay.fault(object, "spec.scaleTargetRef", f"there is no {object.spec['scaleTargetRef']['name']}")
    for metric in object.spec["metrics"]:
        name = metric.get("pods", {}).get("metric", {}).get("name")
        if name and name not in measures():
            overlay.fault(object, "spec.metrics", f"{ADAPTER.name} has no rule for {name}")


def matches(selector: dict, labels: dict) -> bool:
    for key, value in selector.get("matchLabels", {}).items():
        if labels.get(key) != value:
            return False
    for rule in selector.get("matchExpressions", []):
        value, values = labels.get(rule["key"]), rule.get("values", [])
        holds = {"In": value in values, "NotIn": value not in values, "Exists": value is not None}
        if not holds.get(rule["operator"], value is None):
            return False
    return True


def check_selectors(overlay: Overlay) -> None:
    pods = overlay.all("Deployment", "StatefulSet")
    for object in pods:
        if not matches(object.spec["selector"], object.labels):
            overlay.fault(object, "spec.selector", "does not match the labels of its own pods")
    for service in overlay.all("Service"):
        chosen = [pod for pod in pods if matches({"matchLabels": service.spec.get("selector", {})}, pod.labels)]
        if not chosen:
            overlay.fault(service, "spec.selector", "matches no pod")
        for pod in chosen:
            names = {port["name"] for container in pod.containers for port in container.get("ports", [])}
            for port in service.spec["ports"]:
                if port.get("targetPort") not in names:
                    overlay.fault(service, "spec.ports", f"{pod.name} has no port named {port.get('targetPort')}")
    for budget in overlay.all("PodDisruptionBudget"):
        if not any(matches(budget.spec["selector"], pod.labels) for pod in pods):
            overlay.fault(budget, "spec.selector", "matches no pod")
    for monitor in overlay.all("ServiceMonitor"):
        services = overlay.all("Service")
        chosen = [s for s in services if matches(monitor.spec["selector"], s.data["metadata"].get("labels", {}))]
        if not chosen:
            overlay.fault(monitor, "spec.selector", "matches no Service")
        for endpoint in monitor.spec["endpoints"]:
            for service in chosen:
                if endpoint["port"] not in [port["name"] for port in service.spec["ports"]]:
                    text = f"the Service {service.name} has no port named {endpoint['port']}"
                    overlay.fault(monitor, "spec.endpoints.port", text)
