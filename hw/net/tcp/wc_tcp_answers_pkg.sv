// SPDX-License-Identifier: Apache-2.0
// What the answer side of TCP takes.
`default_nettype none

package wc_tcp_answers_pkg;

  import wc_tcp_requests_pkg::bytes_t;

  // Room that a command of the host waits for. Its answer is no longer, and not known before.
  localparam bytes_t HostRoom = bytes_t'(wc_pkg::CommandAnswerBytes);

  // Some of the answer to a packet: exactly ceil(bytes / 8) words follow. All messages of a packet come
  // one behind the other.
  typedef struct packed {
    logic [15:0] id;
    bytes_t      bytes;       // may be 0
    logic        last;        // of its packet; only then what follows counts:
    bytes_t      operations;  // as answered_t has it
    bytes_t      needs;
  } message_t;

  // A word of it; unused bytes of the last one may be anything.
  typedef struct packed {
    logic        error;  // the value could not be read: the answer is none
    logic [63:0] data;
  } word_t;

endpackage

`default_nettype wire
