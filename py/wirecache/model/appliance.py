# SPDX-License-Identifier: Apache-2.0
"""The whole appliance: a frame in, the frames it causes out, and the counters."""

from __future__ import annotations

from collections import Counter
from typing import Any

from wirecache.model import network, protocol
from wirecache.model.index import Index
from wirecache.model.item import board_index
from wirecache.traffic import frames


class Appliance:
    """With the index of the default board, if no other is given. `counters` counts what
    wc_pkg::net_events_t and byte_events_t count; the table has counters of its own."""

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
        self._bytes: Counter[str] = Counter()  # of payloads; an event stands for eight
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
                self._count_bytes("bytes_in", len(outcome.data))
                self._count_sent(out)
                for aside in asides:
                    if aside is None:
                        self.unforeseen.append(outcome)
                    else:
                        sent = network.send(outcome, [aside], self.settings, host=True)
                        self.asides += sent
                        self.counters["frame_out"] += len(sent)
                        self._count_sent(sent)
        self.counters["frame_out"] += len(out)
        return out

    def _count_sent(self, sent: list[bytes]) -> None:
        for frame in sent:
            datagram = frames.parse_datagram(frame)
            assert datagram is not None
            self._count_bytes("bytes_out", len(datagram.payload))

    def _count_bytes(self, event: str, count: int) -> None:
        self._bytes[event] += count
        self.counters[event] = self._bytes[event] // 8
