# SPDX-License-Identifier: Apache-2.0
"""Lets the benches here import net_bench, which stands beside them."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
