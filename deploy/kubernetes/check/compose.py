"""What docker-compose.yml passes to each program, and what .env.example says about it."""

import re
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[3]
SERVICES = ["auth", "seats", "workforce", "estate", "community", "chat", "payments", "notifications", "console"]
PROGRAMS = ["gateway", *SERVICES]

# The settings of a bucket are in a Secret of their own, which the component `bucket` requires.
BUCKET = ["FILES_S3_URL", "FILES_S3_REGION", "FILES_S3_KEY_ID", "FILES_S3_SECRET"]
# The addresses that browsers load, or clients: no program calls them.
FOR_CLIENTS = {"PUBLIC_URL", "PORTONE_SCRIPT_URL", "FILES_S3_URL"}


class Compose:
    def __init__(self, root: Path = ROOT):
        services = yaml.safe_load((root / "docker-compose.yml").read_text())["services"]
        # The values of the settings of each program; None for one that is passed on.
        self.settings = {name: services[name]["environment"] for name in [*PROGRAMS, "stack"]}
        # The values of .env.example; those behind a # may be left out.
        self.example: dict[str, str] = {}
        self.optional: set[str] = set()
        for mark, name, value in re.findall(r"(?m)^(#?)([A-Z][A-Z0-9_]*)=(.*)$", (root / ".env.example").read_text()):
            self.example[name] = value
            if mark:
                self.optional.add(name)

    def variable(self, program: str, setting: str) -> str | None:
        """The variable of .env that gives a setting its value; None if compose sets the value itself."""
        value = self.settings[program][setting]
        if value is None:
            return setting
        match = re.fullmatch(r"\$\{([A-Z0-9_]+)(:-.*)?\}", str(value))
        return match[1] if match else None

    def from_env(self, program: str) -> dict[str, str]:
        """The settings of a program that come from .env, with their variables."""
        pairs = ((setting, self.variable(program, setting)) for setting in self.settings[program])
        return {setting: variable for setting, variable in pairs if variable and setting not in BUCKET}

    def fixed(self, program: str) -> dict[str, str]:
        """The settings of a program whose values compose has itself, without those made of a password."""
        values = self.settings[program].items()
        return {name: str(value) for name, value in values if value is not None and "${" not in str(value)}

    def is_required(self, variable: str) -> bool:
        return variable in self.example and variable not in self.optional

    def provider_ports(self, program: str) -> set[int]:
        """The ports at which a program calls outside systems."""
        ports = set()
        for setting, variable in self.from_env(program).items():
            url = self.example.get(variable, "")
            if setting in FOR_CLIENTS or not re.match(r"https?://", url):
                continue
            port = re.search(r":(\d+)$", url)
            ports.add(int(port[1]) if port else 443 if url.startswith("https") else 80)
        return ports
