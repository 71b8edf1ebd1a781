# SPDX-License-Identifier: Apache-2.0
"""Corners of the protocol that were probed on memcached: test_wc_request.py plays them to the
circuit, test_oracle.py to memcached."""

from __future__ import annotations

import struct

from request_traffic import binary, header

_ASCII = r"""
get a b\r\nget c\r\nversion\r\n
get a b
get a b c
bget\r\nbget a b\r\nbgets a\r\nbget a noreply\r\nbget a
set a 0 0 1\r\nx\r\nbget a b a\r\nget a\r\n
get a\0b\r\nversion\r\n
get a \0\r\n
get \0a\r\n
\0set a b c d e\r\nget x\r\n
set\0 a 0 0 1\r\nx\r\n
set a 0 0 1\0noreply\r\nx\r\n
set a\0 0 0 1 2 3 4 5\r\nx\r\n
set a 0 0 1\r\nxy\r\nget a\r\n
set a 0 0 1\r\nx\nget a\r\n
set a 0 0 3\r\nx\r\nversion\r\n
set a 0 0 3 noreply\r\nx\r\nversion\r\n
set a 0 0 1\nx\r\nget a\r\n
set a 0 0 0\r\n\r\nget a\r\n
set a 0 0 0\r\n\n\r\nget a\r\n
set a 0 0\r\nx\r\n
set a 0 0 1 2 3\r\nx\r\n
set a 0 0 1 foo\r\nx\r\nversion\r\n
set a 0 0 noreply\r\nversion\r\n
set a x 0 1 noreply\r\nversion\r\n
set a 4294967295 1700000000 1\r\nx\r\n
set a 18446744073709551615 9223372036854775807 1\r\nx\r\n
set a 18446744073709551616 0 1\r\nx\r\n
set a 0 0 4294967297\r\nx\r\n
set a 0 0 -1\r\nx\r\n
set a 0 0 2147483646\r\nversion\r\n
set a 0 0 2147483645\r\nversion\r\n
set a 0 0 1048516\r\nversion\r\n
set a 0 0 1048517\r\nversion\r\n
set a 1 0 1048513\r\nversion\r\n
set a 1 0 1048512\r\nversion\r\n
set a 0 0 0000000000001048517 noreply\r\nversion\r\n
set a 0000000000000001 0 1048513\r\nversion\r\n
set a 0000000000000001 0 01048512\r\nversion\r\n
set a 000000000001 0 1048513\r\nversion\r\n
set a 00000000000001 0 1048513\r\nversion\r\n
set a 0 0 5000\r\nshort\r\n
set a 0 0 5
set a 0 0 5\r\nabc
set a 0 0 5\r\nabcde
set a 0 0 5\r\nabcde\r
set a 0 0 8\r\nabcdefgh\r
cas a 0 0 1 1\r\nx\r\nget a\r\n
add a 0 0 1\r\nx\r\nadd a 0 0 1\r\ny\r\nget a\r\n
replace a 0 0 1\r\nx\r\nadd a 0 0 1 noreply\r\ny\r\nreplace a 7 0 2\r\nzz\r\nget a\r\n
add\r\nadd a\r\nadd a 0 0 1 2 3\r\nreplace a 0 0\r\nreplacex a 0 0 1\r\nversion\r\n
add a 0 0 1\r\nxy\r\nget a\r\n
replace a 0 0 5\r\nabc
append a 0 0 1\r\nx\r\nprepend a 0 0 1 noreply\r\ny\r\nappend a 7 0 2\r\nzz\r\nget a\r\n
set a 5 0 2\r\nab\r\nappend a 7 -1 3\r\ncde\r\nprepend a 9 1 2 noreply\r\nyz\r\nget a\r\n
set a 5 0 0\r\n\r\nappend a 0 0 0\r\n\r\nprepend a 0 0 0\r\n\r\nget a\r\n
set a 5 0 0\r\n\r\nprepend a 0 0 1\r\nx\r\nget a\r\n
set a 0 0 1\r\n7\r\nincr a 5\r\nappend a 0 0 1\r\n3\r\nincr a 1\r\nget a\r\n
set a 0 0 1\r\n7\r\nprepend a 0 0 1\r\n1\r\ndecr a 9\r\nget a\r\n
append\r\nappend a\r\nappend a 0 0 1 2 3\r\nprepend a 0 0\r\nappendx a 0 0 1\r\nprepen a 0 0 1\r\n
append a x 0 1\r\nz\r\nappend a 0 x 1\r\nz\r\nprepend a 0 0 -1\r\n
append a 0 0 1\r\nxx\r\nversion\r\n
append a 0 0 1048577\r\nx\r\n
prepend a 0 0 5\r\nabc
set a 0 0 1\r\nx\r\ncas a 0 0 1 0\r\ny\r\ncas a 0 0 1 18446744073709551615 noreply\r\ny\r\nget a\r\n
cas a 0 0 1\r\nversion\r\n
cas a 0 0 1 noreply\r\nversion\r\n
cas a 0 0 1 1 2 3\r\nversion\r\n
cas a 0 0 1 -1\r\nversion\r\n
cas a 0 0 1 18446744073709551616 noreply\r\nversion\r\n
cas a 0 0 1 -18446744073709551615\r\nx\r\n
cas a 0 0 1 00000000000000000001 foo\r\nx\r\nversion\r\n
cas a 0 0 1048517 x\r\nversion\r\n
cas a 0 0 1 12345678901234567890\r\nxy\r\nversion\r\n
cas a 0 0 1 12345678901234567890\r\nx
cas a 0 0 1 1
delete a\r\n
delete a 0\r\ndelete a 1\r\ndelete a noreply\r\ndelete a 0 noreply\r\n
delete a 1 noreply\r\ndelete a noreply 0\r\ndelete a 0 0\r\ndelete a noreply noreply\r\n
delete\r\ndelete a b c d\r\ndelete noreply\r\n
flush_all\r\nflush_all 0\r\nflush_all 1\r\nflush_all -1\r\nflush_all 2592001\r\n
flush_all noreply\r\nflush_all 5 noreply\r\nflush_all x noreply\r\nflush_all x\r\n
flush_all 1 2\r\nflush_all 1 2 3\r\nflush_all noreply noreply\r\nflush_all noreply 5\r\n
flush_al\r\nflush_allx\r\nflush_all\0\r\nxflush_all\r\n flush_all\n
touch\r\ntouch a\r\ntouch a 10\r\ntouch a 10 x\r\ntouch a 10 x y\r\nget a\r\n
set a 7 0 1\r\nx\r\ntouch a 1000\r\ntouch b 1000\r\nget a\r\ntouch a -1\r\nget a\r\n
touch a x\r\ntouch a x noreply\r\ntouch a noreply\r\ntouch a noreply 10\r\n
touch a 10 noreply\r\ntouch a noreply noreply\r\ntouchx a 1\r\ntouc a 1\r\n
touch a 2147483648\r\ntouch a 99999999999\r\ntouch a 9223372036854775808\r\n
gat\r\ngats\r\ngat 10\r\ngat x\r\ngats 10\r\ngat noreply\r\ngatx 1 a\r\nversion\r\n
set a 7 0 1\r\nx\r\ngat 1000 a b a\r\ngat 1000 a noreply\r\ngat -1 a\r\nget a\r\n
set a 7 0 1\r\nx\r\ngat x a b c d e f\r\nget a\r\ngat 1x a\r\ngat 1\tx a\r\nget a\r\n
set a 7 0 1\r\nx\r\ngats 0 a\r\ngats 2592001 a b\r\nget a\r\n
gat 10\0 a\r\ngat x\0 a\r\ngat 10 a\0 b\r\ngat\0 10 a\r\nversion\r\n
gat 9223372036854775808 a\r\ngat 9223372036854775807 a\r\ngat 0000000000000000000000012 a\r\n
gat 4294967296 a\r\ngat 2147483648 a\r\ngat 12345678 a\r\ngat 123456789 a\r\n
gat 10 a
gat 10 a b
gat x a b
gat 10
gat
touch a 10
incr\r\nincr a\r\nincr a 1\r\nincr a 1 x\r\nincr a 1 noreply x\r\nincr a noreply\r\n
decr\r\ndecr a\r\ndecr a 1\r\ndecr a 1 x\r\ndecr a 1 noreply x\r\ndecr a noreply\r\n
set a 7 0 2\r\n10\r\nincr a 5\r\ndecr a 6\r\nget a\r\nincr a 1 noreply\r\nincr a 1\r\nget a\r\n
set a 7 0 2\r\n10\r\ndecr a 11\r\nincr a 18446744073709551615\r\nincr a 2\r\nget a\r\n
set a 0 0 1\r\nx\r\nincr a 5\r\nincr a x\r\nincr a 5 noreply\r\nset a 0 0 0\r\n\r\ndecr a 5\r\n
set a 0 0 1\r\n1\r\nincr a -1\r\nincr a +1\r\nincr a - 1\r\nincr a -0\r\nincr a 1-\r\nincr a 0x1\r\n
set a 0 0 1\r\n1\r\nincr a -18446744073709551615\r\nincr a -9223372036854775809\r\n
set a 0 0 1\r\n1\r\nincr a \t2\r\nincr a 2\tx\r\nincr a \t\r\nincr a 2\t\r\nincr \ta 2\r\n
set a 0 0 1\r\n1\r\nincr a 10000000000000000000\r\nincr a 99999999999999999999\r\nget a\r\n
set a 0 0 1\r\n1\r\nincr a 100000000000000000000\r\nincr a 000000000000000000001\r\nget a\r\n
set a 0 0 1\r\n1\r\nincr a 18446744073709551615\r\nincr a 18446744073709551616\r\nget a\r\n
incr a\0 1\r\nincr a 1\0 noreply\r\nincr\0a 1\r\n incr  a  1  noreply \r\nincra 1\r\nINCR a 1\r\n
set a 0 0 1\r\n1\r\nincr a 1\ndecr a 1\nincr a 0\n
incr a 1
incr a 12345678901234567890
decr a
verbosity\r\nverbosity 1\r\nverbosity noreply\r\nverbosity x noreply\r\nverbosity -1\r\n
verbosity 1 2\r\nverbosity 1 2 3\r\nverbosityx 1\r\nverbosit 1\r\n
quit\r\nversion\r\n
mn\r\nmn foo\r\nmn\0x\r\nmn noreply\r\n mn\r\nmnx\r\nMN\r\nm\r\n
mg\r\nmg a\r\nset a 7 0 2\r\nxy\r\nmg a\r\nmg a v\r\nmg a v k O123 q s f t\r\nmg b v k O1 q\r\n
mg b k O1 v\r\n
set a 7 0 2\r\nxy\r\nmg a T1000 v t\r\nmg a t\r\nmg a T0 t\r\nmg a T-1\r\nmg a v\r\n
mg a v v\r\nmg a Z\r\nmg a k Z k\r\nmg a \x7f\r\nmg a \x80 Z\r\nmg a T\r\nmg a Tx v\r\nmg a 0\r\n
mg a noreply\r\n
mg a M\r\nmg a Mx\r\nmg a Mxy\r\nmg a Mxy Tx\r\nmg a Tx Mxy\r\nmg a Fx Mxy Cx\r\nmg a Mxy Fx\r\n
mg a Fx\r\n
mg a k\0v\r\nmg a \0v\r\nmg a O\0v\r\nmg a\0v\r\nmg\0a v\r\nmg a O \0\r\n
mg a O\r\nmg a O k\r\nmg a k O1234567 f\r\nmg a O12345678\r\nmg a O123456789012345\r\nmg a O\r\r\n
mg a Oabcdefghijklmnopqrstuvwxyz01234 k\r\nmg a Oabcdefghijklmnopqrstuvwxyz012345 k\r\n
mg a O1 O2\r\nmn\r\n
mg a O1 O2 O3\r\nmg a O12345678901234567 k\r\nmg a O12345678 O12345678 Z\r\nmg b O4\r\n
ms\r\nms a\r\nms noreply\r\nms a x\r\nab\r\nms a -1\r\nms a 2147483646\r\nms a x Z\r\nmn\r\n
ms a 2\r\nab\r\nmg a v s f t\r\nms a 3 F7 T0 k O1 q\r\nabc\r\nmg a v f t\r\nms a 0\r\n\r\nmg a v\r\n
ms a 2 MA\r\nab\r\nms a 2 MS\r\nab\r\nms a 2 MA F9 T1000 k\r\ncd\r\nms a 2 MP\r\nef\r\n
mg a v f t\r\n
ms a 2 ME\r\nab\r\nms a 2 ME\r\ncd\r\nms a 2 MR q O5\r\nef\r\nms b 2 MR q O5 k\r\nef\r\nmg a v\r\n
ms a 2 Ms\r\nab\r\nms a 2 MSE\r\nab\r\nms a 2 M\r\nab\r\nms a 2 Mx O1\r\nab\r\nmn\r\n
ms a 2\r\nab\r\nms a 2 C0\r\ncd\r\nms a 2 C0 MA\r\ncd\r\nms a 2 C0 MR\r\nef\r\nms a 2 C0 ME\r\n
ef\r\nmg a v\r\n
ms b 2 C0\r\ncd\r\nms b 2 C0 MA\r\ncd\r\nms b 2 C99999999 MR\r\nef\r\nms b 2 C99999999 ME\r\n
ef\r\nmg b v\r\n
ms a 2 C99999999 k O1 q\r\nab\r\nms a 2 C99999999 MP\r\nab\r\nms a 2 C18446744073709551616\r\n
ab\r\nmn\r\n
ms a 2 k k\r\nab\r\nms a 2 Z\r\nmn\r\nms a 2 Tx\r\nabXYmn\r\nmn\r\n
ms a 2 Fx q\r\nab\r\nms a 2 Cx\r\nab\r\nmn\r\n
ms a 2 q\r\nabc\r\nmn\r\n
ms a 1 q\r\nab\r\nmn\r\n
ms a 2 Z\r\na
ms a 2 Z\r\nab
ms a 2 Z\r\nab\r
ms a 2 Z\r\nab\r\n
ms a 2 Z\r\nab\r\nm
ms a 0 Z\r\nmnmn\r\n
ms a 8 O12345678 k\r\nabcdefg
ms a 8 O12345678 k
ms a 8 O12345678
mg a O12345678
mg a O1234567
mg a O123456
mg a O
mg a v T1
mg a v
mg
ms a 2 T+5 F+7\r\nab\r\nms a 2 T\t5\r\nab\r\nmg a f\r\n
ms a 2 F4294967297\r\nab\r\nms a 2\tx\r\nab\r\nms a 4294967298\r\nab\r\nmg a f\r\n
ms a 00002 F00000000000000000000007 T0000000000000\r\nab\r\nmg a f\r\n
ms a 2 T1800000000 F4294967295\r\nab\r\nmg a f\r\n
ms a 1048516\r\nx\r\n
ms a 1048517\r\nx\r\n
ms a 1048513 F1\r\nx\r\n
ms a 1048512 F1\r\nx\r\n
ms a 1048516 F0\r\nx\r\n
ms a 1048577 Z\r\nx\r\nmn\r\n
ms a 2097152 Z\r\nx\r\nmn\r\n
ms a 5000 O1\r\nx\r\n
md\r\nmd a\r\nms a 2\r\nab\r\nmd a C99999999 k\r\nmd a C0\r\nmg a\r\n
ms a 2\r\nab\r\nmd a q k O1\r\nmd a q k O1\r\nmd a k O1\r\nmg a\r\n
md a k k\r\nmd a Z\r\nmd a \xff\r\nmd a Cx\r\nmd a Fx\r\nmn\r\n
md a Mxy\r\nmd a Mx v s f t c h l u P L\r\nmn\r\n
md a Oabcdefghijklmnopqrstuvwxyz012345\r\nmn\r\n
ms Zm9v 2 b k\r\nab\r\nmg foo k v\r\nget foo\r\nmg Zm9v k b\r\nmg Zm9v k\r\nmg Zm9w O1 k b\r\n
ms Zm9v 1 b\r\n9\r\nma foo k\r\nmg foo k\r\nms Zm9v 1 b\r\n9\r\nma Zm9v k b MD\r\nmg foo k v\r\n
ms Zm9v 2 b\r\nab\r\nms Zm9v 1 b k MA\r\nc\r\nmg foo k v\r\nmd Zm9v b k\r\nmd foo k\r\n
mg Zm9 b\r\nms Zm9 2 k b\r\nmn\r\nmd = b\r\nma A=== b\r\nmg Zm9 b b\r\nmg Zm9 b Z\r\nmn\r\n
mg = R5 b Tx\r\nmg = Rx b T5\r\nmg = b Rx T5\r\nmg = T5 Mxy Rx b\r\nmg a R5 Mxy Tx\r\n
mg = Rx b Tx\r\nmg = T5 b Rx\r\nmg = b R5 Tx\r\nmg a T5 Mxy Rx\r\nmg a Rx Mxy T5\r\n
mg a Mxy Rx T5\r\nmg a Rx Tx Mxy\r\n
mg Zm9 b Tx\r\nmg Zm9 Tx b\r\nmg Zm9 Mxy b\r\nmg Zm9 b Mxy\r\nmg Zm9 b Fx\r\nmg Zm9 Mxy Tx b\r\n
mg Z*m9v k b\r\nmg A=AA b k\r\nmg AA==Zm9v k b\r\nmg AB== bxyzabcdefgh k\r\nmg Zm9vYmFyYm k b\r\n
mg Zm9v b
mg Zm9v b\0 k\r\nmg Zm9v k b\0\r\n
ms Zm9v 1048516 b\r\nx\r\n
ms Zm9v 1048515 b\r\nx\r\n
ms Zm9v 1048514 b\r\nx\r\n
ms Zm9v 1048513 b\r\nx\r\n
md a Oabcdefghijklmnopqrstuvwxyz012345 Z\r\nmd a 0\r\nmn\r\n
quit\r\nversion\r\n
version\r\nquit x\r\nset a b c d e f\r\nset a 0 0 1\r\nversion\r\n
version noreply\r\nVersion\r\nversion\0\r\n
\r\n\n \r\n\r\r\nv\r\n
version\r\n\x80\n
a
get
set a 0 0 1\r
"""

