"""Posts that must never be lost, repeated or out of order."""

import random
import threading

from cluster import NODES


class Writing:
    """Publishes without pause. A post that is not acknowledged is sent again, to another node, with the same key."""

    def __init__(self, cluster, people):
        self._cluster = cluster
        self._enough = threading.Event()
        self._threads = [threading.Thread(target=self._write, args=(person,)) for person in people.new_writers()]
        self._run = random.getrandbits(48)
        self.acknowledged = cluster.directory / "acknowledged"
        self._lock = threading.Lock()

    def __enter__(self):
        for thread in self._threads:
            thread.start()

    def __exit__(self, *_):
        self._enough.set()
        for thread in self._threads:
            thread.join()

    def _write(self, person):
        with open(self.acknowledged, "a", buffering=1) as file:
            count = 0
            while not self._enough.is_set():
                count += 1
                caption = f"endurance-{person.name}-{self._run}-{count}"
                body = {"caption": caption, "mediaUrl": "https://media.example/drill.mp4"}
                while not self._enough.is_set():
                    answer = self._cluster.ask(
                        random.choice(NODES), "POST", "/v1/posts", person.token, body, key=caption)
                    if answer.status == 201:
                        with self._lock:
                            file.write(f"{answer.json['postId']} {caption}\n")
                        break
                    if answer.status not in (0, 409, 503):
                        raise SystemExit(f"a post was refused: {answer}")
                    self._enough.wait(0.05)
                self._enough.wait(random.uniform(0, 0.05))


def check_posts(cluster, acknowledged):
    """Returns the number of acknowledged posts, each of which is found, and once."""
    found = {}
    for line in cluster.sql("SELECT id, caption FROM post WHERE caption LIKE 'endurance-%'"):
        id, caption = line.split("|")
        if caption in found:
            raise SystemExit(f"twice: {caption}")
        found[caption] = id
    count = 0
    for line in acknowledged.read_text().splitlines():
        id, caption = line.split(" ", 1)
        if found.get(caption) != id:
            raise SystemExit(f"lost: {line}; found {found.get(caption)}")
        count += 1
    # A change of kind 1 is a published post.
    disorder = cluster.sql(
        "SELECT count(*) FROM (SELECT subject, lag(subject) OVER (ORDER BY seq) AS before FROM change WHERE kind = 1) p "
        "WHERE subject < before")[0]
    if disorder != "0":
        raise SystemExit(f"{disorder} posts are in another order in the change log than by id")
    return count
