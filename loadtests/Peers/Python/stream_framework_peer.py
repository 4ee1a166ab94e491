"""Deliveries a second of Stream-Framework 1.4.0 into feeds in Redis, each trimmed to a cap, the way its manager fans out.

    python stream_framework_peer.py SOCKET FOLLOWERS POSTS CAP WORKERS

Tasks run in worker processes without a broker, which spares Stream-Framework the cost of its queue. Its manager names a
parameter `async`, which Python has kept for itself since 3.7: the module is read with that name changed.
"""
import importlib.util
import multiprocessing
import pathlib
import re
import sys
import time
import types

import stream_framework
from stream_framework import default_settings

SOCKET, FOLLOWERS, POSTS, CAP, WORKERS = sys.argv[1], *map(int, sys.argv[2:6])
default_settings.STREAM_REDIS_CONFIG["default"] = {"unix_socket_path": SOCKET, "host": None, "port": None, "db": 0, "password": None}

from stream_framework.activity import Activity  # noqa: E402
from stream_framework.feeds.redis import RedisFeed  # noqa: E402
from stream_framework.storage.redis import connection  # noqa: E402
from stream_framework.verbs.base import Love  # noqa: E402

import redis  # noqa: E402


def connect(*_, **__):
    global CONNECTION
    if CONNECTION is None:
        CONNECTION = redis.StrictRedis(unix_socket_path=SOCKET)
    return CONNECTION


CONNECTION = None


def manager_module():
    """feed_managers.base, whose text Python no longer takes as it is."""
    path = pathlib.Path(stream_framework.__file__).parent / "feed_managers" / "base.py"
    module = types.ModuleType("stream_framework.feed_managers.base")
    exec(compile(re.sub(r"\basync\b", "asynchronous", path.read_text()), str(path), "exec"), module.__dict__)
    return module


class Home(RedisFeed):
    key_format = "home:%(user_id)s"
    max_length = CAP
    trim_chance = 1.0 / 64


def activity(number):
    return Activity(actor=1, verb=Love, object=number, time=None)


def work(first, last, share, shares):
    """Every worker fans each post out to its share of the followers, a hundred at a time, as tasks do."""
    manager = manager_module()
    users = list(range(share, FOLLOWERS, shares))
    fan = manager.Manager()
    for number in range(first, last):
        for start in range(0, len(users), manager.Manager.fanout_chunk_size):
            chunk = users[start:start + manager.Manager.fanout_chunk_size]
            fan.fanout(chunk, Home, manager.add_operation, dict(activities=[activity(number)], trim=True))


def run(first, last):
    workers = [multiprocessing.Process(target=work, args=(first, last, share, WORKERS)) for share in range(WORKERS)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
        if worker.exitcode:
            sys.exit("a worker failed")


if __name__ == "__main__":
    for module in list(sys.modules.values()):
        if getattr(module, "get_redis_connection", None):
            module.get_redis_connection = connect
    run(1, 3)
    start = time.monotonic()
    run(3, 3 + POSTS)
    print("deliveries_per_s=%.0f" % (FOLLOWERS * POSTS / (time.monotonic() - start)))
