"""The database clusters: each service has its role and its pooler in the cluster that its settings name."""

import re
from pathlib import Path

from compose import ROOT, SERVICES
from objects import Overlay
from settings import environment

BOOTSTRAP = ROOT / "shared/Tools/StackKit/Bootstrap/bootstrap.sql"


def check(overlay: Overlay, folder: Path) -> None:
    copy = folder / "components/database/bootstrap.sql"
    if copy.read_text() != BOOTSTRAP.read_text():
        overlay.faults.append(f"{copy}: it differs from {BOOTSTRAP.relative_to(ROOT)}: copy that file.")
    for service in SERVICES:
        object = overlay.find("Deployment", service)
        if object is None:
            continue
        values = environment(overlay, object.containers[0])
        for setting, part in [("DATABASE_URL", "pooler"), ("DATABASE_DIRECT_URL", "rw")]:
            match = re.search(rf"@([a-z]+)-{part}:5432/madang$", values.get(setting, ""))
            cluster = overlay.find("Cluster", match[1]) if match else None
            if cluster is None:
                overlay.fault(
                    object, f"env {setting}", f"must end with @CLUSTER-{part}:5432/madang for a Cluster of this overlay"
                )
                continue
            roles = {role["name"]: role for role in cluster.spec["managed"]["roles"]}
            if roles.get(service, {}).get("passwordSecret", {}).get("name") != f"{service}-database":
                overlay.fault(
                    cluster, "spec.managed.roles", f"{service} needs a role with the password of {service}-database"
                )
    for cluster in overlay.all("Cluster"):
        for kind in ["Pooler", "ScheduledBackup"]:
            if not any(object.spec["cluster"]["name"] == cluster.name for object in overlay.all(kind)):
                overlay.fault(cluster, kind, "is missing")
        wanted = cluster.spec.get("postgresql", {}).get("synchronous", {}).get("number", 0)
        if wanted >= cluster.spec["instances"]:
            text = f"waits for {wanted} standbys, and there are {cluster.spec['instances'] - 1}"
            overlay.fault(cluster, "spec.postgresql.synchronous.number", text)
    for object in overlay.all("Pooler", "ScheduledBackup"):
        if not overlay.find("Cluster", object.spec["cluster"]["name"]):
            overlay.fault(object, "spec.cluster.name", f"there is no Cluster named {object.spec['cluster']['name']}")
    for pooler in overlay.all("Pooler"):
        if pooler.spec["pgbouncer"].get("poolMode") == "transaction":
            if not int(pooler.spec["pgbouncer"]["parameters"].get("max_prepared_statements", 0)):
                overlay.fault(pooler, "spec.pgbouncer.parameters", "max_prepared_statements must be above 0")
