"""Blocks, deletions, takedowns, log-outs and lost roles, and readers who must see them at once on every node.

A pair is an act and a reader's first request that began after the act was acknowledged. The page must not show what the act
has hidden. Requests without an answer, or with 503, tell nothing and make no pair.
"""

import random
import threading
import time

from cluster import NODES
from people import PASSWORD


class Block:
    def __init__(self, author):
        self.author, self.is_seen = author, False


class Hiding:
    def __init__(self, cluster, people, actors=4):
        self._cluster, self._people = cluster, people
        self._enough = threading.Event()
        self._lock = threading.Lock()
        # Posts by the time when their hiding was acknowledged, and posts that a page has shown.
        self._hidden, self._shown = {}, {}
        # The number of acts, and how many each reader has looked for.
        self._acts, self._seen = 0, [0] * len(people.readers)
        # The block in force of each reader; and the readers on whom somebody tries one.
        self._blocks, self._taken = [None] * len(people.readers), set()
        self.pairs, self.pages, self.unanswered = 0, 0, 0
        self.violations = []
        self._threads = [threading.Thread(target=self._read, args=(number,)) for number in range(len(people.readers))]
        self._threads += [threading.Thread(target=self._act, args=(number,)) for number in range(actors)]
        self._threads += [threading.Thread(target=self._log_out), threading.Thread(target=self._change_role)]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._enough.set()
        for thread in self._threads:
            thread.join()

    def _fail(self, text):
        with self._lock:
            self.violations.append(text)

    def _read(self, number):
        reader = self._people.readers[number]
        while not self._enough.is_set():
            block, acts, start = self._blocks[number], self._acts, time.monotonic()
            node = random.choice(NODES)
            answer = self._cluster.ask(node, "GET", "/v1/timelines/home?limit=20", reader.token)
            if answer.status != 200:
                with self._lock:
                    self.unanswered += 1
                self._enough.wait(0.02)
                continue
            items = answer.json["items"]
            # A block that is still there was in force throughout.
            is_blocked = block is not None and self._blocks[number] is block
            for item in items:
                hidden = self._hidden.get(item["postId"])
                if hidden is not None and hidden < start:
                    self._fail(f"{node} showed post {item['postId']} {start - hidden:.4f} s after it was hidden")
                if is_blocked and item["author"]["userId"] == block.author.id:
                    self._fail(f"{node} showed {reader.name} a post of {block.author.name}, who had blocked the reader")
                self._shown[item["postId"]] = item["author"]["userId"]
            with self._lock:
                self.pages += 1
                self.pairs += acts - self._seen[number]
                if is_blocked and not block.is_seen:
                    self.pairs += 1
            if is_blocked:
                block.is_seen = True
            self._seen[number] = acts

    def _act(self, number):
        author = self._people.authors[number % len(self._people.authors)]
        while not self._enough.is_set():
            node = random.choice(NODES)
            if random.random() < 0.3:
                self._block(node, author, random.randrange(len(self._people.readers)))
            else:
                self._publish_and_hide(node, author)

    def _publish_and_hide(self, node, author):
        body = {"caption": "to be hidden", "mediaUrl": "https://media.example/drill.mp4"}
        answer = self._cluster.ask(node, "POST", "/v1/posts", author.token, body)
        if answer.status != 201:
            self._enough.wait(0.1)
            return
        post = answer.json["postId"]
        for _ in range(500):
            if post in self._shown or self._enough.is_set():
                break
            time.sleep(0.01)
        if random.random() < 0.5:
            answer = self._cluster.ask(random.choice(NODES), "DELETE", f"/v1/posts/{post}", author.token)
            if answer.status == 204:
                self._hide(post)
        else:
            self._take_down(post)

    def _take_down(self, post):
        order = {"action": "takedownPost", "subjects": [{"postId": post}], "reason": "Drill"}
        answer = self._cluster.ask(
            random.choice(NODES), "POST", "/v1/moderation/actions", self._people.admin.token, order)
        if answer.status != 200:
            return
        self._await_readers(self._hide(post))
        # Or strikes would suspend the author.
        del self._hidden[post]
        batch = answer.json["batch"]
        self._repeat("POST", f"/v1/moderation/batches/{batch}/undo", self._people.admin.token, {})

    def _hide(self, post):
        """Returns the number of the act."""
        with self._lock:
            self._hidden[post] = time.monotonic()
            self._acts += 1
            return self._acts

    def _await_readers(self, act):
        """Until every reader has looked since the act, or for five seconds."""
        for _ in range(500):
            if min(self._seen) >= act or self._enough.is_set():
                return
            time.sleep(0.01)

    def _block(self, node, author, number):
        with self._lock:
            if number in self._taken:
                return
            self._taken.add(number)
        reader = self._people.readers[number]
        answer = self._cluster.ask(node, "PUT", f"/v1/users/{reader.id}/block", author.token)
        if 200 <= answer.status < 300:
            block = self._blocks[number] = Block(author)
            for _ in range(500):
                if block.is_seen or self._enough.is_set():
                    break
                time.sleep(0.01)
        # Before it is lifted, so that a page without it is not judged by it.
        self._blocks[number] = None
        self._repeat("DELETE", f"/v1/users/{reader.id}/block", author.token)
        self._repeat("PUT", f"/v1/users/{author.id}/follow", reader.token)
        with self._lock:
            self._taken.discard(number)

    def _repeat(self, method, path, token, body=None):
        """Takes an act back, also when it is enough: a block or a strike that stays is in the way of the next round."""
        while True:
            answer = self._cluster.ask(random.choice(NODES), method, path, token, body)
            # It is refused if an attempt without an answer has been carried out.
            if 200 <= answer.status < 500 and answer.status != 429:
                return
            time.sleep(0.05)

    def _log_out(self):
        reader = self._people.readers[0]
        while not self._enough.wait(0.5):
            body = {"email": reader.email, "password": PASSWORD}
            session = self._cluster.ask(random.choice(NODES), "POST", "/v1/auth/login", body=body)
            if session.status != 200:
                continue
            token, node = session.json["token"], random.choice(NODES)
            for other in NODES:
                self._cluster.ask(other, "GET", "/v1/me", token)
            if not 200 <= self._cluster.ask(node, "POST", "/v1/auth/logout", token).status < 300:
                continue
            self._expect(401, "/v1/me", token, "took the token of a session that had ended")

    def _change_role(self):
        moderator, admin = self._people.moderator, self._people.admin
        while not self._enough.wait(0.5):
            for role, status in (("moderator", 200), ("none", 403)):
                order = {
                    "action": "setSiteRole", "subjects": [{"userId": moderator.id}], "role": role, "reason": "Drill"}
                answer = self._cluster.ask(
                    random.choice(NODES), "POST", "/v1/moderation/actions", admin.token, order)
                if answer.status == 200:
                    self._expect(status, "/v1/moderation/reports", moderator.token, f"did not know the role {role}")

    def _expect(self, status, path, token, fault):
        """Every node must answer with `status`, if it answers."""
        for node in NODES:
            answer = self._cluster.ask(node, "GET", path, token)
            if answer.status in (0, 503):
                continue
            if answer.status != status:
                self._fail(f"{node} {fault}: {answer}")
            with self._lock:
                self.pairs += 1
