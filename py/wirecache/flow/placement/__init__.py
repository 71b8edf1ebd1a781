# SPDX-License-Identifier: Apache-2.0
"""A pass between nextpnr's placer and its router that moves the cells of slow ways."""
