"""Checks that a callback was sent by the server: Standard Webhooks, with a secret derived from the key."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import Any

TOLERANCE_SECONDS = 300


def verify_callback(secret: str, headers: Mapping[str, str], body: bytes) -> dict[str, Any]:
    """`secret` is the key that sent the alert (`hlk_…`) or the secret derived from it (`whsec_…`). Raises ValueError if
    the request is not genuine, or older than five minutes."""
    values = {name.lower(): value for name, value in headers.items()}
    identifier, timestamp = values.get("webhook-id", ""), values.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        raise ValueError("The callback has no timestamp of the last five minutes.")
    signed = f"{identifier}.{timestamp}.".encode() + body
    digest = hmac.new(_secret_bytes(secret), signed, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    # Two signatures while a key is rolled.
    given = values.get("webhook-signature", "").encode().split(b" ")
    if not any(hmac.compare_digest(one, expected) for one in given):
        raise ValueError("The callback is not signed with this secret.")
    return json.loads(body)


def _secret_bytes(secret: str) -> bytes:
    if secret.startswith("whsec_"):
        return base64.b64decode(secret[len("whsec_") :])
    key = hashlib.sha256(secret.encode()).digest()
    return hmac.new(key, b"pushward/callback/v1", hashlib.sha256).digest()
