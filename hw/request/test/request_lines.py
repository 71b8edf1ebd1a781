# SPDX-License-Identifier: Apache-2.0
"""What the parser hands to the host: pieces of its commands, and how many it refused."""

from __future__ import annotations

from typing import Any

from request_model import OP, PIECES, Operation, pieces
from wirecache.circuit import structs
from wirecache.testbench.cycle import every_cycle, reader

TYPE = "command_line_t"
SOMETHING = structs.pack(TYPE, restart=1, push=1, put=1, refused=1)


class LineMonitor:
    """Puts together what comes on `line_o`, as the host port does."""

    def __init__(self, dut: Any) -> None:
        self.commands: list[tuple[dict[str, Any], list[tuple[bool, bytes]]]] = []
        self.refused = 0
        self._line, self._reset = reader(dut.line_o), reader(dut.rst_i)
        self._kept: list[tuple[bool, bytes]] = []
        every_cycle(dut.clk_i, self._look)

    def _look(self) -> None:
        bits = self._line()
        if not bits & SOMETHING or self._reset():
            return
        line = structs.unpack(TYPE, bits)
        if line["restart"]:
            self._kept = []
        if line["push"]:
            self._kept.append((bool(line["begins"]), line["data"].to_bytes(8, "little")))
        self.refused += line["refused"]
        if line["put"]:
            self.commands.append((line, self._kept[:PIECES]))

    def expect(self, operation: Operation, packet: bytes) -> None:
        """The next command is this one, or it was refused."""
        if operation.op["op"] != OP["OpHost"]:
            self.refused -= 1
            assert self.refused >= 0, packet
            return
        line, kept = self.commands.pop(0)
        assert line["binary"] == operation.op.get("binary", 0), packet
        wanted = [(begins, data.ljust(8, b"\0")) for begins, data in pieces(operation.words)]
        if line["binary"]:  # all of it is one word
            wanted = [(False, data) for _, data in wanted]
            assert line["opcode"] == operation.op["opcode"], packet
            assert line["opaque"] == operation.op["opaque"], packet
            assert line["key_len"] == len(b"".join(operation.words)), packet
        assert kept == wanted, (packet, kept)
