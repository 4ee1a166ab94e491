"""Faults of a cluster. Each ends with the part alive again; the load goes on meanwhile."""

import random
import time

from cluster import NODES

REDIS = tuple(f"redis-{number}" for number in range(1, 7))


def pause(longest):
    """Picks the instant or the length of a fault."""
    time.sleep(random.uniform(0, longest))


class Faults:
    def __init__(self, cluster):
        self._cluster = cluster

    def kill_node(self):
        node = random.choice(NODES)
        self._cluster.command("kill", node)
        pause(4)
        self._cluster.command("launch", node)

    def stall_node(self):
        self._stall(random.choice(NODES), 8)

    def restart_master(self):
        """Without persistence a master comes back empty, before a replica has taken over."""
        master = self._master()
        self._cluster.command("kill", master)
        self._cluster.command("launch", master)
        self._await_redis()

    def fail_master(self):
        master = self._master()
        self._cluster.command("fail", master)
        pause(3)
        self._cluster.command("launch", master)
        self._await_redis()

    def stall_master(self):
        """At most two seconds longer than a master may be silent: sometimes a replica takes over, sometimes not."""
        self._stall(self._master(), 9)
        self._await_redis()

    def restart_primary(self):
        primary = self._primary()
        self._cluster.command("kill", primary)
        pause(2)
        self._cluster.command("launch", primary)

    def stall_primary(self):
        self._stall(self._primary(), 6)

    def promote(self):
        self._cluster.command("promote")
        pause(2)
        self._cluster.command("rejoin")

    def _stall(self, name, longest):
        self._cluster.command("pause", name)
        pause(longest)
        self._cluster.command("resume", name)

    def _primary(self):
        return (self._cluster.directory / "primary").read_text().strip()

    def _master(self):
        status = self._cluster.status()
        return random.choice([name for name in REDIS if " master " in status[name]])

    def _await_redis(self):
        while not self._cluster.succeeds("whole"):
            time.sleep(0.2)