ASCII_CASES = [
    line.encode().decode("unicode_escape").encode("latin1") for line in _ASCII.split("\n")[1:-1]
]
_LONG = b"k" * 251
ASCII_CASES += [
    # A key that is too long: told before a wrong number by touch and incr, behind it by gat.
    b"touch %b x\r\ntouch %b 10\r\ntouch %b noreply\r\nversion\r\n" % ((_LONG,) * 3),
    b"incr %b x\r\nincr %b 1\r\ndecr %b noreply\r\ndecr %b 1 noreply\r\n" % ((_LONG,) * 4),
    b"gat x %b\r\ngat x a %b a\r\nversion\r\n" % ((_LONG,) * 2),
    b"gat 10 %b\r\nversion\r\n" % _LONG,
    b"gat 10 a %b a\r\nversion\r\n" % _LONG,
    b"gat %b1 a\r\ngat %b1\r\nversion\r\n" % ((b"0" * 300,) * 2),
    b"mg %b v v\r\nms %b 2\r\nab\r\nms %b x Z\r\nmn\r\n" % ((_LONG,) * 3),
    b"md %b Z\r\nmd %b Cx\r\nmg %b\r\nmn\r\n" % ((_LONG,) * 3),
    b"mg %b v k O1\r\nms %b 2 k\r\nab\r\nmd %b k\r\n" % ((_LONG[1:],) * 3),
    b"mg a" + b" Z" * 700 + b"\r\nmn\r\n",
    b"mg a" + b" k" * 700 + b"\r\nmn\r\n",
    b"ms a 2" + b" k" * 300 + b"\r\nab\r\nmn\r\n",
    b"mg a" + b"".join(b" O%b" % (b"o" * 40) for _ in range(20)) + b"\r\nmn\r\n",
    b"ms a %b2 F%b7 T%b C%b7\r\nab\r\nmn\r\n" % ((b"0" * 90,) * 4),
]


