# SPDX-License-Identifier: Apache-2.0
"""`python -m wirecache`: what the launcher runs."""

from wirecache.cli import main

main()
