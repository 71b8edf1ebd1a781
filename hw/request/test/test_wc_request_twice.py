# SPDX-License-Identifier: Apache-2.0
"""wc_request_twice, in front of wc_hash: which operations leave, each with its key."""

import random
from pathlib import Path

import cocotb
from wirecache.circuit import structs
from wirecache.testbench.bench import Bench, beats, run, unbeats

OP = structs.enum("op_e")
LOOKS = {OP.OpTouch: OP.OpLook, OP.OpGat: OP.OpGet}


def operation(key, **fields):
    """A request as the parser makes it, all of it."""
    op = {"op": OP.OpNone, "key_len": len(key), "conn": random.getrandbits(16)}
    op |= {name: random.getrandbits(1) for name in ("last", "more", "tcp", "with_key", "quiet")}
    op["opaque"], op["opcode"] = random.getrandbits(32), random.getrandbits(8)
    request = {"op": op | fields.pop("op"), "expiry": random.getrandbits(32), **fields}
    return structs.unpack("request_t", structs.pack("request_t", **request))


def made_of(request):
    """What leaves."""
    op = request["op"]
    if not (op["meta"] and request["creates"] and op["op"] in LOOKS):
        return [request]
    same = {name: op[name] for name in ("lane", "conn", "tcp", "key_len")}
    touch = {"op": {**same, "op": OP.OpTouch, "quiet": 1}, "idle": 1}
    touch["expiry"] = request["delta"] >> 32
    touch = structs.unpack("request_t", structs.pack("request_t", **touch))
    look = {**request, "op": {**op, "op": LOOKS[op["op"]]}, "stale": 0, "renewed": 0}
    look["delta"] = request["delta"] & 0xFFFFFFFF
    look["touches"] = int(not request["stale"])
    both = [look, touch] if request["stale"] else [touch, look]
    for part, last in zip(both, (False, True), strict=True):
        part["op"] |= {name: op[name] * last for name in ("last", "more")}
    return both


def draw():
    key = random.randbytes(random.choice((1, 7, 8, 9, 16, 17, 250, random.randint(1, 250))))
    kind = random.random()
    fields = {"delta": random.getrandbits(64), "stale": random.getrandbits(1)}
    if kind < 0.5:
        fields |= {"creates": 1, "idle": random.getrandbits(1), "recaches": random.getrandbits(1)}
        fields |= {"renewed": random.getrandbits(1), "earlier": random.getrandbits(1)}
        return key, operation(key, op={"op": random.choice([*LOOKS]), "meta": 1}, **fields)
    if kind < 0.6:
        return b"", operation(b"", op={"op": random.choice((OP.OpNone, OP.OpFlush))})
    op, meta = random.choice(((OP.OpTouch, 1), (OP.OpGet, 1), (OP.OpGat, 0), (OP.OpIncr, 1)))
    fields["creates"] = int(op != OP.OpTouch)
    return key, operation(key, op={"op": op, "meta": meta}, **fields)


@cocotb.test(timeout_time=5, timeout_unit="ms")
@cocotb.parametrize(willing=[(1, 1, 1, 1), (1, 0.5, 1, 1), (0.3, 1, 1, 1), (1, 1, 0.3, 0.5)])
async def each_leaves_with_its_key(dut, willing):
    bench = await Bench.start(dut, {})
    requests = bench.source("request", "request_t", willing[0])
    words = bench.source("key", "beat_t", willing[1])
    hashed = bench.sink("hashed", "hashed_t", willing[2])
    passed = bench.sink("key", "beat_t", willing[3])
    await bench.reset()
    given = [draw() for _ in range(300)]
    for key, request in given:
        requests.send(request)
        if key:
            words.send(*beats(key))
    expected = [(key, part) for key, request in given for part in made_of(request)]
    assert len(expected) > 400
    for key, part in expected:
        (item,) = await hashed.wait(1)
        assert item["request"] == part
        if key:
            got = await passed.wait((len(key) + 7) // 8)
            assert unbeats(got, len(key)) == key and got[-1]["last"]
    await bench.wait(50)
    assert not hashed.items and not passed.items


def test_wc_request_twice():
    tb = Path(__file__).with_name("wc_request_twice_tb.sv")
    run("wc_request_twice_tb", __file__, {}, [tb], core="core")
