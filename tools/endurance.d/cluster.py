"""The cluster under test: requests to its nodes, statements on its database, and the commands of tools/cluster."""

import http.client
import json
import os
import pathlib
import subprocess
import threading

TOOLS = pathlib.Path(__file__).resolve().parent.parent
NODES = ("node-1", "node-2", "node-3")


class Answer:
    """Status 0: no answer."""

    def __init__(self, status, body=b""):
        self.status = status
        self._body = body

    @property
    def json(self):
        return json.loads(self._body or b"{}")

    def __str__(self):
        return f"{self.status} {self._body[:200].decode(errors='replace')}"


class Cluster:
    def __init__(self, directory):
        self.directory = pathlib.Path(directory)
        self.ports = dict(line.split() for line in (self.directory / "ports").read_text().splitlines())
        self._connections = threading.local()
        self._environment = self._variables()
        self._database = self._environment["GRAPHD_DATABASE"]

    def _variables(self):
        """The variables with which commands find the graph."""
        run = subprocess.run(
            ["bash", "-c", f'eval "$({TOOLS}/cluster environment)" && env -0'], capture_output=True, text=True, check=True)
        return dict(variable.split("=", 1) for variable in run.stdout.split("\0") if variable)

    def ask(self, node, method, path, token=None, body=None, key=None):
        """Sends a request to a node. It may have been carried out if there is no answer."""
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if key:
            headers["Idempotency-Key"] = key
        connections = self._connections.__dict__
        try:
            connection = connections.get(node)
            if connection is None:
                connection = http.client.HTTPConnection("127.0.0.1", int(self.ports[node]), timeout=30)
                connections[node] = connection
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            response = connection.getresponse()
            return Answer(response.status, response.read())
        except (OSError, http.client.HTTPException):
            if connections.get(node):
                connections.pop(node).close()
            return Answer(0)

    def insist(self, node, method, path, token=None, body=None):
        """A request of the preparation, which must succeed."""
        answer = self.ask(node, method, path, token, body)
        if not 200 <= answer.status < 300:
            raise SystemExit(f"{method} {path}: {answer}")
        return answer.json

    def sql(self, statement):
        """The lines of the result, with `|` between columns."""
        run = subprocess.run(
            ["psql", "--no-psqlrc", self._database, "-Atqc", statement], capture_output=True, text=True, check=True)
        return run.stdout.splitlines()

    def graphd(self, *arguments):
        return subprocess.run(
            [os.environ["GRAPHD"], *arguments, "--data-dir", self.directory / "node-1"], capture_output=True, text=True,
            env=self._environment)

    def command(self, *arguments):
        """A command of tools/cluster. Raises `RuntimeError` if it fails."""
        run = subprocess.run([TOOLS / "cluster", *arguments], capture_output=True, text=True)
        if run.returncode != 0:
            raise RuntimeError(f"tools/cluster {' '.join(arguments)}: {run.stderr or run.stdout}")

    def succeeds(self, *arguments):
        return subprocess.run([TOOLS / "cluster", *arguments], capture_output=True).returncode == 0

    def status(self):
        """The lines of `tools/cluster status` by name."""
        run = subprocess.run([TOOLS / "cluster", "status"], capture_output=True, text=True, check=True)
        return {line.split()[0]: line for line in run.stdout.splitlines()}
