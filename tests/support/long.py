"""The long mode of the tests: with SOBREMESA_LONG, more rounds and the tests that take longest."""

from __future__ import annotations

import os

import pytest

LONG = bool(os.environ.get("SOBREMESA_LONG"))
LONG_ONLY = pytest.mark.skipif(not LONG, reason="takes long: set SOBREMESA_LONG=1")
"""Marks a test that runs only in the long mode."""
