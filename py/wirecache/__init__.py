# SPDX-License-Identifier: Apache-2.0
"""Wirecache: the command line, the reference models, the benches and what builds them."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