_TOUCH = (0x1C, 0x1D, 0x1E, 0x23, 0x24)
_TIME = b"\0\0\3\xe8"  # 1000 seconds
_COUNT = (5, 6, 0x15, 0x16)
_JOIN = (0x0E, 0x0F, 0x19, 0x1A)
_NEVER = b"\xff" * 4  # an exptime: nothing is stored
_COUNTS = tuple(
    struct.pack(">QQ", delta, start) + exptime
    for delta, start in ((1, 2), (2**64 - 1, 2**64 - 1), (2**63, 0))
    for exptime in (bytes(4), _TIME, _NEVER, _NEVER[1:] + b"\xfe")
)


def cut_binary() -> list[tuple[bytes, bytes]]:
    """Requests of every kind of body, cut short at every byte behind the first; and the request."""
    requests = [
        binary(opcode, b"k" * 9, extras, data, opaque=7)
        for opcode, extras, data in (
            (0, b"", b""),
            (1, bytes(8), b"v" * 9),
            (0x1C, bytes(4), b""),
            (5, bytes(20), b""),
            (0x16, bytes(range(20)), b""),
            (0x0E, b"", b"v" * 9),
            (0x1A, b"", b""),
            (0x77, b"", b"v" * 9),
        )
    ]
    requests += [binary(8, b"", bytes(4)), binary(10), binary(0x77, b"k", bytes(8), b"v")]
    return [(r[:length], r) for r in requests for length in range(1, len(r))]


