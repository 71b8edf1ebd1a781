// SPDX-License-Identifier: Apache-2.0
// One structure configures the core: what the user chooses, and what follows from it.
`default_nettype none

package wc_config_pkg;

  // What is understood beside the classic commands of text lines.
  typedef enum logic [1:0] {
    ProtocolsClassic = 2'b00,
    ProtocolsMeta    = 2'b01,
    ProtocolsBinary  = 2'b10,
    ProtocolsAll     = 2'b11
  } protocols_e;

  typedef struct packed {
    wc_pkg::index_e index;         // where items stand: IndexBucket, IndexItem
    protocols_e protocols;         // meta commands are for IndexItem only, whatever is said here
    int unsigned dumps;            // IndexItem: 1: the host may read memory, as lists of keys need
                                   // it; 0
    int unsigned slots;            // slots in a bucket: 4, 8, 16
    int unsigned max_key;          // bytes, 8 to 250
    int unsigned item_bits;        // IndexItem: the largest item has 2**item_bits bytes at most: 20
                                   // to 23; IndexBucket: 20
    int unsigned max_bucket_bits;  // the largest table has 2**max_bucket_bits buckets: 4 to 24
    wc_pkg::hash_e hash_function;  // hw/hash/README.md tells how many units each of them needs
    int unsigned hash_units;       // 1 to 16
    int unsigned in_flight;        // IndexBucket: writes that are kept apart; IndexItem: buckets on
                                   // the chip, 64 at most, and lines on the way to each reader:
                                   // 8 to 128
    int unsigned filter_cells;     // IndexItem: of a slice of the Bloom filter before the table: 16
                                   // to 2**20; 0: there is none; IndexBucket: 0
    int unsigned ways;             // IndexItem: buckets in which a key may be: 1, 2, 4;
                                   // IndexBucket: 1
    int unsigned moves;            // ways 2, 4: items that are moved at most to make room for one,
                                   // until the least used gives way: 0 to 255
    int unsigned queue_depth;      // entries of each address queue: 16 to 65536
    int unsigned rx_words;         // receive buffer, words of 8 bytes: 256 to 65536
    int unsigned tx_words;         // transmit buffer, words of 8 bytes: 512 to 65536
    int unsigned contexts;         // request datagrams in flight: 16 to 65536
    int unsigned value_words;      // values on their way from the parser; one may have half of it:
                                   // 1024 to 4194304
    int unsigned connections;      // of TCP: 64 to 65536; 0: UDP alone
    int unsigned ring_bits;        // a connection has 2**ring_bits bytes each way: 14 to 23
    int unsigned rx_segments;      // of TCP that may wait behind the MAC: 32 to 65536
    int unsigned addr_width;       // memory address, bits: 36 to 64
    int unsigned mem_width;        // memory data, bits: 128, 256, 384, 512
  } user_t;

  localparam user_t Default = '{
      index: wc_pkg::IndexBucket,
      protocols: ProtocolsAll,
      dumps: 0,
      slots: 8,
      max_key: 250,
      item_bits: 20,
      max_bucket_bits: 24,
      hash_function: wc_pkg::HashLookup3,
      hash_units: 4,
      in_flight: 64,
      filter_cells: 0,
      ways: 1,
      moves: 64,
      queue_depth: 1024,
      rx_words: 2048,
      tx_words: 512,
      contexts: 256,
      value_words: 1024,
      connections: 0,
      ring_bits: 16,
      rx_segments: 128,
      addr_width: 40,
      mem_width: 512
  };

  // The platform of TRETS'15: 384-bit memory in bursts of 8, keys of up to 168 bytes, 64 in flight.
  localparam user_t Trets = '{
      index: wc_pkg::IndexBucket,
      protocols: ProtocolsAll,
      dumps: 0,
      slots: 8,
      max_key: 168,
      item_bits: 20,
      max_bucket_bits: 18,
      hash_function: wc_pkg::HashLookup3,
      hash_units: 8,
      in_flight: 64,
      filter_cells: 0,
      ways: 1,
      moves: 64,
      queue_depth: 32768,
      rx_words: 2048,
      tx_words: 512,
      contexts: 256,
      value_words: 1024,
      connections: 0,
      ring_bits: 16,
      rx_segments: 128,
      addr_width: 40,
      mem_width: 384
  };

  // For a board with an ECP5: a DDR3 controller with a port of 128 bits, less on-chip memory.
  localparam user_t Ecp5 = '{
      index: wc_pkg::IndexBucket,
      protocols: ProtocolsAll,
      dumps: 0,
      slots: 4,
      max_key: 250,
      item_bits: 20,
      max_bucket_bits: 18,
      hash_function: wc_pkg::HashLookup3,
      hash_units: 4,
      in_flight: 16,
      filter_cells: 0,
      ways: 1,
      moves: 64,
      queue_depth: 512,
      rx_words: 1024,
      tx_words: 512,
      contexts: 64,
      value_words: 1024,
      connections: 0,
      ring_bits: 16,
      rx_segments: 128,
      addr_width: 36,
      mem_width: 128
  };

  function automatic user_t with_queues(user_t user, int unsigned depth);
    user.queue_depth = depth;
    return user;
  endfunction

  function automatic user_t with_index(user_t user, wc_pkg::index_e index);
    user.index = index;
    return user;
  endfunction

  // Whose table takes an operation every 2 cycles: a unit of lookup3 takes 9 for a short key.
  function automatic user_t with_item(user_t user);
    user = with_index(user, wc_pkg::IndexItem);
    user.hash_units = 5;
    return user;
  endfunction

  // The table of the papers on the simulated board: its queues outlast a host that pauses for 100 ms
  // (TRETS'15, 5.2), and would take 512 block RAMs of an ECP5.
  localparam user_t Bucket = with_queues(Default, 65536);

  // The item index on the same boards as the papers' table; on the ECP5 with as few hash units.
  localparam user_t Item = with_item(Default);
  localparam user_t Ecp5Item = with_index(Ecp5, wc_pkg::IndexItem);

  // Lists of keys, for which UDP has no way. Rings that hold the longest value; so does the parser's
  // queue, which would take URAM on a board.
  function automatic user_t with_tcp(user_t user);
    user.connections = 1024;
    user.dumps = 1;
    user.ring_bits = 20;
    user.rx_segments = 1024;
    user.value_words = 1 << 19;
    return user;
  endfunction

  // The simulated board, if nothing else is said: a cache that evicts, and needs no host to hand out
  // memory.
  localparam user_t Simulated = with_tcp(with_item(Bucket));

  // Items of up to 8 MiB, and as long rings: fewer connections.
  function automatic user_t with_large_items(user_t user);
    user.item_bits = 23;
    user.connections = 64;
    user.ring_bits = 23;
    user.value_words = 1 << 22;
    return user;
  endfunction

  localparam user_t Large = with_large_items(Simulated);

  // Misses that need no memory, as long as there are some 700,000 items at most.
  function automatic user_t with_cells(user_t user, int unsigned filter_cells);
    user.filter_cells = filter_cells;
    return user;
  endfunction

  localparam user_t Filter = with_cells(Simulated, 1 << 20);

  // The table of Cho and Choi behind their filter: two lines for a key, and items that are moved from
  // one to the other.
  function automatic user_t with_ways(user_t user, int unsigned ways);
    user.ways = ways;
    return user;
  endfunction

  localparam user_t Cuckoo = with_ways(Filter, 2);

  // The same for a part as small as Cho and Choi's Zynq-7020, with a filter of nearly one of its
  // block RAMs.
  localparam user_t Zynq = with_ways(with_cells(Ecp5Item, 1024), 2);

  // The same as Simulated without TCP, whose simulation is faster.
  localparam user_t Udp = with_item(Bucket);

  localparam string Legal = {
      "wc_core: legal are index IndexBucket, IndexItem; protocols ProtocolsClassic, ",
      "ProtocolsMeta, ProtocolsBinary, ProtocolsAll; dumps 0, 1; ",
      "slots 4, 8, 16; max_key 8 to 250; item_bits 20 to 23, with IndexBucket 20; ",
      "max_bucket_bits 4 to 24; ",
      "hash_function HashLookup3, HashMultiplicative, HashCrc; hash_units 1 to 16; ",
      "in_flight 8 to 128; filter_cells 0 or 16 to 1048576, with IndexBucket 0; ",
      "ways 1, 2, 4, with IndexBucket 1; moves 0 to 255; ",
      "queue_depth 16 to 65536; rx_words 256 to 65536; ",
      "tx_words 512 to 65536; contexts 16 to 65536; value_words 1024 to 4194304; ",
      "connections 0 or 64 to 65536; ring_bits 14 to 23; ",
      "rx_segments 32 to 65536; addr_width 36 to 64; ",
      "mem_width 128, 256, 384, 512, with 384 slots 8, connections 0 and dumps 0; ",
      "in_flight, filter_cells, queue_depth, rx_words, tx_words, contexts, value_words, ",
      "connections and rx_segments powers of two"};

  // What follows from it.
  typedef struct packed {
    logic        legal;
    logic        meta;          // there are meta commands,
    logic        binary;        // and the binary protocol
    int unsigned bucket_lines;  // key words and three header lines, made up to whole bursts
    int unsigned line_width;    // bits: a 64-bit stripe a slot
  } config_t;

  function automatic logic in_range(int unsigned value, int unsigned low, int unsigned high);
    return value >= low && value <= high;
  endfunction

  function automatic logic power(int unsigned value, int unsigned low, int unsigned high);
    return in_range(value, low, high) && (value & (value - 1)) == 0;
  endfunction

  function automatic config_t build(user_t user);
    config_t built;
    built.meta = user.index == wc_pkg::IndexItem && (user.protocols & ProtocolsMeta) != '0;
    built.binary = (user.protocols & ProtocolsBinary) != '0;
    built.bucket_lines = (user.max_key + 7) / 8 + 3;
    // A burst of 384 bytes is six lines: the header and a key of up to 24 bytes are one access.
    if (user.mem_width == 384) built.bucket_lines = (built.bucket_lines + 5) / 6 * 6;
    built.line_width = user.slots * 64;
    built.legal = in_range(user.dumps, 0, user.mem_width == 384 ? 0 : 1) &&
                  power(user.slots, 4, 16) && in_range(user.max_key, 8, 250) &&
                  in_range(user.max_bucket_bits, 4, 24) &&
                  user.hash_function <= wc_pkg::HashCrc && in_range(user.hash_units, 1, 16) &&
                  (user.filter_cells == 0 || (user.index == wc_pkg::IndexItem &&
                                              power(user.filter_cells, 16, 1 << 20))) &&
                  power(user.ways, 1, user.index == wc_pkg::IndexItem ? 4 : 1) &&
                  in_range(user.moves, 0, 255) &&
                  power(user.in_flight, 8, 128) && power(user.queue_depth, 16, 65536) &&
                  power(user.rx_words, 256, 65536) && power(user.tx_words, 512, 65536) &&
                  power(user.contexts, 16, 65536) && in_range(user.addr_width, 36, 64) &&
                  power(user.value_words, 1024, 1 << 22) &&
                  in_range(user.ring_bits, 14, wc_pkg::MostRingBits) &&
                  in_range(user.item_bits, 20, user.index == wc_pkg::IndexItem ? 23 : 20) &&
                  power(user.rx_segments, 32, 65536) &&
                  (user.connections == 0 || power(user.connections, 64, 65536)) &&
                  (power(user.mem_width, 128, 512) ||
                   (user.mem_width == 384 && user.slots == 8 && user.connections == 0));
    return built;
  endfunction

endpackage

`default_nettype wire
