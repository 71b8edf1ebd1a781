# SPDX-License-Identifier: Apache-2.0
"""The simulated board: built from RTL and C++, started for one capture or for many."""