def binary_cases() -> list[bytes]:
    noop = binary(10, opaque=99)
    return [
        header(0, 5, 0, 2, 1) + b"xx" + noop,  # key longer than the body
        header(1, 3, 8, 10, 1) + b"x" * 10 + noop,
        header(0x77, 3, 0, 6, 1) + b"abcdef" + noop,  # unknown, with a body
        header(0x77, 0, 0, 6, 1) + b"abcdef" + noop,
        header(0x77, 0, 0, 0, 1) + noop,
        header(0x77, 251, 0, 251, 1) + b"a" * 251 + noop,
        # VERBOSITY, which memcached's protocol text has, but not its code
        *(binary(0x1B, b"", bytes(extras)) + noop for extras in (0, 3, 4, 8)),
        binary(0x1B, b"k", bytes(4)) + noop,
        binary(0x1B, b"", b"", bytes(4)) + noop,
        header(0, 251, 0, 251, 1) + b"a" * 251 + noop,  # key too long
        header(0, 65535, 255, 2**32 - 1, 1) + b"a" * 251,
        header(1, 1, 8, 2**20 - 50, 1) + bytes(8) + b"a" * 20,  # too large
        header(1, 1, 8, 2**20 - 51, 1) + bytes(8) + b"a" * 20,
        header(1, 1, 8, 2**20 - 54, 1) + b"a" * 20,
        header(1, 1, 8, 2**20 - 55, 1) + b"a" * 20,
        header(1, 1, 8, 9 + 5000, 1) + b"a" * 20,
        *(header(code, 1, 0, 2**20 - 58, 1) + b"a" * 20 for code in _JOIN),  # too large
        *(header(code, 1, 0, 2**20 - 59, 1) + b"a" * 20 for code in _JOIN),
        binary(1, b"k", b"flag" + bytes(4), b"v") + header(0x0E, 1, 0, 2**20 - 59, 1) + b"a" * 20,
        *(header(code, 1, 0, 1 + 5000, 1) + b"a" * 20 for code in _JOIN),
        header(0x77, 0, 0, 2**32 - 1, 1) + b"a" * 20,
        noop + b"version\r\n" + noop,
        noop + b"\x81" + noop[1:] + noop,
        noop + noop[:5],
        noop + noop[:8],
        noop + noop[:20],
        b"\x80",
        binary(1, b"k", bytes(8)) + noop,  # no value
        binary(1, b"k", bytes(4), b"v") + noop,
        binary(1, b"", bytes(8), b"v") + noop,
        binary(0, b"k", bytes(4)) + noop,
        binary(0, b"k", b"", b"v") + noop,
        binary(0) + noop,
        binary(4, b"k", b"x") + noop,
        binary(8, b"", bytes(2)) + noop,
        binary(8, b"k") + noop,
        binary(8, b"", b"", b"xxxx") + noop,  # a body of four bytes that is no extras
        binary(8, b"", b"\0\0\0\5") + noop,
        binary(8, b"", bytes(4)) + noop,
        binary(10, b"k") + noop,
        binary(11, b"", b"", b"x") + noop,
        binary(11) + binary(7) + noop,
        binary(0x17) + noop,
        binary(7, b"x") + noop,
        binary(0, b"abcdefgh") + noop,
        *(binary(code, b"a", _TIME) * 2 + noop for code in _TOUCH),
        *(binary(1, b"a", bytes(8), b"x") + binary(code, b"a", _TIME) + noop for code in _TOUCH),
        *(binary(code, b"a", bytes(4), b"v") + noop for code in _TOUCH),
        *(binary(code, b"k" * 251, bytes(4)) + noop for code in _TOUCH),
        *(binary(code, b"", bytes(4)) + noop for code in _TOUCH),
        *(binary(code, b"abcd", extras) + noop for code in _TOUCH for extras in (b"", bytes(8))),
        # a value that is there, by a wrong CAS number, too, and one that is not
        *(
            binary(1, b"a", b"flag" + bytes(4), value)
            + binary(code, b"a", b"", new, cas=cas) * 2
            + binary(0, b"a")
            + noop
            for code in _JOIN
            for value in (b"", b"1", b"0123456789")
            for new, cas in ((b"", 0), (b"xyz", 0), (b"xyz", 1 << 60))
        ),
        *(binary(code, b"a", b"", b"v", cas=cas) + noop for code in _JOIN for cas in (0, 1 << 60)),
        *(
            binary(code, b"a", bytes(length), b"v") + noop
            for code in _JOIN
            for length in (4, 8, 20)
        ),
        *(binary(code, b"k" * 251, b"", b"v") + noop for code in _JOIN),
        *(binary(code, b"", b"", b"v") + noop for code in _JOIN),
        # a number that is there, by a wrong CAS number, too, and one that is not
        *(
            binary(1, b"a", bytes(8), value) + binary(code, b"a", extras, cas=cas) * 2 + noop
            for code in _COUNT
            for extras in _COUNTS
            for value, cas in ((b"10", 0), (b"18446744073709551615", 0), (b"7", 1 << 60), (b"x", 0))
        ),
        *(binary(code, b"a", x) * 2 + binary(0, b"a") + noop for code in _COUNT for x in _COUNTS),
        *(binary(code, b"a", x, cas=1 << 60) + noop for code in _COUNT for x in _COUNTS),
        *(binary(code, b"a", bytes(20), b"v") + noop for code in _COUNT),
        *(binary(code, b"k" * 251, bytes(20)) + noop for code in _COUNT),
        *(binary(code, b"", bytes(20)) + noop for code in _COUNT),
        *(binary(code, b"abcd", bytes(length)) + noop for code in _COUNT for length in range(33)),
        binary(0x1C, b"", b"", bytes(4) + b"a") + noop,  # a body like it, of other lengths
        binary(0x14, b"k") + binary(9, b"k") + binary(13, b"k") + binary(12, b"k") + noop,
    ]
