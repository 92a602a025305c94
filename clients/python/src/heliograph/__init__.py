"""Client of Heliograph: notifications, questions, live activities and widgets on your own devices.

It needs Python 3.9 or newer and nothing but the standard library.
"""

from .activity import Activity
from .callback import verify_callback
from .client import Client
from .errors import HeliographError
from .log_handler import HeliographHandler
from .widget import Widget

__all__ = ["Activity", "Client", "HeliographError", "HeliographHandler", "Widget", "verify_callback"]
