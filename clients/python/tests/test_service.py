"""The client against the running service of HELIOGRAPH_URL, as the owner of HELIOGRAPH_TOKEN."""

import threading
import unittest
import uuid

from heliograph import Client, HeliographError

client = Client()


class SendTest(unittest.TestCase):
    def test_sends_once_however_often_the_call_with_the_same_key_is_repeated(self):
        key = uuid.uuid4().hex
        first = client.send("Backup", "done", idempotency_key=key, level="passive")
        self.assertEqual(client.send("Backup", "done", idempotency_key=key, level="passive")["id"], first["id"])
        self.assertNotEqual(client.send("Backup", "done")["id"], first["id"])

    def test_a_refusal_has_the_code_and_the_violations(self):
        with self.assertRaises(HeliographError) as raised:
            client.send("T", "x" * 5000)
        self.assertEqual(raised.exception.code, "request.validation_failed")
        self.assertEqual(raised.exception.problem["errors"][0]["location"], "body.body")

    def test_an_alert_repeats_until_it_is_canceled(self):
        sent = client.alert("Disk full", "/var")
        self.assertEqual(sent["receipt"]["status"], "active")
        self.assertEqual(client.cancel_alert(sent["id"])["status"], "canceled")
        self.assertEqual(client.receipt(sent["id"])["status"], "canceled")


class AskTest(unittest.TestCase):
    def test_returns_the_answer_or_what_is_pending_when_the_time_is_up(self):
        pending = client.ask("Deploy?", "Now.", [{"id": "yes", "title": "Deploy"}], timeout=0)
        self.assertEqual(pending["status"], "pending")
        path = f"/notifications/{pending['notification_id']}/answer"
        threading.Timer(0.2, client.request, ("POST", path, {"action_id": "yes"})).start()
        self.assertEqual(client.answer(pending["notification_id"], timeout=30)["action_id"], "yes")


class ActivityTest(unittest.TestCase):
    def shown(self, slug):
        activity = client.request("GET", f"/activities/{slug}")
        return activity["state"], activity["content"].get("state"), activity["content"].get("progress")

    def test_shows_a_task_while_it_runs_and_how_it_ended(self):
        with client.activity("task", state="Copying", progress=0.1) as task:
            self.assertEqual(self.shown("task"), ("ongoing", "Copying", 0.1))
            task.update(progress=0.5)
        self.assertEqual(self.shown("task"), ("ended", "Done", 1))

    def test_an_exception_of_the_task_ends_it_and_goes_on(self):
        with self.assertRaises(ZeroDivisionError), client.activity("broken"):
            1 / 0
        self.assertEqual(self.shown("broken")[:2], ("ended", "Failed: division by zero"))

    def test_decorates_a_function(self):
        @client.activity("decorated", state="Adding")
        def add(a, b):
            self.assertEqual(self.shown("decorated")[:2], ("ongoing", "Adding"))
            return a + b

        self.assertEqual((add(1, b=2), add.__name__), (3, "add"))
        self.assertEqual(add(2, 3), 5)
        self.assertEqual(self.shown("decorated")[0], "ended")


class WidgetTest(unittest.TestCase):
    def test_is_created_by_its_first_update(self):
        widget = client.widget("users")
        widget.update(name="Users", template="value", value=1, unit="users")
        widget.update(value=2)
        self.assertEqual((widget.get()["name"], widget.get()["content"]["value"]), ("Users", 2))


class EventsTest(unittest.TestCase):
    def test_are_read_from_an_id_on(self):
        sent = client.send("Event", "B")
        for event in client.events(after="0"):
            if event["type"] == "notification.created" and event["data"]["id"] == sent["id"]:
                break
