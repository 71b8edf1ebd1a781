// SPDX-License-Identifier: Apache-2.0
// What the request side of TCP is told, and what it gives: packets of whole requests.
`default_nettype none

package wc_tcp_requests_pkg;

  typedef logic [15:0] id_t;
  typedef wc_pkg::ring_bytes_t bytes_t;
  typedef logic [1:0] phase_t;   // all memories have a schedule of four cycles

  // Room for the answer to a request with a short one. The longest is that to a meta command that
  // shows a key in base64 and what came with O.
  localparam int unsigned ShortBits = $clog2(wc_pkg::MetaAroundBytes + wc_pkg::MaxKeyBytes);
  localparam int unsigned ShortAnswer = 1 << ShortBits;
  localparam int unsigned PieceBytes = 256;   // asked for at a time

  // ---- what is told, beside opened, arrived and freed of wc_tcp_engine_pkg ----------------------
  typedef struct packed {
    id_t    id;
    bytes_t bytes;       // written into the send ring for this packet, this time
    bytes_t operations;  // of the packet, counted from its beginning, that have been answered
    bytes_t needs;       // 0: all have; else the next one was not, for want of so much room
  } answered_t;

  // ---- packets ---------------------------------------------------------------------------------
  typedef enum logic [1:0] {
    OfReads  = 2'd0,
    OfShorts = 2'd1,
    OfHost   = 2'd2   // one command
  } class_e;

  typedef struct packed {
    id_t    id;
    logic   binary;
    class_e kind;
    bytes_t room;  // free in the send ring
    bytes_t skip;  // operations at the beginning that have been answered before
  } head_t;

  typedef struct packed {
    logic [63:0] data;   // unused bytes are zero
    logic [3:0]  bytes;  // 1 to 8; less than 8 only with last
    logic        last;
  } packet_word_t;

  // ---- between the parts -----------------------------------------------------------------------
  // What a turn of a connection is for.
  typedef enum logic [2:0] {
    DoNothing = 3'd0,
    DoFrame   = 3'd1,  // new bytes are read and framed
    DoGive    = 3'd2,  // a packet whose end is known is read and given
    DoClose   = 3'd3,
    DoBack    = 3'd4,  // nothing of the connection is left here
    DoCount   = 3'd5   // bytes of a value are counted, and not read
  } what_e;

  // A connection gets a turn when what it waits for comes.
  typedef struct packed {
    logic bytes;
    logic room;
  } wants_t;

  typedef struct packed {
    id_t        id;
    what_e      what;
    logic       answered;  // its packet was, wholly
    wants_t     wants;     // of DoNothing
    logic       more;      // there is more than this turn reads, or all has come
    logic [5:0] shorts;    // so many short answers have room, at most a turn's requests
    bytes_t     room;
    bytes_t     skip;      // DoGive: operations; DoCount: bytes
  } job_t;

  // How much of a tag of a read is used: the last one of a job; its bytes beyond whole words.
  typedef struct packed {
    logic       final_;
    logic [2:0] rest;
  } piece_t;

  typedef enum logic [1:0] {
    SayTaken = 2'd0,
    SayClose = 2'd1,
    SayAbort = 2'd2,
    SayBack  = 2'd3
  } say_e;

endpackage

`default_nettype wire
