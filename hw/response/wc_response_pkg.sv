// SPDX-License-Identifier: Apache-2.0
// What each answer consists of, said once: wc_answer_size adds up the bytes of the parts named
// here, wc_answer sends the parts. Texts are written as literals; their lengths and the rows that
// they take in the text memory are computed from them. Only the version is a setting.
// Long because all that either protocol says is in one place.
`default_nettype none

package wc_response_pkg;

  import wc_pkg::*;
  import wc_policy_pkg::*;

  // ---- texts ------------------------------------------------------------------------------------
  typedef enum logic [5:0] {
    TextNone       = 6'd0,
    TextValue      = 6'd1,   // what begins an ASCII hit
    TextCrLfValue  = 6'd2,   // the same behind the hit before it, whose CR LF was held back
    TextCrLf       = 6'd3,
    TextEnd        = 6'd4,
    TextCrLfEnd    = 6'd5,   // likewise
    TextStored     = 6'd6,
    TextDeleted    = 6'd7,
    TextNotFound   = 6'd8,
    TextExists     = 6'd9,
    TextOk         = 6'd10,
    TextVersion    = 6'd11,  // the version is in it, the whole of BodyVersion
    TextError      = 6'd12,
    TextBadFormat  = 6'd13,
    TextBadDelete  = 6'd14,
    TextBadChunk   = 6'd15,
    TextBadTime    = 6'd16,
    TextTooLarge   = 6'd17,
    TextNoMemory   = 6'd18,
    TextAnswerTooLarge = 6'd19,
    BodyVersion    = 6'd20,  // the same of the binary protocol
    BodyNotFound   = 6'd21,
    BodyExists     = 6'd22,
    BodyTooLarge   = 6'd23,
    BodyBadFormat  = 6'd24,
    BodyUnknown    = 6'd25,
    BodyNoMemory   = 6'd26,
    TextMemory     = 6'd27,
    BodyMemory     = 6'd28,
    TextNotStored  = 6'd29,
    TextTouched    = 6'd30,
    TextNotNumber  = 6'd31,
    TextBadDelta   = 6'd32,
    BodyNotNumber  = 6'd33,
    BodyNotStored  = 6'd34,
    TextBusy       = 6'd35,
    BodyBusy       = 6'd36,
    TextMeta       = 6'd37,
    TextBadToken   = 6'd38,
    TextDuplicateFlag = 6'd39,
    TextInvalidFlag = 6'd40,
    TextLongOpaque = 6'd41,
    TextBadModeLength = 6'd42,
    TextBadMode    = 6'd43,
    TextBadFlag    = 6'd44,
    TextBadArithmeticMode = 6'd45,
    TextUndecoded  = 6'd46
  } text_e;

  localparam int unsigned Texts = 47;
  localparam int unsigned LongestText = 72;  // room, a multiple of 8

  typedef logic [LongestText*8-1:0] chars_t;  // right-aligned as literals are: last byte lowest

  localparam logic [15:0] CrLf = {8'h0d, 8'h0a};

  function automatic chars_t chars(int unsigned text);
    case (text_e'(text))
      TextValue:     return chars_t'("VALUE ");
      TextCrLfValue: return chars_t'({CrLf, "VALUE "});
      TextCrLf:      return chars_t'(CrLf);
      TextEnd:       return chars_t'({"END", CrLf});
      TextCrLfEnd:   return chars_t'({CrLf, "END", CrLf});
      TextStored:    return chars_t'({"STORED", CrLf});
      TextDeleted:   return chars_t'({"DELETED", CrLf});
      TextNotFound:  return chars_t'({"NOT_FOUND", CrLf});
      TextExists:    return chars_t'({"EXISTS", CrLf});
      TextOk:        return chars_t'({"OK", CrLf});
      TextVersion:   return chars_t'({"VERSION ", CrLf});
      TextError:     return chars_t'({"ERROR", CrLf});
      TextBadFormat: return chars_t'({"CLIENT_ERROR bad command line format", CrLf});
      TextBadDelete: return chars_t'(
          {"CLIENT_ERROR bad command line format.  Usage: delete <key> [noreply]", CrLf});
      TextBadChunk:  return chars_t'({"CLIENT_ERROR bad data chunk", CrLf});
      TextBadTime:   return chars_t'({"CLIENT_ERROR invalid exptime argument", CrLf});
      TextTooLarge:  return chars_t'({"SERVER_ERROR object too large for cache", CrLf});
      TextNoMemory:  return chars_t'({"SERVER_ERROR out of memory storing object", CrLf});
      TextAnswerTooLarge: return chars_t'({"SERVER_ERROR answer too large", CrLf});
      BodyNotFound:  return chars_t'("Not found");
      BodyExists:    return chars_t'("Data exists for key.");
      BodyTooLarge:  return chars_t'("Too large.");
      BodyBadFormat: return chars_t'("Invalid arguments");
      BodyUnknown:   return chars_t'("Unknown command");
      BodyNoMemory:  return chars_t'("Out of memory allocating item");
      TextMemory:    return chars_t'({"SERVER_ERROR memory error", CrLf});
      BodyMemory:    return chars_t'("Internal error");
      TextNotStored: return chars_t'({"NOT_STORED", CrLf});
      TextTouched:   return chars_t'({"TOUCHED", CrLf});
      TextNotNumber: return chars_t'(
          {"CLIENT_ERROR cannot increment or decrement non-numeric value", CrLf});
      TextBadDelta:  return chars_t'({"CLIENT_ERROR invalid numeric delta argument", CrLf});
      BodyNotStored: return chars_t'("Not stored.");
      BodyNotNumber: return chars_t'("Non-numeric server-side value for incr or decr");
      TextBusy:      return chars_t'({"SERVER_ERROR host busy", CrLf});
      BodyBusy:      return chars_t'("Busy");
      TextMeta:      return chars_t'({"MN", CrLf});
      TextBadToken:  return chars_t'({"CLIENT_ERROR bad token in command line format", CrLf});
      TextDuplicateFlag: return chars_t'({"CLIENT_ERROR duplicate flag", CrLf});
      TextInvalidFlag: return chars_t'({"CLIENT_ERROR invalid flag", CrLf});
      TextLongOpaque: return chars_t'({"CLIENT_ERROR opaque token too long", CrLf});
      TextBadModeLength: return chars_t'({"CLIENT_ERROR incorrect length for M token", CrLf});
      TextBadMode:   return chars_t'({"CLIENT_ERROR invalid mode for ms M token", CrLf});
      TextBadFlag:   return chars_t'({"CLIENT_ERROR invalid or duplicate flag", CrLf});
      TextUndecoded: return chars_t'({"CLIENT_ERROR error decoding key", CrLf});
      TextBadArithmeticMode: return chars_t'({"CLIENT_ERROR invalid mode for ma M token", CrLf});
      default:       return '0;
    endcase
  endfunction

  function automatic logic says_version(text_e text);
    return text inside {TextVersion, BodyVersion};
  endfunction

  typedef logic [6:0] text_bytes_t;

  function automatic text_bytes_t length(chars_t all);
    for (int unsigned i = LongestText; i > 0; i--) begin
      if (all[8*(i-1)+:8] != 8'd0) return text_bytes_t'(i);
    end
    return '0;
  endfunction

  // A row of the text memory: up to eight characters, the first in the lowest byte.
  typedef logic [3:0] fragment_bytes_t;  // 0 to 8
  localparam int unsigned Rows = 256;
  typedef word_t [Rows-1:0] row_table_t;
  typedef logic [$clog2(Rows)-1:0] row_index_t;
  typedef logic [3:0] row_count_t;

  typedef struct packed {
    text_bytes_t bytes;
    row_index_t  row;       // the first
    row_count_t  more_rows;
  } text_t;

  typedef text_t [2**$bits(text_e)-1:0] text_table_t;

  // The last two rows are no memory: they are the line of the version. What is said in front of it
  // is the row before them.
  localparam row_index_t VersionRow = row_index_t'(Rows - 2);

  function automatic logic is_version_row(row_index_t row);
    return row[$bits(row)-1:1] == VersionRow[$bits(row)-1:1];
  endfunction

  function automatic text_table_t make_texts();
    text_table_t made;
    row_index_t row;
    made = '0;
    row = '0;
    for (int unsigned i = 1; i < Texts; i++) begin
      if (!says_version(text_e'(i))) begin
        made[i].bytes = length(chars(i));
        made[i].row = row;
        made[i].more_rows = row_count_t'((made[i].bytes - 7'd1) / 7'(WordBytes));
        row = row + row_index_t'(made[i].more_rows) + 1'b1;
      end
    end
    made[TextVersion].bytes = length(chars(32'(TextVersion)));
    made[TextVersion].row = VersionRow - 1'b1;
    made[BodyVersion].row = VersionRow;
    return made;
  endfunction

  localparam text_table_t TextTable = make_texts();

  function automatic int unsigned rows_taken();
    rows_taken = 0;
    for (int unsigned i = 1; i < Texts; i++) rows_taken += 32'(TextTable[i].more_rows) + 1;
  endfunction

  function automatic row_table_t make_rows();
    row_table_t made;
    chars_t left;
    for (int unsigned i = 0; i < Rows; i++) made[i] = '0;
    for (int unsigned i = 1; i < Texts; i++) begin
      left = chars(i) << (8 * (LongestText - 32'(TextTable[i].bytes)));  // next character on top
      for (int unsigned r = 0; r < LongestText / WordBytes; r++) begin
        if (r <= 32'(TextTable[i].more_rows)) begin
          for (int unsigned b = 0; b < WordBytes; b++) begin
            made[32'(TextTable[i].row)+r][8*b+:8] = left[8*LongestText-1-:8];
            left = left << 8;
          end
        end
      end
    end
    return made;
  endfunction

  localparam row_table_t RowTable = make_rows();

  // A text, with the length of the version if that is in it, which the table does not know.
  function automatic text_t text_of(text_e text, logic [3:0] version_bytes);
    text_of = TextTable[text];
    if (says_version(text)) text_of.bytes = text_of.bytes + 7'(version_bytes);
    if (text == TextVersion) begin
      text_of.more_rows = version_bytes > 4'd6 ? row_count_t'(2) : row_count_t'(1);
    end
    if (text == BodyVersion) begin
      text_of.more_rows = version_bytes > 4'd8 ? row_count_t'(1) : row_count_t'(0);
    end
  endfunction

  // ---- the parts of an answer ----------------------------------------------------------------
  localparam int unsigned HeaderBytes = 24;  // binary
  localparam int unsigned ExtrasBytes = 4;  // binary: the flags of an item that was read or touched
  localparam int unsigned BinaryNumberBytes = $bits(number_t) / 8;  // of INCR and DECR
  localparam int unsigned CrLfBytes = 32'(TextTable[TextCrLf].bytes);
  // ASCII "VALUE <key> <flags> <bytes>\r\n<data>\r\n" without key, numbers and data
  localparam int unsigned HitBytes = 32'(TextTable[TextValue].bytes) + 2 + 2 * CrLfBytes;

  typedef struct packed {
    logic  header;
    logic  extras;
    logic  number;   // binary: that of an INCR or DECR
    logic  line;     // ASCII "VALUE …", and the CR LF behind the value
    logic  numbers;  // ASCII: those of the line, or an INCR's or DECR's alone; CR LF behind them.
                     // Meta: the whole line (meta_line_t)
    logic  key;
    logic  value;
    text_e text;     // in the end
  } shape_t;

  // ---- the line of a meta answer ---------------------------------------------------------------
  // What a piece of it begins with: the line with one of the first, what it shows with another one,
  // which is the show_e and 16.
  typedef enum logic [4:0] {
    LeadNone    = 5'd0,
    LeadDone    = 5'd1,  // "HD"
    LeadValue   = 5'd2,  // "VA ", and the length of the value
    LeadMiss    = 5'd3,  // "EN"
    LeadNotFound = 5'd4, // "NF"
    LeadNotStored = 5'd5, // "NS"
    LeadExists  = 5'd6,  // "EX"
    LeadFetched = 5'd7,  // " h1"
    LeadWon     = 5'd8,  // " W"
    LeadStaleWon = 5'd9, // " X W"
    LeadSent    = 5'd10, // " Z"
    LeadStaleSent = 5'd11, // " Z X"
    LeadForever = 5'd16, // " t-1"
    LeadKey     = 5'd17,
    LeadOpaque  = 5'd18,
    LeadFlags   = 5'd19,
    LeadSize    = 5'd20,
    LeadTtl     = 5'd21,
    LeadCas     = 5'd22,
    LeadNumber  = 5'd23, // CR LF: a number behind the line
    LeadUnread  = 5'd24, // " h0"
    LeadUnused  = 5'd25
  } lead_e;

  localparam int unsigned FirstBytes = 2;  // "HD"
  localparam int unsigned ShowBytes = 2;  // the space and the letter
  localparam int unsigned MarkBytes = 2;  // likewise, of a second one
  localparam int unsigned ForeverBytes = 2;  // "-1"

  typedef struct packed {
    logic [3:0][7:0] chars;
    logic [2:0]      bytes;
  } lead_text_t;

  function automatic lead_text_t text_of_lead(lead_e lead);
    case (lead)
      LeadDone:     return '{{16'd0, "DH"}, 3'd2};
      LeadValue:    return '{{8'd0, " AV"}, 3'd3};
      LeadMiss:     return '{{16'd0, "NE"}, 3'd2};
      LeadNotFound: return '{{16'd0, "FN"}, 3'd2};
      LeadNotStored: return '{{16'd0, "SN"}, 3'd2};
      LeadExists:   return '{{16'd0, "XE"}, 3'd2};
      LeadFetched:  return '{{8'd0, "1h "}, 3'd3};
      LeadUnread:   return '{{8'd0, "0h "}, 3'd3};
      LeadWon:      return '{{16'd0, "W "}, 3'd2};
      LeadStaleWon: return '{"W X ", 3'd4};
      LeadSent:     return '{{16'd0, "Z "}, 3'd2};
      LeadStaleSent: return '{"X Z ", 3'd4};
      LeadForever:  return '{"1-t ", 3'd4};
      LeadKey:      return '{{16'd0, "k "}, 3'd2};
      LeadOpaque:   return '{{16'd0, "O "}, 3'd2};
      LeadFlags:    return '{{16'd0, "f "}, 3'd2};
      LeadSize:     return '{{16'd0, "s "}, 3'd2};
      LeadTtl:      return '{{16'd0, "t "}, 3'd2};
      LeadCas:      return '{{16'd0, "c "}, 3'd2};
      LeadUnused:   return '{{16'd0, "l "}, 3'd2};
      LeadNumber:   return '{{16'd0, CrLf[7:0], CrLf[15:8]}, 3'd2};
      default:      return '0;
    endcase
  endfunction

  // What it consists of: the first word (LeadNone: there is no line), and what it shows, each once.
  typedef struct packed {
    lead_e first;
    logic  key;
    logic  encoded;  // with key: in base64
    logic  opaque;
    logic  flags;
    logic  size;
    logic  ttl;
    logic  cas;
    logic  number;
    logic  fetched;
    logic  unused;
    logic  one_mark;   // one of W, X and Z, or
    logic  two_marks;  // two
  } meta_line_t;

  // What an `mg` tells of its item in the end; two bits, as memcached sends no W once an item is won.
  function automatic lead_e lead_of(marks_t marks, logic wins);
    if (marks.won) return marks.stale ? LeadStaleSent : LeadSent;
    if (wins) return marks.stale ? LeadStaleWon : LeadWon;
    return LeadNone;
  endfunction

  // The answer has a line, if it has one at all: no text in the place of it.
  function automatic logic has_line(op_t op);
    return op.meta && op.op != OpNone &&
           op.status inside {StOk, StNotFound, StExists, StNotStored};
  endfunction

  // That may be asked for at once, each once at most: with the number neither flags, size, whether it was
  // fetched nor how long it was unused are, and no marks.
  localparam int unsigned Shows = 32'(ShowMarks) - 1;
  typedef show_e [Shows-1:0] asked_t;

  function automatic asked_t asked_of(op_t op);
    return asked_t'({op.opaque, op.opcode});
  endfunction

  function automatic logic asks_for(asked_t shows, show_e show);
    asks_for = 1'b0;
    for (int unsigned i = 0; i < Shows; i++) asks_for = asks_for || shows[i] == show;
  endfunction

  // An operation without an item shows what came with it alone, and one that brings a value and stores
  // nothing a CAS number of 0.
  function automatic logic shown(op_t op, lead_e marks, show_e show);
    case (show)
      ShowNone:   return 1'b0;
      ShowKey:    return op.with_key;
      ShowOpaque: return 1'b1;
      ShowCas:    return op.status == StOk || effect_of(op.op).value;
      ShowMarks:  return op.status == StOk && marks != LeadNone;
      default:    return op.status == StOk;
    endcase
  endfunction

  // What it asks of an item is no more than to be there.
  function automatic logic misses(op_e op);
    return op inside {OpGet, OpGat, OpLook, OpTouch};
  endfunction

  function automatic lead_e first_of_line(op_t op);
    case (op.status)
      StOk:        return effect_of(op.op).reads || asks_for(asked_of(op), ShowNumber)
                          ? LeadValue : LeadDone;
      StNotFound:  return misses(op.op) ? LeadMiss :
                          op.op == OpReplace ? LeadNotStored : LeadNotFound;
      StNotStored: return LeadNotStored;
      default:     return op.op == OpAdd ? LeadNotStored : LeadExists;
    endcase
  endfunction

  // Nothing is said at all. With `quiet` the protocols differ in what they leave out.
  function automatic logic silent(op_t op);
    if (op.op == OpNone && op.status == StOk && op.say == SaySilent) return 1'b1;
    if (op.op == OpHost) return 1'b1;  // here: the host speaks elsewhere
    if (op.meta) begin
      return op.quiet && op.op != OpNone && op.status == (misses(op.op) ? StNotFound : StOk);
    end
    if (!op.binary) return op.quiet;
    return op.quiet && op.status == (effect_of(op.op).reads ? StNotFound : StOk);
  endfunction

  function automatic meta_line_t line_of(op_t op, lead_e marks);
    meta_line_t line;
    asked_t shows;
    shows = asked_of(op);
    line = '0;
    line.first = LeadNone;
    if (has_line(op) && !silent(op)) begin
      line.first = first_of_line(op);
      line.key = asks_for(shows, ShowKey) && shown(op, marks, ShowKey);
      line.encoded = line.key && op.encoded;
      line.opaque = asks_for(shows, ShowOpaque) && shown(op, marks, ShowOpaque);
      line.flags = asks_for(shows, ShowFlags) && shown(op, marks, ShowFlags);
      line.size = asks_for(shows, ShowSize) && shown(op, marks, ShowSize);
      line.ttl = asks_for(shows, ShowTtl) && shown(op, marks, ShowTtl);
      line.cas = asks_for(shows, ShowCas) && shown(op, marks, ShowCas);
      line.number = asks_for(shows, ShowNumber) && shown(op, marks, ShowNumber);
      line.fetched = asks_for(shows, ShowFetched) && shown(op, marks, ShowFetched);
      line.unused = asks_for(shows, ShowUnused) && shown(op, marks, ShowUnused);
      if (asks_for(shows, ShowMarks) && shown(op, marks, ShowMarks)) begin
        line.one_mark = marks inside {LeadWon, LeadSent};
        line.two_marks = !line.one_mark;
      end
    end
    return line;
  endfunction

  // A piece of the line: how it begins, and what is behind that, one of these or nothing.
  typedef struct packed {
    lead_e      lead;
    logic       number;
    logic       key;     // key words,
    logic       encoded; // or what is made of them in base64
    logic       opaque;  // words that came with O
    logic [2:0] key_low;  // of the key's length
    logic       ends;    // CR LF behind it
  } piece_t;

  // ---- the shape of any ------------------------------------------------------------------------
  function automatic text_e ascii_text(op_t op);
    if (has_line(op)) return effect_of(op.op).reads && op.status == StOk ? TextCrLf : TextNone;
    case (op.status)
      StOk: begin
        case (op.op)
          OpGet, OpGat: return op.cmd_last ? TextEnd : TextNone;
          OpSet, OpAdd, OpReplace, OpAppend, OpPrepend: return TextStored;
          OpDelete: return TextDeleted;
          OpTouch:  return TextTouched;
          OpIncr, OpDecr: return TextNone;
          OpFlush:  return TextOk;
          default: begin
            case (op.say)
              SayOk:      return op.meta ? TextMeta : TextOk;
              SayVersion: return TextVersion;
              SayEnd:     return TextEnd;
              default:    return TextNone;
            endcase
          end
        endcase
      end
      StNotFound: begin
        if (effect_of(op.op).reads) return op.cmd_last ? TextEnd : TextNone;
        return op.op == OpReplace ? TextNotStored : TextNotFound;
      end
      StNotStored: return TextNotStored;
      StExists:    return op.op == OpAdd ? TextNotStored : TextExists;
      StNoMemory:  return TextNoMemory;
      StMemory:    return TextMemory;
      StBadFormat: return TextBadFormat;
      StBadChunk:  return TextBadChunk;
      StTooLarge:  return TextTooLarge;
      StAnswerTooLarge: return TextAnswerTooLarge;
      StBadTime:   return TextBadTime;
      StBadDelete: return TextBadDelete;
      StNotNumber: return TextNotNumber;
      StBadDelta:  return TextBadDelta;
      StBusy:      return TextBusy;
      StBadToken:  return TextBadToken;
      StDuplicateFlag: return TextDuplicateFlag;
      StInvalidFlag: return TextInvalidFlag;
      StLongOpaque: return TextLongOpaque;
      StBadModeLength: return TextBadModeLength;
      StBadMode:   return TextBadMode;
      StBadFlag:   return TextBadFlag;
      StBadArithmeticMode: return TextBadArithmeticMode;
      StUndecoded: return TextUndecoded;
      default:     return TextError;
    endcase
  endfunction

  // A GETK or GATK that misses has the key in the place of the text.
  function automatic text_e binary_text(op_t op);
    case (op.status)
      StOk:       return op.op == OpNone && op.say == SayVersion ? BodyVersion : TextNone;
      StNotFound: return effect_of(op.op).reads && op.with_key ? TextNone : BodyNotFound;
      StExists:   return BodyExists;
      StNoMemory: return BodyNoMemory;
      StMemory:   return BodyMemory;
      StNotNumber: return BodyNotNumber;
      StNotStored: return BodyNotStored;
      StBusy:     return BodyBusy;
      StTooLarge, StAnswerTooLarge: return BodyTooLarge;
      StBadFormat, StBadChunk, StBadTime, StBadDelete, StBadDelta: return BodyBadFormat;
      default:    return BodyUnknown;
    endcase
  endfunction

  // The low byte of the binary status; the high one is zero.
  function automatic logic [7:0] binary_status(status_e status);
    case (status)
      StOk:       return 8'h00;
      StNotFound: return 8'h01;
      StExists:   return 8'h02;
      StNoMemory: return 8'h82;
      StMemory:   return 8'h84;
      StNotNumber: return 8'h06;
      StNotStored: return 8'h05;
      StBusy:     return 8'h85;
      StTooLarge, StAnswerTooLarge: return 8'h03;
      StBadFormat, StBadChunk, StBadTime, StBadDelete, StBadDelta: return 8'h04;
      default:    return 8'h81;
    endcase
  endfunction

  function automatic shape_t shape_of(op_t op);
    shape_t shape;
    effect_t effect;
    logic plain, hit, miss, touched, counted;
    effect = effect_of(op.op);
    plain = !op.binary && !op.meta;
    hit = effect.reads && op.status == StOk;
    miss = effect.reads && op.status == StNotFound;
    touched = effect.change == ChangeExpiry && op.status == StOk;
    counted = effect.change == ChangeNumber && op.status == StOk;
    shape = '0;
    shape.text = TextNone;
    if (!silent(op)) begin
      shape.header = op.binary;
      shape.extras = op.binary && (hit || touched);
      shape.number = op.binary && counted;
      shape.line = plain && hit;
      shape.numbers = (plain && (hit || counted)) || has_line(op);
      shape.key = op.meta ? line_of(op, LeadNone).key : op.with_key && (hit || (op.binary && miss));
      shape.value = hit;
      shape.text = op.binary ? binary_text(op) : ascii_text(op);
    end
    return shape;
  endfunction

  // Without meta commands none of them comes, nor a status that they alone have.
  function automatic op_t op_with(bit meta, op_t op);
    op_with = op;
    if (!meta) begin
      op_with.meta = 1'b0;
      op_with.status = status_e'({1'b0, op.status[3:0]});
    end
  endfunction

  // What is left of an operation whose answer is taken back, or too large.
  function automatic op_t without_answer(op_t op, status_e status);
    op_t left;
    left = op;
    left.op = OpNone;
    left.say = SaySilent;
    left.status = status;
    left.quiet = 1'b0;
    return left;
  endfunction

  // ---- how wc_answer sends them --------------------------------------------------------------
  // The parts in the order they are sent, the last member first. Each is a fragment, or a run of
  // them that its stream or the text's last row ends.
  typedef struct packed {
    logic       text;
    logic       value;
    logic       numbers;
    logic       key;
    logic       extras;  // or the number
    logic [2:0] header;
    logic       lead;  // "VALUE ", or CR LF behind the value of the operation before, or both
  } parts_t;

  typedef struct packed {
    parts_t          first;       // one of them; none: no bytes, but the message may end here
    parts_t          second;      // the one behind it, or none
    parts_t          rest;
    logic [2:0]      more;        // parts in it
    logic            only;        // there is no second
    logic            only_two;    // there is no rest
    logic            alone;       // is_alone(first)
    logic            alone2;      // is_alone(second)
    logic            last;        // of its message
    logic            one_row;     // the text has no more
    logic            last_alone;  // its last part goes without company
    row_index_t      row;         // of the text
    row_count_t      more_rows;   // after that one
    fragment_bytes_t lead_bytes;
    fragment_bytes_t extras_bytes;
    fragment_bytes_t key_end;     // bytes in the last word
    fragment_bytes_t value_end;
    fragment_bytes_t text_end;
    word_t           lead;
    word_t           extras;
    word_t [2:0]     header;
  } plan_t;

  // The first two members are first or second if they are there at all. Said so that what is worked
  // out from the others is a function of few bits.
  localparam parts_t MaybeThird = ~parts_t'(9'd3);

  // A part of a single fragment that waits for no stream.
  function automatic logic is_alone(parts_t part, logic one_row);
    return part.lead || part.header != '0 || part.extras || (part.text && one_row);
  endfunction

  function automatic parts_t first_of(parts_t parts);
    return parts_t'(lowest(16'(parts)));
  endfunction

  // The lowest but one. (Not by first_of(), which would be one after the other.)
  function automatic parts_t second_of(parts_t parts);
    logic [$bits(parts_t)-1:0] bits, two;
    logic none, one;
    bits = parts;
    two = '0;
    none = 1'b1;
    one = 1'b0;
    for (int unsigned i = 0; i < $bits(parts_t); i++) begin
      two[i] = bits[i] && one;
      one = bits[i] ? none : one;
      none = none && !bits[i];
    end
    return parts_t'(two);
  endfunction

  // Decimal digits of the largest number of `width` bits.
  function automatic int unsigned decimal_digits(int unsigned width);
    return ((width * 1233) >> 12) + 1;
  endfunction

  // Bytes in the last word of a key or value of at least one byte.
  function automatic fragment_bytes_t last_bytes(logic [2:0] length_low);
    return {length_low == 3'd0, length_low};
  endfunction

endpackage

`default_nettype wire
