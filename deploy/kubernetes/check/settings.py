"""The settings of the programs: compose is the list of who is passed what."""

import re

from compose import BUCKET, PROGRAMS, Compose
from objects import Object, Overlay

# Secrets that are made by hand; docs/kubernetes.md says how.
BY_HAND = {"gateway-tls", "firebase", "nats", "backups"}


def secrets(compose: Compose) -> set[str]:
    """The names of all Secrets that an installation can have."""
    passwords = {f"{name}-database" for name in PROGRAMS if name != "gateway"}
    return {*PROGRAMS, *passwords, "files-bucket", *BY_HAND}


def environment(overlay: Overlay, container: dict) -> dict[str, str]:
    """The variables of a container that the manifests set: of ConfigMaps, and its own."""
    values: dict[str, str] = {}
    for source in container.get("envFrom", []):
        if "configMapRef" in source:
            config = overlay.find("ConfigMap", source["configMapRef"]["name"])
            values.update(config.data.get("data", {}) if config else {})
    for variable in container.get("env", []):
        values[variable["name"]] = re.sub(
            r"\$\(([A-Z0-9_]+)\)", lambda match: values.get(match[1], match[0]), variable.get("value", "")
        )
    return values


def check(overlay: Overlay, compose: Compose) -> None:
    for object in overlay.all("Deployment", "StatefulSet", "Job"):
        for container in object.containers:
            check_references(overlay, compose, object, container)
    for program in PROGRAMS:
        object = overlay.find("Deployment", program)
        if object is None:
            overlay.faults.append(f"{overlay.folder}: it has no Deployment of {program}, which compose starts.")
            continue
        for container in object.containers:
            check_program(overlay, compose, program, object, container)


def check_references(overlay: Overlay, compose: Compose, object: Object, container: dict) -> None:
    known = secrets(compose)
    for name, value in environment(overlay, container).items():
        if unknown := re.search(r"\$\(([A-Z0-9_]+)\)", value):
            overlay.fault(object, f"env {name}", f"$({unknown[1]}) is not set before it")
    for source in container.get("envFrom", []):
        name = source.get("secretRef", {}).get("name")
        if name and name not in known:
            overlay.fault(object, "envFrom.secretRef.name", f"`secrets` makes no Secret named {name}")
        if name in PROGRAMS and name not in (object.name, container["name"]):
            overlay.fault(object, "envFrom.secretRef.name", f"the secrets of {name} are not for {object.name}")
        config = source.get("configMapRef", {}).get("name")
        if config and not overlay.find("ConfigMap", config):
            overlay.fault(object, "envFrom.configMapRef.name", f"there is no ConfigMap named {config}")
    for variable in container.get("env", []):
        name = variable.get("valueFrom", {}).get("secretKeyRef", {}).get("name")
        if name and name not in known:
            overlay.fault(object, f"env {variable['name']}", f"`secrets` makes no Secret named {name}")
        elif (
            name
            and name.endswith("-database")
            and name.removesuffix("-database") not in (object.name, container["name"])
        ):
            overlay.fault(object, f"env {variable['name']}", f"{name} is not the password of {object.name}")
    for volume in object.template["spec"].get("volumes", []):
        name = volume.get("secret", {}).get("secretName")
        if name and name not in known:
            overlay.fault(object, f"volume {volume['name']}", f"`secrets` makes no Secret named {name}")
        claim = volume.get("persistentVolumeClaim", {}).get("claimName")
        if claim and not overlay.find("PersistentVolumeClaim", claim):
            overlay.fault(object, f"volume {volume['name']}", f"there is no PersistentVolumeClaim named {claim}")


def check_program(overlay: Overlay, compose: Compose, program: str, object: Object, container: dict) -> None:
    values = environment(overlay, container)
    passed = compose.settings[program]
    used = set(re.findall(r"\$\(([A-Z0-9_]+)\)", " ".join(v.get("value", "") for v in container.get("env", []))))
    announced = {"ANNOUNCER_URL"} if overlay.find("StatefulSet", "nats") else set()
    for name in sorted(set(values) - set(passed) - used - announced):
        overlay.fault(object, f"env {name}", f"compose passes {program} no setting of that name")
    sources = [source.get("secretRef", {}).get("name") for source in container.get("envFrom", [])]
    if program not in sources:
        overlay.fault(object, "envFrom", f"the Secret {program} is missing, which has what .env says")
    for name, variable in compose.from_env(program).items():
        if compose.is_required(variable) and program not in sources and name not in values:
            overlay.fault(object, f"env {name}", f"{program} is not passed it, which .env.example requires")
    for name, value in compose.fixed(program).items():
        given = values.get(name)
        if given is None:
            overlay.fault(object, f"env {name}", f"it is not set; compose sets it to {value}")
        elif name.endswith("_URL"):
            check_address(overlay, object, name, given, value)
        elif given != value:
            overlay.fault(object, f"env {name}", f"it is {given}, and {value} in compose")
    for name in set(passed) & {"DATABASE_URL", "DATABASE_DIRECT_URL"} - set(values):
        overlay.fault(object, f"env {name}", "it is not set")
    numbers = {str(port["containerPort"]) for port in container.get("ports", [])}
    for name in sorted({"PORT", "TLS_PORT", "ADMIN_PORT"} & set(values)):
        if values[name] not in numbers:
            overlay.fault(object, f"env {name}", f"it is {values[name]}, which is no port of the container")
    if "files-bucket" in sources and not set(BUCKET) & set(passed):
        overlay.fault(object, "envFrom", f"{program} stores no files and needs no Secret files-bucket")
    for name in ["SHUTDOWN_DELAY", "DRAIN_TIME", "GATEWAY_THREADS", "PASSWORD_THREADS"]:
        if not values.get(name, "0").isdecimal():
            overlay.fault(object, f"env {name}", f"it must be a whole number, and is {values[name]}")


def check_address(overlay: Overlay, object: Object, name: str, given: str, usual: str) -> None:
    """An address must be that of a Service of the called program, at its port."""
    match = re.fullmatch(r"http://([a-z-]+):(\d+)", given)
    service = overlay.find("Service", match[1]) if match else None
    if not match or not service:
        overlay.fault(object, f"env {name}", f"there is no Service at {given}")
        return
    if int(match[2]) not in [port["port"] for port in service.spec["ports"]]:
        overlay.fault(object, f"env {name}", f"the Service {match[1]} has no port {match[2]}")
    called = re.match(r"http://([a-z]+)", usual)[1]
    if service.spec["selector"].get("app.kubernetes.io/name") != called:
        overlay.fault(object, f"env {name}", f"the Service {match[1]} does not select {called}")
    # The gateway moves sockets between copies, and needs the addresses of all. The console has no sockets, and one copy.
    needs_all = object.name == "gateway" and called != "console"
    if (service.spec.get("clusterIP") == "None") != needs_all:
        wanted = "a headless Service" if needs_all else "a Service with an address of its own"
        overlay.fault(object, f"env {name}", f"{given} must be {wanted}")
