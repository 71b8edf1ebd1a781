# SPDX-License-Identifier: Apache-2.0
"""The whole appliance: a frame in, the frames it causes out, and the counters."""

from __future__ import annotations

from collections import Counter
from typing import Any

from wirecache.model import network, protocol
from wirecache.model.index import Index
from wirecache.model.item import board_index


class Appliance:
    """With the index of the default board, if no other is given. `counters` counts what
    wc_pkg::net_events_t counts; the table has counters of its own."""

    def __init__(
        self,
        table: Index | None = None,
        settings: network.Settings | None = None,
        max_key: int = protocol.MAX_KEY,
    ) -> None:
        # Tests ask the index that they gave for what only this kind has.
        self.table: Any = table if table is not None else board_index()
        self.settings = settings if settings is not None else network.Settings()
        self.max_key = max_key
        self.counters: Counter[str] = Counter()
        self.asides: list[bytes] = []  # frames of the host's answers, which come at any time
        self.unforeseen: list[network.Request] = []  # whose answers by the host are not known

    def frame(self, data: bytes) -> list[bytes]:
        """What the appliance sends because of a frame (without FCS)."""
        self.counters["frame_in"] += 1
        outcome = network.receive(data, self.settings)
        match outcome:
            case network.Drop():
                self.counters[outcome.cause] += 1
                return []
            case network.Reply():
                self.counters[outcome.event] += 1
                out = [outcome.frame]
            case network.Request():
                self.counters["request_in"] += 1
                limit = self.settings.answer_limit
                asides: list[bytes | None] = []
                answers = protocol.messages(
                    outcome.data, self.table, max_key=self.max_key, limit=limit, asides=asides
                )
                out = network.send(outcome, answers, self.settings)
                for aside in asides:
                    if aside is None:
                        self.unforeseen.append(outcome)
                    else:
                        frames = network.send(outcome, [aside], self.settings)
                        self.asides += frames
                        self.counters["frame_out"] += len(frames)
        self.counters["frame_out"] += len(out)
        return out
