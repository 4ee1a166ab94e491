"""The accounts of the drill, made once for the life of its directory."""

import json

from cluster import NODES

PASSWORD = "correct horse battery"


class Person:
    def __init__(self, name, id, token):
        self.name, self.id, self.token = name, id, token

    @property
    def email(self):
        return f"{self.name}@drill.example"


class People:
    """Writers, whose posts stay; authors, whose posts are hidden; readers, who follow all authors; an admin and a moderator."""

    def __init__(self, cluster, readers):
        self._cluster = cluster
        self._file = cluster.directory / "people.json"
        self._known = json.loads(self._file.read_text()) if self._file.exists() else {}
        self.authors = [self._person(f"author{number}") for number in range(4)]
        self.readers = [self._person(f"reader{number}") for number in range(readers)]
        self.admin = self._person("admin0")
        self.moderator = self._person("moderator0")
        for reader in self.readers:
            for author in self.authors:
                # A run that was interrupted may have left a block, which hides the author.
                self._cluster.insist(NODES[0], "DELETE", f"/v1/users/{reader.id}/block", author.token)
                self.follow(NODES[0], reader, author)
        run = cluster.graphd("user", "role", self.admin.name, "admin", "--yes")
        if run.returncode != 0:
            raise SystemExit(f"graphd user role: {run.stderr}")

    def new_writers(self, count=3):
        """Accounts that have not written yet: graphd remembers a limited number of idempotency keys of each."""
        first = sum(name.startswith("writer") for name in self._known)
        writers = [self._person(f"writer{first + number}") for number in range(count)]
        for writer in writers:
            self.follow(NODES[1], self.readers[0], writer)
        return writers

    def follow(self, node, follower, followee):
        self._cluster.insist(node, "PUT", f"/v1/users/{followee.id}/follow", follower.token)

    def _person(self, name):
        if name not in self._known:
            body = {"email": f"{name}@drill.example", "password": PASSWORD, "username": name}
            session = self._cluster.insist(NODES[0], "POST", "/v1/auth/signup", body=body)
            self._known[name] = session["userId"]
            self._file.write_text(json.dumps(self._known))
        run = self._cluster.graphd("token", name)
        if run.returncode != 0:
            raise SystemExit(f"graphd token {name}: {run.stderr}")
        return Person(name, self._known[name], run.stdout.strip())
