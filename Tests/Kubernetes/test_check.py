"""The check of the manifests (deploy/kubernetes/check) on overlays with one fault each: `make kubernetes`."""

import importlib.util
import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "deploy/kubernetes"

spec = importlib.util.spec_from_file_location("check_main", SOURCE / "check/__main__.py")
check = importlib.util.module_from_spec(spec)
spec.loader.exec_module(check)
PROGRAMS = ["gateway", "auth", "seats", "workforce", "estate", "community", "chat", "payments", "notifications", "console"]


class CheckTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name) / "deploy/kubernetes"
        ignored = shutil.ignore_patterns("check", "schemas")
        shutil.copytree(SOURCE, self.root, ignore=ignored)

    def tearDown(self):
        self.folder.cleanup()

    def replace(self, path: str, old: str, new: str):
        file = self.root / path
        text = file.read_text()
        self.assertIn(old, text)
        file.write_text(text.replace(old, new, 1))

    def faults(self, overlay: str = "production") -> list[str]:
        return check.faults(self.root / "overlays" / overlay, self.root)

    def assertFault(self, sentence: str, overlay: str = "production"):
        found = self.faults(overlay)
        self.assertTrue(any(sentence in fault for fault in found), f"{sentence!r} is not in {found}")

    # The form of objects

    def test_manifests_haveNoFault(self):
        for overlay in ["small", "production", "production-nats"]:
            self.assertEqual(self.faults(overlay), [])

    def test_unknownField(self):
        self.replace("base/seats.yaml", "envFrom:", "envform:")
        self.assertFault(
            "base/seats.yaml: Deployment seats: spec.template.spec.containers[0]: has no field named envform"
        )

    def test_valueOfAnotherType(self):
        self.replace("base/program.yaml", "minReadySeconds: 35", "minReadySeconds: soon")
        self.assertFault('Deployment gateway: spec.minReadySeconds: must be of type integer or null, and is "soon"')

    def test_unknownFieldOfCluster(self):
        self.replace("overlays/production/databases/money.yaml", "instances: 3", "instances: 3\n  replicas: 3")
        self.assertFault("databases/money.yaml: Cluster money: spec: has no field named replicas")

    def test_scheduleWithoutSeconds(self):
        self.replace("overlays/small/database.yaml", '"0 0 18 * * *"', '"0 18 * * *"')
        self.assertFault("overlays/small/database.yaml: ScheduledBackup database: spec.schedule:", "small")

    def test_brokenYAML_isASentence(self):
        self.replace("base/chat.yaml", "kind: Deployment", "kind: [")
        with self.assertRaises(check.Unusable) as raised:
            self.faults()
        self.assertIn("kustomize refuses it", str(raised.exception))

    # Pods

    def test_limitBelowRequest(self):
        self.replace("base/chat.yaml", "memory: 384Mi", "memory: 16Mi")
        self.assertFault(
            "base/chat.yaml: Deployment chat: containers program.resources.requests.memory: 48Mi are requested"
        )

    def test_limitOfCPU(self):
        self.replace("base/chat.yaml", "limits: { memory: 384Mi }", "limits: { memory: 384Mi, cpu: 1 }")
        self.assertFault("Deployment chat: containers program.resources.limits.cpu: must not be set")

    def test_missingProbe(self):
        self.replace("base/service.yaml", "livenessProbe", "lifecycle: {} #")
        self.assertFault("Deployment workforce: containers program.livenessProbe: is missing")

    def test_livenessWithDatabase(self):
        self.replace(
            "base/service.yaml",
            "livenessProbe: { httpGet: { path: /healthz",
            "livenessProbe: { httpGet: { path: /readyz",
        )
        self.assertFault("containers program.livenessProbe: /readyz fails without the database")

    def test_rootUser(self):
        self.replace("base/program.yaml", "runAsNonRoot: true", "runAsNonRoot: false")
        self.assertFault("Deployment auth: spec.template.spec.securityContext: runAsNonRoot must be true")

    def test_latestImage(self):
        self.replace("overlays/small/kustomization.yaml", '"1.0.0"', "latest")
        self.assertFault("Job migrations: containers auth.image: madang:latest must have a tag", "small")

    def test_serviceLinks(self):
        self.replace("base/program.yaml", "enableServiceLinks: false", "enableServiceLinks: true")
        self.assertFault("Deployment auth: spec.template.spec.enableServiceLinks: must be false")

    def test_shortGrace(self):
        self.replace("base/seats.yaml", "terminationGracePeriodSeconds: 40", "terminationGracePeriodSeconds: 20")
        self.assertFault(
            "terminationGracePeriodSeconds: must be 33 or more for SHUTDOWN_DELAY, REQUEST_DEADLINE and 10 s"
        )

    def test_shortGraceOfGateway(self):
        self.replace("base/settings/gateway.env", "DRAIN_TIME=30", "DRAIN_TIME=60")
        self.assertFault(
            "Deployment gateway: spec.template.spec.terminationGracePeriodSeconds: must be 80 or more for SHUTDOWN_DELAY"
        )

    # Copies

    def test_unavailableCopies(self):
        self.replace("base/program.yaml", "maxUnavailable: 0", "maxUnavailable: 1")
        self.assertFault("spec.strategy.rollingUpdate: maxUnavailable must be 0")

    def test_noCopy(self):
        self.replace("overlays/small/kustomization.yaml", "{ name: chat, count: 1 }", "{ name: chat, count: 0 }")
        self.assertFault("base/chat.yaml: Deployment chat: spec.replicas: must be 1 or more, and is 0", "small")

    def test_budgetOfAllCopies(self):
        self.replace("components/scaling/budgets.yaml", "minAvailable: 50%", "minAvailable: 2")
        self.assertFault("PodDisruptionBudget gateway: spec.minAvailable: keeps 2 of 2 copies of gateway")

    def test_missingBudget(self):
        self.replace("components/scaling/budgets.yaml", "app.kubernetes.io/name: seats", "app.kubernetes.io/name: chat")
        self.assertFault("Deployment seats: PodDisruptionBudget: is missing for 2 copies")

    def test_autoscalerWithoutRange(self):
        self.replace("components/scaling/autoscaler.yaml", "minReplicas: 2", "minReplicas: 9")
        self.assertFault("HorizontalPodAutoscaler auth: spec.minReplicas: must be from 1 to maxReplicas, 6, and is 9")

    def test_selectorWithoutPod(self):
        self.replace(
            "base/payments.yaml", "selector: { app.kubernetes.io/name: payments }", "selector: { app: payments }"
        )
        self.assertFault("base/payments.yaml: Service payments: spec.selector: matches no pod")

    def test_monitorOfUnknownPort(self):
        self.replace("components/monitoring/monitors.yaml", "port: http", "port: metrics")
        self.assertFault("ServiceMonitor services: spec.endpoints.port: the Service auth has no port named metrics")

    def test_autoscalerWithoutMeasure(self):
        self.replace("components/scaling/kustomization.yaml", "name: websocket_connections", "name: sockets")
        self.assertFault("HorizontalPodAutoscaler chat: spec.metrics: prometheus-adapter.yaml has no rule for sockets")

    # Settings and secrets

    def test_portOutOfRange(self):
        self.replace("base/settings/gateway.env", "PORT=8080", "PORT=88080")
        self.assertFault("Deployment gateway: env PORT: it is 88080")

    def test_unknownSetting(self):
        self.replace("base/settings/chat.env", "PORT=8086", "PORT=8086\nCHAT_SPEED=9")
        self.assertFault("Deployment chat: env CHAT_SPEED: compose passes chat no setting of that name")

    def test_settingOfAnotherProgram(self):
        self.replace("base/settings/chat.env", "PORT=8086", "PORT=8086\nPORTONE_PG=html5")
        self.assertFault("Deployment chat: env PORTONE_PG: compose passes chat no setting of that name")

    def test_missingSetting(self):
        self.replace("base/settings/seats.env", "NOTIFICATIONS_URL=http://notifications:8088", "")
        self.assertFault("env NOTIFICATIONS_URL: it is not set; compose sets it to http://notifications:8088")

    def test_otherPort(self):
        self.replace("base/settings/estate.env", "AUTH_URL=http://auth:8081", "AUTH_URL=http://auth:8082")
        self.assertFault("Deployment estate: env AUTH_URL: the Service auth has no port 8082")

    def test_gatewayAtOneAddress(self):
        self.replace("base/settings/gateway.env", "http://chat-copies:8086", "http://chat:8086")
        self.assertFault("Deployment gateway: env CHAT_URL: http://chat:8086 must be a headless Service")

    def test_missingSecret(self):
        self.replace("base/payments.yaml", "- secretRef: { name: payments }\n            ", "")
        self.assertFault("Deployment payments: envFrom: the Secret payments is missing")

    def test_unknownSecret(self):
        self.replace("base/payments.yaml", "- secretRef: { name: payments }", "- secretRef: { name: payment }")
        self.assertFault("Deployment payments: envFrom.secretRef.name: `secrets` makes no Secret named payment")

    def test_secretOfAnotherProgram(self):
        self.replace(
            "base/chat.yaml",
            "- secretRef: { name: chat }",
            "- secretRef: { name: chat }\n            - secretRef: { name: auth }",
        )
        self.assertFault("Deployment chat: envFrom.secretRef.name: the secrets of auth are not for chat")

    def test_passwordOfAnotherRole(self):
        self.replace("base/chat.yaml", "name: chat-database", "name: auth-database")
        self.assertFault("Deployment chat: env CHAT_DATABASE_PASSWORD: auth-database is not the password of chat")

    def test_variableThatIsSetLater(self):
        self.replace("base/chat.yaml", "- { name: DATABASE_SERVERS,", "- { name: DATABASE_HOSTS,")
        self.assertFault("base/chat.yaml: Deployment chat: env DATABASE_URL: $(DATABASE_SERVERS) is not set before it")

    def test_timeThatIsNoNumber(self):
        self.replace("base/settings/chat.env", "SHUTDOWN_DELAY=8", "SHUTDOWN_DELAY=8s")
        self.assertFault("Deployment chat: env SHUTDOWN_DELAY: it must be a whole number, and is 8s")

    # Databases

    def test_otherBootstrap(self):
        self.replace("components/database/bootstrap.sql", "'auth', 'seats'", "'auth'")
        self.assertFault("bootstrap.sql: it differs from shared/Tools/StackKit/Bootstrap/bootstrap.sql")

    def test_unknownCluster(self):
        self.replace("base/seats.yaml", "live-pooler", "lively-pooler")
        self.assertFault("Deployment seats: env DATABASE_URL: must end with @CLUSTER-pooler:5432/madang")

    def test_missingRole(self):
        self.replace("overlays/production/databases/money.yaml", "name: payments-database", "name: payments")
        self.assertFault(
            "Cluster money: spec.managed.roles: payments needs a role with the password of payments-database"
        )

    def test_synchronousWithoutStandby(self):
        self.replace("overlays/production/databases/money.yaml", "instances: 3", "instances: 1")
        self.assertFault("Cluster money: spec.postgresql.synchronous.number: waits for 1 standbys, and there are 0")

    # Policies

    def test_openService(self):
        self.replace(
            "base/auth.yaml",
            "    - ports: [{ port: 8081 }]\n      from:\n",
            "    - ports: [{ port: 8081 }]\n    - from:\n",
        )
        self.assertFault("base/auth.yaml: NetworkPolicy auth: spec.ingress: is open to everyone at auth: http")

    def test_openMetrics(self):
        self.replace("base/gateway.yaml", "{ port: 8443 }]", "{ port: 8443 }, { port: 8079 }]")
        self.assertFault("NetworkPolicy gateway: spec.ingress: is open to everyone at gateway: admin, http, https")

    def test_callerThatDoesNotCall(self):
        self.replace("base/payments.yaml", "values: [gateway, auth, console, stack]", "values: [gateway, auth, console, seats, stack]")
        self.assertFault("NetworkPolicy payments: spec.ingress: lets seats in to payments:8087, which it does not call")

    def test_callerThatIsShutOut(self):
        self.replace("base/payments.yaml", "values: [gateway, auth, console, stack]", "values: [gateway, console, stack]")
        self.assertFault("NetworkPolicy: auth calls payments:8087, and no policy lets it in there")

    def test_callWithoutWayOut(self):
        self.replace(
            "base/payments.yaml",
            "values: [auth, estate, community, notifications, console]",
            "values: [auth, estate, community, console]",
        )
        self.assertFault("NetworkPolicy: payments calls notifications:8088, and no policy lets it out there")

    def test_databaseOfAnotherService(self):
        self.replace(
            "overlays/production/databases/money.yaml",
            "values: [auth, payments, migrations]",
            "values: [auth, payments, seats, migrations]",
        )
        self.assertFault("NetworkPolicy money-clients: spec.egress: lets seats out to money, which it does not call")

    def test_openByDefault(self):
        self.replace("base/network.yaml", "policyTypes: [Ingress, Egress]", "policyTypes: [Egress]")
        self.assertFault("no NetworkPolicy forbids Ingress of every pod by default")

    def test_outsideForAProgramWithoutProvider(self):
        self.replace("base/network.yaml", "values: [auth, estate,", "values: [auth, workforce, estate,")
        self.assertFault("NetworkPolicy: workforce is let out at port 443, where it calls no provider")

    def test_providerWithoutWayOut(self):
        self.replace("base/network.yaml", "payments, notifications]", "payments]")
        self.assertFault("NetworkPolicy: notifications calls providers at port 443, and no policy lets it out")

    def test_privateAddresses(self):
        self.replace("base/network.yaml", "except: [10.0.0.0/8, ", "except: [")
        self.assertFault("NetworkPolicy providers: spec.egress: lets out to private addresses: except 10.0.0.0/8")

    def test_collectorWithoutWayOut(self):
        self.replace("base/network.yaml", "values: [gateway, service] }", "values: [gateway] }")
        self.assertFault("NetworkPolicy: chat exports spans, and no policy lets it out to the collector in monitoring")

    def test_collectorForAProgramWithoutSpans(self):
        self.replace("base/network.yaml", "values: [gateway, service] }", "values: [gateway, service, migrations] }")
        self.assertFault("NetworkPolicy: migrations is let out to the collector in monitoring at port 4318")

    def test_collectorAtAnyPort(self):
        self.replace("base/network.yaml", "      ports: [{ port: 4318 }]\n", "")
        self.assertFault(
            "NetworkPolicy collector: spec.egress: lets out to the namespace monitoring at all ports; nothing is called"
        )

    def test_namespaceThatIsNotCalled(self):
        self.replace("base/network.yaml", "kubernetes.io/metadata.name: monitoring", "team: monitoring")
        self.assertFault("NetworkPolicy collector: spec.egress: lets out to the namespace of any name at 4318")

    def test_consoleForAProgramThatKeepsNoTraces(self):
        self.replace("base/console.yaml", "values: [gateway, auth,", "values: [gateway, migrations, auth,")
        self.assertFault("NetworkPolicy console: spec.ingress: lets migrations in to console:8089")

    def test_consoleIsShutOutOfAService(self):
        self.replace("base/payments.yaml", "values: [gateway, auth, console, stack]", "values: [gateway, auth, stack]")
        self.assertFault("NetworkPolicy: console calls payments:8087, and no policy lets it in there")

    def test_natsWithoutPolicy(self):
        self.replace("components/nats/network.yaml", "ports: [{ port: 4222 }]", "ports: [{ port: 4223 }]")
        self.assertFault("NetworkPolicy: auth calls nats:4222, and no policy lets it in there", "production-nats")


