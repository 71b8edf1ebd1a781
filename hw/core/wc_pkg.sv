// SPDX-License-Identifier: Apache-2.0
// Types that cross a stage boundary, and the constants that more than one stage must agree on.
// docs/architecture.md says what each stage promises about them; Python reads them from here
// (wirecache.circuit.structs), so nothing in this file is typed a second time anywhere.
// Long because all stages have to agree on what is here.
`default_nettype none

package wc_pkg;

  // ---- the lane -------------------------------------------------------------------------------
  localparam int unsigned WordWidth = 64;  // one word = 8 bytes of the wire = one cycle at 10 Gb/s
  localparam int unsigned WordBytes = WordWidth / 8;
  localparam int unsigned MaxKeyBytes = 250;  // memcached protocol text
  // Of an item as large as any may be, and of a bucket's: a slot has bits for no more. A configuration
  // says how large items may be (item_bits).
  localparam int unsigned MostValueBits = 23;
  localparam int unsigned MaxValueBytes = 1 << MostValueBits;
  localparam int unsigned BlockValueBytes = 1 << 20;
  localparam int unsigned AllowEntries = 8;  // of the access list

  // An item that INCR or DECR stores has room for a value of so many bytes, whatever its number is,
  // as the room is taken before the number is known. A longer value is no number to them. (2**64 - 1
  // has 20 digits.)
  localparam int unsigned NumberWords = 3;
  localparam int unsigned NumberBytes = NumberWords * WordBytes;

  // How large an item may be. memcached's item has a header, a CAS number, the key and its NUL, four
  // bytes of flags if they are not zero, the value and CR LF. All of it must fit in what the host has
  // set (`most_bytes`): 2**item_bits of the configuration, or less. The least is more than what a
  // length of four digits makes, at which the parser does not look.
  localparam int unsigned LeastItemBytes = 1 << 14;
  localparam int unsigned ItemBytes = 59;  // of an item with neither key, flags nor value
  localparam int unsigned ItemFlagBytes = 4;

  // ---- messages: what is answered together --------------------------------------------------------
  // The parser ends a message with the command that brings it to MessageOperations, and goes on with
  // another one. So a message has fewer than that and one command more, and a command has an
  // operation for each two bytes of its packet at most ("get a b c"), and one that ends it.
  localparam int unsigned AroundBytes = 72;  // of an answer beside its key and its value, at most;
  // Of one to a meta command. A key that is shown in base64 is longer by EncodedBytes, at most.
  localparam int unsigned EncodedBytes = (MaxKeyBytes + 2) / 3 * 4 + 2 - MaxKeyBytes;
  localparam int unsigned MetaAroundBytes = 123 + EncodedBytes;
  localparam int unsigned PacketBytes = 1472;  // of a request packet at most: a frame's UDP payload
  localparam int unsigned MessageOperations = 256;
  localparam int unsigned CommandOperations = PacketBytes / 2;
  localparam int unsigned MostOperations = MessageOperations - 1 + CommandOperations;
  localparam int unsigned MostKeyWords = PacketBytes / 2;  // a word of a key and what ends the key
  // Of what comes with the flag O, the shortest meta command has one word: "mg k O" and its end.
  localparam int unsigned MostOpaqueWords = PacketBytes / 7;

  // A packet of TCP may be much longer. A message of one ends, in the middle of a get, too, when the
  // words of its keys and, for each operation, one more, or five of a meta command, come to
  // TcpMessageWords. (Up to four words come with O.) The last one is counted whole. And what takes a
  // value is a message of its own.
  localparam int unsigned TcpMessageWords = 128;
  localparam int unsigned TcpOtherWords = 1;
  localparam int unsigned TcpMetaWords = 5;
  localparam int unsigned MostTcpMessageWords =
      TcpMessageWords - 1 + (MaxKeyBytes + 7) / 8 + TcpMetaWords;

  typedef logic [WordWidth-1:0] word_t;  // byte i of the stream is bits [8i+7:8i]
  typedef logic [2:0] lane_t;
  typedef logic [15:0] conn_t;  // whom to answer: for UDP the slot in the lane's context table
  typedef logic [31:0] seconds_t;  // Unix time
  typedef logic [7:0] key_len_t;  // bytes
  typedef logic [MostValueBits:0] value_len_t;  // bytes, 0 to MaxValueBytes
  typedef logic [63:0] cas_t;
  typedef logic [63:0] number_t;  // of an INCR or DECR: unsigned
  typedef logic [63:0] hash_t;  // of a key

  // A value store pointer: the size class in the top bits (TRETS'15, 5.2), below it the address of
  // the block in memory in lines of 64 bytes.
  localparam int unsigned Classes = 3;
  localparam int unsigned LineBytes = 64;
  typedef struct packed {
    logic [1:0]  size_class;
    logic [29:0] line;
  } pointer_t;
  localparam pointer_t NoPointer = '1;  // class 3 does not exist

  // ---- operations -----------------------------------------------------------------------------
  typedef enum logic [3:0] {
    OpNone   = 4'd0,  // nothing to execute: the status alone makes the answer
    OpGet    = 4'd1,
    OpSet    = 4'd2,
    OpDelete = 4'd3,
    OpFlush  = 4'd4,
    OpAdd    = 4'd5,
    OpReplace = 4'd6,
    OpTouch  = 4'd7,
    OpGat    = 4'd8,  // get and touch
    OpIncr   = 4'd9,
    OpDecr   = 4'd10,
    OpRefuse = 4'd11,  // a SET whose item would be too large: the one that is there goes
    OpAppend = 4'd12,
    OpPrepend = 4'd13,
    OpHost   = 4'd14, // the host executes it, and answers it in a message of its own
    OpLook   = 4'd15  // tells of an item, but not its value
  } op_e;

  // What the answer to an operation of kind OpNone with StOk says (ASCII; binary echoes the
  // opcode).
  typedef enum logic [1:0] {
    SaySilent  = 2'd0,  // nothing at all: ASCII quit, the end of a packet that asks for no answer
    SayOk      = 2'd1,  // "OK": verbosity, and binary NOOP and QUIT
    SayVersion = 2'd2,
    SayEnd     = 2'd3   // "END": ASCII gat without a key
  } say_e;

  // What the answer to a meta command shows behind its first word, in the order asked for. The
  // letter of each is the flag of memcached's that asks for it.
  typedef enum logic [3:0] {
    ShowNone   = 4'd0,
    ShowKey    = 4'd1,  // k: the key
    ShowOpaque = 4'd2,  // O: the bytes that came with the flag
    ShowFlags  = 4'd3,  // f: the item's flags
    ShowSize   = 4'd4,  // s: the bytes of its value
    ShowTtl    = 4'd5,  // t: seconds until it expires, or -1
    ShowCas    = 4'd6,  // c: its CAS number
    ShowNumber = 4'd7,  // v of `ma`: what was counted, as a value. The last, if at all
    ShowFetched = 4'd8, // h: whether somebody had read or touched it, 0 or 1
    ShowUnused = 4'd9,  // l: seconds since it was last used
    ShowMarks  = 4'd10  // of every `mg`: W, X and Z, as far as they are so. The last
  } show_e;
  localparam int unsigned MostShows = 10;
  typedef show_e [MostShows-1:0] shows_t;  // the first is lowest; ShowNone behind the last
  localparam int unsigned OpaqueBytes = 31;  // that come with O, at most (memcached 1.6.18)

  // The verdict on an operation. The parser sets all but the first group; those keep OpNone.
  typedef enum logic [4:0] {
    StOk        = 5'd0,
    StNotFound  = 5'd1,
    StExists    = 5'd2,   // there is an item, of another CAS number or where there must be none
    StNoMemory  = 5'd3,   // no free block of the class, or no free slot in the bucket
    StMemory    = 5'd4,   // "SERVER_ERROR memory error", binary 0x84: the bucket cannot be read
    StNotNumber = 5'd5,   // "CLIENT_ERROR cannot increment or decrement non-numeric value", 0x06
    StNotStored = 5'd6,   // "NOT_STORED", 0x05: no item to join to, or it would be too large
    StBusy      = 5'd7,   // "SERVER_ERROR host busy", 0x85: the host has as many as it may have
    StUnknown   = 5'd8,   // "ERROR", binary 0x81
    StBadFormat = 5'd9,   // "CLIENT_ERROR bad command line format", binary 0x04
    StBadChunk  = 5'd10,  // "CLIENT_ERROR bad data chunk"
    StTooLarge  = 5'd11,  // "SERVER_ERROR object too large for cache", binary 0x03
    StBadTime   = 5'd12,  // "CLIENT_ERROR invalid exptime argument"
    StBadDelete = 5'd13,  // "CLIENT_ERROR bad command line format.  Usage: delete <key> [noreply]"
    StAnswerTooLarge = 5'd14,  // "SERVER_ERROR answer too large", binary 0x03
    StBadDelta  = 5'd15,  // "CLIENT_ERROR invalid numeric delta argument"
    StBadToken  = 5'd16,  // "CLIENT_ERROR bad token in command line format"
    StDuplicateFlag = 5'd17,  // "CLIENT_ERROR duplicate flag"
    StInvalidFlag = 5'd18,  // "CLIENT_ERROR invalid flag"
    StLongOpaque = 5'd19,  // "CLIENT_ERROR opaque token too long"
    StBadModeLength = 5'd20,  // "CLIENT_ERROR incorrect length for M token"
    StBadMode   = 5'd21,  // "CLIENT_ERROR invalid mode for ms M token"
    StBadFlag   = 5'd22,  // "CLIENT_ERROR invalid or duplicate flag": all that `md` and `ma` say
    StUndecoded = 5'd24,  // "CLIENT_ERROR error decoding key"
    StBadArithmeticMode = 5'd23  // "CLIENT_ERROR invalid mode for ma M token"
  } status_e;

  // The function that finds a key's bucket (TRETS'15, 3).
  typedef enum logic [1:0] {
    HashLookup3        = 2'd0,
    HashMultiplicative = 2'd1,
    HashCrc            = 2'd2
  } hash_e;

  // What finds the item of a key: the table of TRETS'15 with blocks that a host hands out, or
  // Wirecache's own (hw/item).
  typedef enum logic [0:0] {
    IndexBucket = 1'd0,
    IndexItem   = 1'd1
  } index_e;

  // What an index keeps of an item for meta commands alone.
  typedef struct packed {
    logic fetched;  // somebody has read or touched it
    logic stale;
    logic won;      // an `mg` was told to fetch it anew
  } marks_t;

  // What every stage from the parser to the response carries along unchanged (but status).
  typedef struct packed {
    lane_t    lane;
    conn_t    conn;
    logic     tcp;        // conn is a TCP connection
    logic     last;       // last operation of its message
    logic     more;       // with last: another message of the same request packet follows
    logic     binary;     // binary protocol
    logic     meta;       // a meta command, of text; then {opaque, opcode} is a shows_t
    op_e      op;
    say_e     say;
    status_e  status;
    logic     quiet;      // ASCII noreply: no answer. Binary quiet opcode, meta flag q: no answer
                          // to what reads and misses, nor to another operation that succeeds
    logic     with_key;   // the answer may hold the key: of a GET, and of any operation with a key
                          // of a meta command
    logic     key_words;  // key words follow to the response: with_key, and of all with a key while
                          // the host watches
    logic     encoded;    // a meta command's key came in base64, and is shown so. In the result of
                          // one that tells of an item: the item's has
    logic     with_cas;   // ASCII gets
    logic     cmd_first;  // first and last key of an ASCII get: END follows the last (not if meta)
    logic     cmd_last;
    logic     cancel;     // an error that takes back the answers of its own command so far
    logic [7:0]  opcode;  // binary: to be echoed
    logic [31:0] opaque;  // binary: to be echoed; its first byte on the wire is the lowest
    key_len_t key_len;    // 0: no key words
  } op_t;

  // Parser -> hash -> index. Key words follow on their own stream when op.key_len != 0; value words
  // go to the store on theirs when the operation takes a value (effect_of) and value_len != 0.
  typedef struct packed {
    op_t         op;
    value_len_t  value_len;  // INCR and DECR: NumberBytes
    logic [31:0] flags;
    seconds_t    expiry;  // absolute; 0 = never. Of what stores or touches. OpFlush: when (0 = now)
    cas_t        cas;     // to be compared; 0 = do not
    // INCR and DECR only
    number_t     delta;
    logic        creates;  // without an item one is stored, with `start` and `expiry`. A GET too,
                           // or a LOOK, of a meta command: with no value, and `expiry`
    number_t     start;
    logic        touches;  // an item that is there gets `expiry`, too; likewise with `stale`. Of
                           // a GET or LOOK that creates: it counts as a touch, too
    logic        earlier;  // of what touches, or creates: ttl is that of before
    // meta commands only
    logic        gives;    // what it stores, or marks, has the CAS number `given`
    cas_t        given;
    logic        stale;    // OpDelete: the item stays, and is stale. OpSet with a CAS number: so is
                           // the new item, where that of the old one is higher
    logic        clears;   // OpDelete: the item stays, but without its value, with `flags` and
                           // `expiry`. It keeps its CAS number, unless it becomes stale,
                           // or one is given
    logic        idle;     // what reads or touches is no use of the item
    logic        recaches; // what reads or touches wins an item that expires before `delta`,
    logic        renewed;  // or would if it had `expiry`
  } request_t;

  // Hash -> index: the request and the hash of its key (undefined when there is no key). The lower
  // half of a hash finds the bucket; the upper one is there for what tells keys of a bucket apart.
  typedef struct packed {
    request_t    request;
    hash_t       hash;
  } hashed_t;

  // Index -> response. Key words follow only when op.key_words.
  typedef struct packed {
    op_t         op;
    value_len_t  value_len;  // GET hit: what the table holds; SET: as in the request
    logic [31:0] flags;      // GET or TOUCH hit: what the table holds
    seconds_t    ttl;        // an item, that of before unless it is set or touched now: seconds
                             // until it expires, or would have; all ones: it does not
    seconds_t    unused;     // of an item that is told of: seconds since it was last used, before
                             // this operation
    cas_t        cas;        // GET hit: of the item; SET stored: the new one
    marks_t      marks;      // of an item, before the operation;
    logic        wins;       // it is won now
    pointer_t    pointer;    // GET hit and SET stored
                             // INCR and DECR: flags and pointer are the new number, value_len its
                             // digits, and cas is the item's; of text lines that show no CAS number,
                             // cas is the number, and flags and pointer are not
    // Item index only. Both stay, and so does the pointer, when the answer is taken back or cut.
    logic        hit;        // a GET that found its item: the reader of values must be told
    logic        one_line;   // a line of one that was compared waits beside: found or not
  } result_t;

  // A word of a key or of a value; unused bytes of the last one are zero.
  typedef struct packed {
    word_t data;
    logic  last;
  } beat_t;

  // A word of what came with an O flag, from the parser to the response: at least one for each
  // operation of a meta command with ShowOpaque, in their order.
  typedef struct packed {
    word_t      data;   // unused bytes are zero
    logic [3:0] bytes;  // 0 to 8; less than 8 only with last
    logic       last;
  } opaque_word_t;

  // A word of a request packet, from the network to the parser.
  typedef struct packed {
    conn_t      conn;   // these three are the same in every word of a packet
    logic       tcp;    // whole requests of a TCP connection, whose number is conn
    logic       binary; // of TCP: the connection's protocol. Else a packet's first byte tells
    word_t      data;
    logic [3:0] bytes;  // 1 to 8; less than 8 only with last
    logic       last;
  } packet_t;

  // One answer message, from the response to the network: exactly ceil(bytes / 8) words follow on
  // the word stream. A message of no bytes sends nothing. One without `more` ends the packet's turn.
  typedef struct packed {
    lane_t       lane;
    conn_t       conn;
    logic        more;  // another message for the same request packet follows
    logic        host;  // behind its last operation comes a command that the host answers: who asks
                        // is told to the host port
    logic        aside; // the host's answer to such a command: the host port says who has asked,
                        // and its words are those of the host; with `more`, over TCP alone, it is
                        // a part, and the command comes again
    logic [26:0] bytes;
  } message_t;

  // ---- TCP: room for answers ----------------------------------------------------------------------
  // What is known of a packet of a TCP connection when it goes to the parser. One for each, in the
  // order of the packets.
  localparam int unsigned MostRingBits = MostValueBits;
  // Of a ring that holds what a connection has not acknowledged.
  typedef logic [MostRingBits:0] ring_bytes_t;
  typedef struct packed {
    logic        reads;  // all of it reads: what finds no room is left out, and asked for again.
                         // Else there is room, whatever is answered
    logic        whole;  // the ring is free: there never is more room
    ring_bytes_t room;   // bytes
    ring_bytes_t skip;   // operations at the beginning that were answered before: they say nothing.
                         // Of a command of the host: it was answered in part
  } tcp_turn_t;

  // What became of such a packet, beside the message_t of each of its messages.
  typedef struct packed {
    logic        tcp;         // else nothing here counts
    logic        again;       // it is a command of the host that was answered in part before
    ring_bytes_t operations;  // answered so far, counted from the packet's beginning
    ring_bytes_t needs;       // 0: none was left out; else so much room the first one needs
  } tcp_answered_t;

  // ---- commands of the host: parser -> host port, each in its order -------------------------------
  // The words of every line, and the key of every binary request, pass as they are read. Of those
  // only count what has come between the last `restart` and `put`.
  typedef struct packed {
    logic        restart;  // nothing has come yet, but what comes in this cycle
    logic        push;     // `data` comes, 1 to 8 bytes and zeros
    logic        begins;   // a word of the line begins with it; else the word before goes on
    word_t       data;
    logic        put;      // it is a command for the host
    logic        refused;  // it would be one, but there is no room
    logic        binary;
    logic [7:0]  opcode;
    logic [31:0] opaque;
    key_len_t    key_len;  // binary: of all of its key, however much of it has passed
  } command_line_t;

  // Who has asked: a TCP connection, whose number is lowest, or whom the network stage knows
  // (wc_net_pkg::context_t). Nobody else looks inside.
  typedef struct packed {
    logic         tcp;
    logic         again;  // TCP: the command was answered in part, and comes for the rest
    logic [111:0] who;
  } asker_t;

  // Of a line that are kept, of up to 8 bytes each: a name, the longest key, and words behind it.
  localparam int unsigned CommandPieces = 64;
  localparam int unsigned CommandAnswerBytes = 8192;  // at most, of the host's answer to a command

  // The oldest command that the host has not answered, as the host reads it.
  typedef struct packed {
    logic        waits;    // there is one
    logic        binary;
    logic [7:0]  tag;      // to be given back with the answer
    logic [$clog2(CommandPieces):0] pieces;  // of its line, or its key
    key_len_t    key_len;
    logic [7:0]  opcode;
    logic [31:0] opaque;
  } command_head_t;

  // What the host writes, and how long it may take.
  typedef struct packed {
    logic [$clog2(CommandPieces)-1:0] piece;  // of the line, that the host wants to see
    logic        push;       // another four bytes of the answer
    logic [31:0] data;
    logic        send;       // the answer is whole
    logic [7:0]  tag;        // of the command
    logic [13:0] bytes;      // of the answer
    logic        more;       // over TCP: it is a part, and the command comes again for the rest,
    logic        later;      // if it has no bytes, some milliseconds later,
    logic        wake;       // or with this
    logic [30:0] limit;      // cycles until a command is answered without the host
  } command_host_t;

  // What wc_answer_size tells of operations with key words, in their order: while the host watches all
  // that have a key are such.
  typedef struct packed {
    logic       word;    // a word of the key of such an operation passes
    logic       leaves;  // an operation leaves; its last word may pass with it
    logic       told;    // it is such a one, and neither was answered before nor comes again
    logic       tcp;
    conn_t      conn;
    op_e        op;
    status_e    status;
    key_len_t   key_len;
    value_len_t value_len;
    seconds_t   ttl;
  } watched_t;

  typedef struct packed {
    logic kept;  // an operation is kept for the host
    logic lost;  // there was no room
  } watch_events_t;

  typedef struct packed {
    logic taken;    // the host is to answer a command
    logic refused;  // it had as many as it may have
    logic late;     // it did not answer in time
  } command_events_t;

  // ---- settings, from the host port; they change only while nothing is in flight ----------------
  typedef struct packed {
    logic        enable;        // receive
    logic        frame_header;  // memcached's UDP frame header is there, in both directions
    logic [47:0] mac;           // first byte on the wire in the top bits
    logic [31:0] ip;            // likewise
    logic [15:0] udp_port;
    logic [15:0] tcp_port;      // 0: none
    // The access list: an address is on it when its bits under the mask of some entry are that
    // entry's network. A mask of 0 with a network of 0 takes in every address.
    logic [AllowEntries-1:0][31:0] allow_network;
    logic [AllowEntries-1:0][31:0] allow_mask;
  } net_settings_t;

  // An access to the registers that an index has of its own, `addr` in bytes. One at a time: `req`
  // is a cycle, an answer comes later, with what was read. `addr` of a read is there a cycle before.
  localparam int unsigned RegAddrWidth = 11;  // of the host port: its own, the index's, TCP's, none
  typedef struct packed {
    logic                    req;
    logic                    write;
    logic [RegAddrWidth-3:0] addr;
    logic [31:0]             wdata;
  } reg_req_t;
  typedef struct packed {
    logic        wr_ack;
    logic        rd_ack;
    logic [31:0] rdata;
  } reg_resp_t;

  typedef logic [23:0] answer_limit_t;  // bytes of the answer to one request datagram

  // What VERSION answers: the memcached that is kept to, if the host does not say otherwise. Clients
  // read digits out of it.
  localparam logic [6*8-1:0] VersionText = "1.6.18";
  localparam int unsigned VersionBytes = 14;  // at most
  typedef struct packed {
    logic [3:0] bytes;  // 1 to VersionBytes
    word_t [1:0] line;  // the text and CR LF, the first character in the lowest byte
  } version_t;

  // ---- what enters and leaves the stages in a cycle, to know what is in flight --------------------
  typedef struct packed {
    logic answer;    // messages whose size is known and whose words have not all been sent
    logic store;     // operations
    logic index;     // operations
    logic hash;      // operations
    logic request;   // datagrams that the parser has not ended
    logic datagrams; // in all of the pipeline: from receive to the last word of the answer
  } stages_t;
  localparam int unsigned Stages = $bits(stages_t);
  typedef logic [16:0] level_t;

  // ---- counted events: one-cycle pulses to the host port ----------------------------------------
  typedef struct packed {
    logic frame_in;           // every frame that ends at the receive edge
    logic frame_out;          // every frame sent
    logic request_in;         // datagrams handed to the parser
    logic tcp_in;             // segments handed to TCP
    logic arp_reply;
    logic icmp_reply;
    logic drop_disabled;      // receive is switched off
    logic drop_bad_frame;     // the MAC says so (FCS), or too long
    logic drop_runt;          // shorter than its headers say
    logic drop_mac;           // not our address, nor broadcast
    logic drop_ethertype;
    logic drop_arp;           // not a request for our address
    logic drop_ip_header;     // version, header length, total length, checksum
    logic drop_ip_address;
    logic drop_ip_fragment;
    logic drop_ip_protocol;
    logic drop_icmp;          // not an echo request, or bad checksum
    logic drop_udp_port;
    logic drop_udp_length;
    logic drop_udp_checksum;
    logic drop_udp_header;    // memcached frame header: a sequence number other than 0
    logic drop_tcp_header;    // no whole header, or a wrong data offset
    logic drop_tcp_port;
    logic drop_tcp_checksum;
    logic drop_source;        // from an address or a port that must not be answered
    logic drop_denied;        // from an address that is not on the access list; not of ARP
    logic drop_overflow;      // a receive buffer or the context table is full
    logic drop_local;         // ARP or ICMP reply queue full
    logic answer_lost;        // datagram of an answer whose value memory did not give
  } net_events_t;

  // Of TCP, beside those of its frames (wc_tcp_demux_pkg::counts_t, wc_tcp_engine_pkg::counts_t).
  typedef struct packed {
    logic syn;           // a SYN was answered
    logic opened;        // a connection
    logic refused;       // one too many
    logic bad_cookie;
    logic early;         // a segment before the one that opens its connection
    logic reset;         // a segment that has no connection
    logic flooded;       // one of a connection that sends more than is taken, while others wait
    logic unanswered;    // there was more to be answered than the wire could take
    logic closed;        // a connection
    logic retransmit;    // a segment sent again
    logic timeout;
    logic probe;
    logic window_probe;
    logic recovery;
    logic out_of_order;
    logic duplicate;
    logic challenge;
    logic old_stamp;
    logic lost;          // a segment whose bytes memory did not give, or keep
    logic idle;          // a connection ends as nothing comes of it
    logic keepalive;     // a peer that has said nothing for long is asked
    logic silent;        // a connection is given up whose peer has not answered that
  } tcp_events_t;

  // Bytes of UDP's payloads, an event for each eight (wc_net_bytes).
  typedef struct packed {
    logic bytes_in;   // of requests, without memcached's frame header
    logic bytes_out;  // of answers, with it
  } byte_events_t;

  typedef struct packed {
    logic get;
    logic get_hit;
    logic set;
    logic del;
    logic del_hit;
    logic touch;            // TOUCH or GAT
    logic touch_hit;
    logic incr;
    logic incr_hit;         // a number became another one
    logic decr;
    logic decr_hit;
    logic cas_hit;          // of what stores with a CAS number: it is the item's,
    logic cas_badval;       // it is not,
    logic cas_miss;         // there is no item
    logic flush;
    logic other;            // OpNone with StOk
    logic error;            // OpNone with an error status
    logic failed;           // GET, SET or DELETE whose bucket cannot be read, or was not written
  } index_events_t;

  typedef struct packed {
    logic cut;      // answer that ends where its datagram's limit is reached
  } answer_events_t;

  // Errors of memory, in the cycle in which one comes to light; `line`s of 64 bytes.
  typedef struct packed {
    logic        read;        // of an operation's bucket, of a value
    logic [31:0] read_line;   // the bucket's first header line, the block's first line
    logic        write;       // a burst of it
    logic [31:0] write_line;
  } memory_error_t;

  // The host wants an empty table.
  typedef struct packed {
    logic zeroed;  // memory is all zeros where the table is: nothing need be written
    logic start;   // a pulse
  } clear_t;

  // Places that could not be written: they count as unreadable.
  localparam int unsigned BadPlaces = 8;  // kept, of each kind
  typedef struct packed {
    logic [3:0] level;
    logic       all;  // there was no room for another: all places count as bad
  } bad_level_t;

  // ---- bits -------------------------------------------------------------------------------------
  // The lowest bit that is set, alone. (As -v & v it would become a carry chain.)
  function automatic logic [15:0] lowest(logic [15:0] bits);
    logic [15:0] one;
    logic none;
    one = '0;
    none = 1'b1;
    for (int unsigned i = 0; i < 16; i++) begin
      one[i] = bits[i] && none;
      none = none && !bits[i];
    end
    return one;
  endfunction

endpackage

`default_nettype wire
