"""verify_callback."""

import base64
import hashlib
import hmac
import time
import unittest

from heliograph import verify_callback

KEY = "hlk_" + "k" * 32
SECRET = hmac.new(hashlib.sha256(KEY.encode()).digest(), b"pushward/callback/v1", hashlib.sha256).digest()
BODY = b'{"type": "notification.acknowledged"}'


def signed(body=BODY, at=None):
    timestamp = str(int(time.time() if at is None else at))
    digest = hmac.new(SECRET, b"pwr_1." + timestamp.encode() + b"." + body, hashlib.sha256).digest()
    signature = "v1,AAAA v1," + base64.b64encode(digest).decode()
    return {"Webhook-Id": "pwr_1", "webhook-timestamp": timestamp, "webhook-signature": signature}


class VerifyCallbackTest(unittest.TestCase):
    def test_accepts_the_key_or_its_secret(self):
        secret = "whsec_" + base64.b64encode(SECRET).decode()
        for one in (KEY, secret):
            self.assertEqual(verify_callback(one, signed(), BODY)["type"], "notification.acknowledged")

    def test_refuses_what_is_not_genuine(self):
        old = signed(at=time.time() - 301)
        for key, headers, body in ((KEY, signed(), b"{}"), ("hlk_o", signed(), BODY), (KEY, old, BODY), (KEY, {}, BODY)):
            with self.assertRaises(ValueError):
                verify_callback(key, headers, body)
