# SPDX-License-Identifier: Apache-2.0
"""Pieces of a stream, each from its first number to behind its last: what has come behind gaps, or
what the peer says that it has. hw/net/tcp/wc_tcp_pieces.sv is the same in the circuit."""

from __future__ import annotations

from wirecache.model.tcp.sequence import ahead, before, earliest, latest

Piece = tuple[int, int]
MOST = 4


def joined(pieces: list[Piece], new: Piece, start: int) -> tuple[Piece, list[Piece]]:
    """The new piece with all that it overlaps or touches, and all pieces with it in order; `start`
    is before them all. There may be one too many."""
    others = []
    for piece in pieces:
        if before(new[1], piece[0]) or before(piece[1], new[0]):
            others.append(piece)
        else:
            new = earliest(new[0], piece[0]), latest(new[1], piece[1])
    return new, sorted([*others, new], key=lambda piece: ahead(piece[0], start))
