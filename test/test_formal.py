# SPDX-License-Identifier: Apache-2.0
"""`wirecache formal`: what its quick run leaves to the whole one."""

from __future__ import annotations

from wirecache.proof import formal


def test_half_of_the_proofs_are_drawn_by_the_seed() -> None:
    """In the end each."""
    known = formal.proofs()
    drawn = [[proof.top for proof in formal.some(known, seed)] for seed in range(100)]
    assert drawn[7] == [proof.top for proof in formal.some(known, 7)]
    assert {len(set(some)) for some in drawn} == {(len(known) + 1) // 2}
    assert {top for some in drawn for top in some} == {proof.top for proof in known}


def test_some_mutants_are_drawn_by_the_seed() -> None:
    """Of each proof as many as asked for, others with another seed, and in the end each."""
    for proof in formal.proofs():
        drawn = [formal.with_some_mutants(proof, 3, seed).mutants for seed in range(100)]
        assert drawn[7] == formal.with_some_mutants(proof, 3, 7).mutants
        assert {len(set(some)) for some in drawn} == {min(3, len(proof.mutants))}
        assert set().union(*drawn) == set(proof.mutants)
