# SPDX-License-Identifier: Apache-2.0
"""The linters behind `wirecache lint`."""
