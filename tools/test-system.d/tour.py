"""The tour of docs/guide/tour.md by a client that openapi-python-client has made. The server is at GRAPHD_URL."""

import os
import secrets
import time

from graphd_client.api.accounts import get_me, sign_up
from graphd_client.api.comments import comment as create_comment
from graphd_client.api.communities import create_community, join_community
from graphd_client.api.fitstream import fitstream_workout_jump
from graphd_client.api.follows import follow, unfollow
from graphd_client.api.moderation import moderate
from graphd_client.api.notifications import list_notifications
from graphd_client.api.posts import like, publish_post, reshare
from graphd_client.api.relations import mute
from graphd_client.api.saves import save
from graphd_client.api.search import search_posts
from graphd_client.api.segments import jump, replace_segments
from graphd_client.api.timelines import explain_post, get_for_you_timeline, get_home_timeline
from graphd_client import models
from graphd_client.client import AuthenticatedClient, Client

URL = os.environ["GRAPHD_URL"]
RUN = secrets.token_hex(4)


def expect(condition, what):
    if not condition:
        raise SystemExit(f"tour: {what}")


class Person:
    def __init__(self, name):
        self.name = name + RUN
        body = models.SignUp(email=f"{self.name}@example.org", password=f"correct horse {RUN}", username=self.name)
        session = sign_up.sync(client=Client(base_url=URL), body=body)
        expect(isinstance(session, models.Session), f"{name} cannot sign up: {session}")
        self.id = session.user_id
        self.client = AuthenticatedClient(base_url=URL, token=session.token, raise_on_unexpected_status=True)

    def publish(self, caption, number, **members):
        body = models.NewPost(caption=caption, media_url=f"https://cdn.example.org/{number}.mp4", **members)
        post = publish_post.sync(client=self.client, body=body)
        expect(isinstance(post, models.Post), f"no post: {post}")
        return post

    def home(self, **filters):
        return get_home_timeline.sync(client=self.client, limit=1, **filters)


def eventually(read, holds, what):
    """Posts of others arrive a moment later."""
    for _ in range(500):
        value = read()
        if holds(value):
            return value
        time.sleep(0.02)
    raise SystemExit(f"tour: {what}")


def attributes(**values):
    made = models.Attributes()
    made.additional_properties = values
    return made


ada, bob, cyd = Person("ada"), Person("bob"), Person("cyd")
expect(get_me.sync(client=ada.client).username == ada.name, "ada is not ada")

# Follow, post, read.
follow.sync_detailed(id=bob.id, client=ada.client)
expect(ada.home().items == [], "a new timeline is empty")
first = bob.publish("First light", 1, algorithm_tags=["sky"])
page = eventually(ada.home, lambda page: page.items, "no post arrived")
expect(page.items[0].post_id == first.post_id and page.items[0].author.username == bob.name, "another post arrived")

# Filter and explain.
run = cyd.publish("Night run", 2, algorithm_tags=["AI", "Fitness"])
reshare.sync_detailed(id=run.post_id, client=bob.client)
page = eventually(lambda: ada.home(algorithms="fitness,yoga", explain=True), lambda page: page.items, "no reshare arrived")
expect([reason.kind for reason in page.items[0].reasons] == ["reshare", "algorithm"], "other reasons were given")
mute.sync_detailed(id=bob.id, client=ada.client, body=models.MuteKinds(reshares=True))
verdict = explain_post.sync(post_id=run.post_id, client=ada.client)
expect(not verdict.visible and len(verdict.reasons) == 2, "the muted reshare is not explained")

# Like, comment, notify.
expect(like.sync(id=first.post_id, client=ada.client).likes_count == 1, "no like")
body = models.NewComment(content=f"Worth getting up for, @{bob.name}")
comments = [
    create_comment.sync(id=first.post_id, client=ada.client, body=body, idempotency_key=f"comment-{RUN}") for _ in range(2)
]
expect(comments[0].comment_id == comments[1].comment_id, "a repeated comment is another one")
expect(list_notifications.sync(client=bob.client, limit=1).items[0].type_ == "mention", "bob is not told of the mention")

# Search, jump, recommend.
hill = bob.publish(f"Twelve minutes hill{RUN}", 4, title="Hill sprints", attributes=attributes(workoutType="HIIT", duration=720))
segments = [
    models.NewSegment(label="Intro", start_time=0, end_time=20),
    models.NewSegment(label="Warm-up", start_time=20, end_time=140),
]
replace_segments.sync(id=hill.post_id, client=bob.client, body=segments)
found = search_posts.sync(client=ada.client, q=f"hill{RUN}")
expect(found.items[0].post_id == hill.post_id, "the video is not found")
expect(found.items[0].attributes.additional_properties["duration"] == 720, "the video has no duration")
place = jump.sync(id=hill.post_id, client=ada.client, body=models.JumpCommand(command="skip intro"))
expect(place.start_time == 20, "the jump leads elsewhere")
expect(save.sync(id=hill.post_id, client=ada.client).post_id == hill.post_id, "nothing is saved")
get_for_you_timeline.sync(client=ada.client, limit=5, explain=True)

# Product APIs, unfollow, moderate, errors.
body = models.FitstreamWorkoutJumpBody(video_id=hill.post_id, command="show warm-up")
expect(fitstream_workout_jump.sync(client=ada.client, body=body).timestamp == 20, "the product's jump leads elsewhere")
unfollow.sync_detailed(id=bob.id, client=ada.client)
expect(ada.home().items == [], "bob's posts are still there")
community = create_community.sync(client=bob.client, body=models.NewCommunity(name=f"Runners {RUN}", description="After sunset"))
join_community.sync_detailed(id=community.community_id, client=cyd.client)
order = models.ModerationOrder(
    action=models.ModerationAction.BANMEMBER,
    subjects=[models.ModerationSubject(user_id=cyd.id)],
    community_id=community.community_id,
    reason="Spam, again",
    duration=7 * 86400,
)
expect(moderate.sync(client=bob.client, body=order).changed == 1, "cyd is not banned")
problem = get_home_timeline.sync(client=ada.client, limit=0)
expect(isinstance(problem, models.Problem) and problem.code == "invalid_limit", f"another error: {problem}")
print("The generated Python client has taken the tour.")
