# SPDX-License-Identifier: Apache-2.0
"""A real memcached, and the comparison of the appliance with it."""
