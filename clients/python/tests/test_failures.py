"""Servers that fail: which requests are repeated, when, and that reports never break the program that reports."""

import logging
import re
import threading
import unittest
from unittest import mock

from failing_server import RESET, FailingServer, problem
from heliograph import Client, HeliographError, HeliographHandler

SENT = (201, {}, {"id": 17})
# Nothing listens there.
NOBODY = "http://127.0.0.1:2"
UNAVAILABLE = problem(503, "service.unavailable")


def client_of(server):
    return Client(server.url, "hlk_x")


class RetryTest(unittest.TestCase):
    def setUp(self):
        patcher = mock.patch("heliograph.transport.time.sleep")
        self.sleep = patcher.start()
        self.addCleanup(patcher.stop)

    def test_send_is_repeated_with_one_key_as_late_as_retry_after_says(self):
        proxy = (503, {"Retry-After": "3"}, "<html>")
        with FailingServer(problem(429, "rate_limit.exceeded", retry_after_ms=7000), proxy, RESET, SENT) as server:
            self.assertEqual(client_of(server).send("T", "B"), {"id": 17})
            keys = {headers["Idempotency-Key"] for _, _, headers, _ in server.received}
        self.assertEqual((len(server.received), len(keys)), (4, 1))
        self.assertEqual([call.args[0] for call in self.sleep.call_args_list][:2], [7.0, 3.0])

    def test_send_waits_for_an_attempt_that_broke_off_and_is_still_in_progress(self):
        in_progress = problem(409, "idempotency.in_progress", retry_after_ms=1000)
        with FailingServer(RESET, *[in_progress] * 12, SENT) as server:
            self.assertEqual(client_of(server).send("T", "B"), {"id": 17})
        self.assertEqual([call.args[0] for call in self.sleep.call_args_list][1:], [1.0] * 12)
        with FailingServer(in_progress) as server:
            with self.assertRaises(HeliographError):
                client_of(server).send("T", "B")
            self.assertEqual(len(server.received), 21)

    def test_what_waiting_does_not_change_is_not_repeated(self):
        for reply in (
            problem(422, "request.validation_failed"),
            problem(429, "quota.exceeded", retry_after_ms=1000),
            problem(429, "rate_limit.exceeded", retry_after_ms=61_000),
            problem(503, "email.not_enabled"),
            problem(500, "internal.error"),
        ):
            with self.subTest(reply), FailingServer(reply, SENT) as server:
                with self.assertRaises(HeliographError):
                    client_of(server).send("T", "B")
                self.assertEqual(len(server.received), 1)

    def test_a_post_without_a_key_is_repeated_after_429_only(self):
        for first, requests in ((UNAVAILABLE, 1), (RESET, 1), (problem(429, "rate_limit.exceeded"), 2)):
            with self.subTest(first), FailingServer(first, SENT) as server:
                try:
                    client_of(server).request("POST", "/shares/join", {})
                except HeliographError as error:
                    self.assertIn(error.status, (0, 503))
                self.assertEqual(len(server.received), requests)

    def test_ask_goes_on_while_the_server_restarts(self):
        outage = [(502, {}, "<html>")] * 8
        answered = (200, {}, {"notification_id": 17, "status": "answered", "action_id": "yes"})
        with FailingServer(SENT, *outage, RESET, answered) as server:
            answer = client_of(server).ask("T", "B", [{"id": "yes", "title": "Yes"}])
        self.assertEqual(answer["action_id"], "yes")

    def test_a_redirect_is_not_followed(self):
        with FailingServer((302, {"Location": "/elsewhere"}, {})) as server:
            with self.assertRaises(HeliographError):
                client_of(server).request("GET", "/auth/me")
            self.assertEqual(len(server.received), 1)


class ActivityTest(unittest.TestCase):
    def test_a_burst_of_updates_is_one_request_after_the_first(self):
        with FailingServer((200, {}, {})) as server:
            activity = client_of(server).activity("build", state="Testing")
            for step in range(100):
                activity.update(progress=step / 100)
            activity.end(state="Done")
            bodies = [body for _, _, _, body in server.received]
        self.assertEqual(bodies[0]["content"], {"template": "generic", "state": "Testing", "progress": 0.0})
        self.assertEqual(bodies[-1], {"state": "ended", "content": {"progress": 0.99, "state": "Done"}})
        self.assertLessEqual(len(bodies), 3)

    def test_a_task_runs_although_nothing_can_be_shown(self):
        steps = []
        with Client(NOBODY, "hlk_x", retries=0).activity("task", state="A"):
            steps.append("ran")
        self.assertEqual(steps, ["ran"])


class LogHandlerTest(unittest.TestCase):
    def logger(self, client, **options):
        logger = logging.getLogger(f"shop.{self.id()}")
        logger.propagate = False
        handler = HeliographHandler(client, **options)
        logger.addHandler(handler)
        self.addCleanup(logger.removeHandler, handler)
        return logger, handler

    def test_a_storm_of_errors_is_two_notifications_and_a_count(self):
        with FailingServer(SENT) as server:
            logger, handler = self.logger(client_of(server), source="shop")
            logger.info("not an error")
            for number in range(10_000):
                logger.error("order %d failed", number)
            handler.close()
            bodies = [body for _, _, _, body in server.received]
        self.assertEqual(bodies[0]["body"].splitlines()[0], "order 0 failed")
        self.assertEqual((len(bodies), bodies[0]["source"]), (2, "shop"))
        counts = re.findall(r"\((\d+) more since", "".join(body["body"] for body in bodies))
        self.assertEqual(sum(map(int, counts)), 9998)

    def test_an_unreachable_server_neither_blocks_nor_raises(self):
        logger, handler = self.logger(Client(NOBODY, "hlk_x", retries=0))
        for _ in range(1000):
            logger.error("lost")
        handler.close()
        self.assertNotIn("heliograph-log", [thread.name for thread in threading.enumerate()])

    def test_an_exception_is_sent_with_its_traceback(self):
        with FailingServer(SENT) as server:
            logger, handler = self.logger(client_of(server))
            try:
                raise RuntimeError("no stock")
            except RuntimeError:
                logger.exception("order failed")
            handler.close()
        self.assertIn("RuntimeError: no stock", server.received[0][3]["body"])
