# SPDX-License-Identifier: Apache-2.0
"""What benches and synthesis found, written into docs/ as tables and plots."""
