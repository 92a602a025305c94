"""JSON merge patches (RFC 7396)."""

from __future__ import annotations

from typing import Any


def combine_patches(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    """One patch with the effect of both; a None in it still clears."""
    both = dict(first)
    for member, value in second.items():
        earlier = both.get(member)
        both[member] = combine_patches(earlier, value) if isinstance(value, dict) and isinstance(earlier, dict) else value
    return both
