# SPDX-License-Identifier: Apache-2.0
"""Reference model of the appliance: frames in, frames out, one module a layer.

    hashing  -> table -> protocol -> udp -> network -> appliance

It is written from the memcached protocol and docs/architecture.md, not from the RTL, and is itself
compared with a real memcached (test/test_model_vs_memcached.py).
"""
