# SPDX-License-Identifier: Apache-2.0
"""TCP for an endpoint that only listens: the reference model of hw/net/tcp.

`Connection` is what one event after the other makes of a connection, `Endpoint` finds the
connection of a segment and makes new ones out of cookies. Time is a number of milliseconds that is
given, so nothing here waits.
"""
