"""Faults and readers without end on a running cluster; tools/endurance starts both. See its head for the settings."""

import json
import os
import random
import sys
import threading
import time
import traceback

from cluster import NODES, Cluster
from faults import Faults
from hiding import Hiding
from people import People
from writing import Writing, check_posts

# Kills of processes, promotions of the standby, and stalls, with the number of each among 100 faults.
KINDS = {
    "kill_node": 38, "restart_master": 22, "fail_master": 12, "restart_primary": 10, "promote": 10, "stall_node": 3,
    "stall_master": 3, "stall_primary": 2,
}


def say(text):
    print(f"endurance: {text}", flush=True)


def end(failure):
    """Does not wait for the threads, which may wait for what has failed."""
    traceback.print_exception(failure)
    os._exit(1)


def end_with_thread(failure):
    """Python goes on without a thread that has failed, and says nothing of one that raised SystemExit."""
    end(failure.exc_value)


class Record:
    """What all runs in this directory have done."""

    def __init__(self, directory):
        self._file = directory / "endurance.json"
        self.counts = json.loads(self._file.read_text()) if self._file.exists() else {}

    def add(self, name, number=1):
        self.counts[name] = self.counts.get(name, 0) + number
        new = self._file.with_suffix(".new")
        new.write_text(json.dumps(self.counts, sort_keys=True))
        new.rename(self._file)

    def count(self, name):
        return self.counts.get(name, 0)

    @property
    def faults(self):
        return sum(self.count(kind) for kind in KINDS)


def await_cluster(cluster):
    """Until every node can serve and nothing waits to be delivered."""
    while True:
        answers = [cluster.ask(node, "GET", "/readyz") for node in NODES]
        if all(answer.status == 200 and answer.json["outbox"]["pending"] == 0 for answer in answers):
            return
        time.sleep(0.2)


def check(cluster, record, writing, hiding):
    """Everything that has been acknowledged is there, and each window equals the database."""
    if hiding.violations:
        raise SystemExit("\n".join(hiding.violations[:20]))
    record.add("pairs", hiding.pairs)
    record.add("pages", hiding.pages)
    record.add("unanswered", hiding.unanswered)
    await_cluster(cluster)
    posts = check_posts(cluster, writing.acknowledged)
    run = cluster.graphd("timelines", "verify", "--all")
    if run.returncode != 0:
        raise SystemExit(f"timelines verify: {run.stdout}{run.stderr}")
    say(f"{posts} acknowledged posts are there, once and in order; windows are exact; so far {json.dumps(record.counts)}")


def run_faults(cluster, people, record, total):
    faults = Faults(cluster)
    while record.faults < total:
        writing, hiding = Writing(cluster, people), Hiding(cluster, people, actors=2)
        with writing, hiding:
            for _ in range(min(25, total - record.faults)):
                kind = random.choices(list(KINDS), list(KINDS.values()))[0]
                time.sleep(random.uniform(0, 1))
                try:
                    getattr(faults, kind)()
                except RuntimeError as failure:
                    end(failure)
                record.add(kind)
        check(cluster, record, writing, hiding)


def run_pairs(cluster, people, record, total):
    while record.count("pairs") < total:
        writing, hiding = Writing(cluster, people), Hiding(cluster, people)
        start, before = time.monotonic(), record.count("pairs")
        with writing, hiding:
            while before + hiding.pairs < total and not hiding.violations and time.monotonic() < start + 60:
                time.sleep(0.2)
        check(cluster, record, writing, hiding)


def main():
    threading.excepthook = end_with_thread
    directory, mode, total = sys.argv[1], sys.argv[2], int(sys.argv[3])
    cluster = Cluster(directory)
    await_cluster(cluster)
    people = People(cluster, readers=int(os.environ.get("ENDURANCE_READERS", "50" if mode == "pairs" else "6")))
    record = Record(cluster.directory)
    {"faults": run_faults, "pairs": run_pairs}[mode](cluster, people, record, total)
    say("all of it held")


main()
