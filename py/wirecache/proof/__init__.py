# SPDX-License-Identifier: Apache-2.0
"""Proofs with Yosys and z3: rules, covers and planted faults."""