class SecretsTests(unittest.TestCase):
    def run_secrets(self, text: str, *arguments: str) -> subprocess.CompletedProcess:
        with tempfile.NamedTemporaryFile("w", suffix=".env") as file:
            file.write(text)
            file.flush()
            command = [sys.executable, str(SOURCE / "secrets"), *arguments, file.name]
            return subprocess.run(command, capture_output=True, text=True, check=False)

    @staticmethod
    def filled(**values: str) -> str:
        lines = []
        for line in (ROOT / ".env.example").read_text().splitlines():
            name, mark, value = line.partition("=")
            if mark and not line.startswith("#"):
                lines.append(f"{name}={values.pop(name, value or 'a' * 32)}")
        return "\n".join([*lines, *(f"{name}={value}" for name, value in values.items())])

    def test_everyProgramGetsItsSettingsOnly(self):
        result = self.run_secrets(self.filled(SMS_KEY="'a b\\nc'"), "--files-volume")
        self.assertEqual(result.stderr, "")
        secrets = {item["metadata"]["name"]: item["stringData"] for item in json.loads(result.stdout)["items"]}
        self.assertEqual(secrets["auth"]["SMS_KEY"], "a b\\nc")
        self.assertNotIn("SMS_KEY", secrets["payments"])
        self.assertEqual([name for name, data in secrets.items() if "PORTONE_SECRET" in data], ["payments"])
        self.assertEqual(secrets["chat-database"], {"username": "chat", "password": "a" * 32})
        self.assertNotIn("files-bucket", secrets)
        self.assertNotIn("POSTGRES_PASSWORD", json.dumps(secrets))

    def test_missingSetting_printsNoSecret(self):
        result = self.run_secrets(self.filled().replace("PORTONE_SECRET=", "#"), "--files-volume")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("PORTONE_SECRET is not set.", result.stderr)

    def test_missingBucket_printsNoSecret(self):
        result = self.run_secrets(self.filled())
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("FILES_S3_URL is not set.", result.stderr)

    def test_passwordThatIsNoPartOfAURL_printsNoSecret(self):
        result = self.run_secrets(self.filled(AUTH_DATABASE_PASSWORD="a@b/c" * 4), "--files-volume")
        self.assertEqual(result.stdout, "")
        self.assertIn("AUTH_DATABASE_PASSWORD must have 16 or more letters and digits", result.stderr)

    def test_play_hasEveryPodOfTheOverlay(self):
        with tempfile.NamedTemporaryFile("w", suffix=".env") as file:
            file.write(self.filled())
            file.flush()
            command = [sys.executable, str(SOURCE / "play"), "print", "--env", file.name]
            result = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(result.stderr, "")
        pods = {d["metadata"]["name"]: d["spec"] for d in yaml.safe_load_all(result.stdout) if d and d["kind"] == "Pod"}
        services = [program for program in PROGRAMS if program != "gateway"]
        self.assertEqual(set(pods), {"database", "migrations", *PROGRAMS})
        opened = [p for spec in pods.values() for c in spec["containers"] for p in c.get("ports", [])]
        self.assertEqual([(p["hostIP"], p["hostPort"], p["name"]) for p in opened], [("127.0.0.1", 8080, "http")])
        self.assertEqual([container["name"] for container in pods["migrations"]["containers"]], services)
        database = {v["name"]: v["value"] for v in pods["database"]["containers"][0]["env"]}
        cluster = yaml.safe_load((SOURCE / "components/database/cluster.yaml").read_text())
        self.assertEqual(database["LANG"], cluster["spec"]["bootstrap"]["initdb"]["localeCollate"])
        for service in services:
            values = {v["name"]: v.get("value") for v in pods[service]["containers"][0]["env"]}
            url = f"postgres://{service}:{'a' * 32}@database-pooler:5432/madang"
            self.assertEqual(values["DATABASE_URL"], url)


if __name__ == "__main__":
    unittest.main()
