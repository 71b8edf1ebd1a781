// SPDX-License-Identifier: Apache-2.0
#include "sim/simulation.h"

#include <stdexcept>
#include <utility>

#include "Vwc_board.h"
#include "verilated.h"
#if VM_TRACE
#include "sim/trace_file.h"
#include "verilated_fst_c.h"
#endif

namespace wirecache::sim {
namespace {

constexpr unsigned kResetCycles = 16;
constexpr size_t kWritesAhead = 4;               // of the host's, so that the bus is never idle
constexpr uint64_t kRegisterPatience = 100'000;  // cycles in which a register must answer

// All ports of the AXI4 master with the given prefix.
#define WC_AXI_SIGNALS(circuit, prefix)                                               \
  AxiSignals {                                                                        \
    .awid = (circuit).prefix##awid, .awaddr = (circuit).prefix##awaddr,               \
    .awlen = (circuit).prefix##awlen, .awsize = (circuit).prefix##awsize,             \
    .awburst = (circuit).prefix##awburst, .awvalid = (circuit).prefix##awvalid,       \
    .awready = (circuit).prefix##awready, .wdata = (circuit).prefix##wdata.data(),    \
    .wstrb = (circuit).prefix##wstrb, .wlast = (circuit).prefix##wlast,               \
    .wvalid = (circuit).prefix##wvalid, .wready = (circuit).prefix##wready,           \
    .bid = (circuit).prefix##bid, .bresp = (circuit).prefix##bresp,                   \
    .bvalid = (circuit).prefix##bvalid, .bready = (circuit).prefix##bready,           \
    .arid = (circuit).prefix##arid, .araddr = (circuit).prefix##araddr,               \
    .arlen = (circuit).prefix##arlen, .arsize = (circuit).prefix##arsize,             \
    .arburst = (circuit).prefix##arburst, .arvalid = (circuit).prefix##arvalid,       \
    .arready = (circuit).prefix##arready, .rid = (circuit).prefix##rid,               \
    .rdata = (circuit).prefix##rdata.data(), .rresp = (circuit).prefix##rresp,        \
    .rlast = (circuit).prefix##rlast, .rvalid = (circuit).prefix##rvalid,             \
    .rready = (circuit).prefix##rready, .data_bytes = sizeof((circuit).prefix##rdata) \
  }

AxiLiteSignals RegisterSignals(Vwc_board& circuit) {
  return {.awaddr = circuit.s_axil_awaddr,
          .awprot = circuit.s_axil_awprot,
          .awvalid = circuit.s_axil_awvalid,
          .awready = circuit.s_axil_awready,
          .wdata = circuit.s_axil_wdata,
          .wstrb = circuit.s_axil_wstrb,
          .wvalid = circuit.s_axil_wvalid,
          .wready = circuit.s_axil_wready,
          .bresp = circuit.s_axil_bresp,
          .bvalid = circuit.s_axil_bvalid,
          .bready = circuit.s_axil_bready,
          .araddr = circuit.s_axil_araddr,
          .arprot = circuit.s_axil_arprot,
          .arvalid = circuit.s_axil_arvalid,
          .arready = circuit.s_axil_arready,
          .rdata = circuit.s_axil_rdata,
          .rresp = circuit.s_axil_rresp,
          .rvalid = circuit.s_axil_rvalid,
          .rready = circuit.s_axil_rready};
}

ReceiveSignals FramesIn(Vwc_board& circuit) {
  return {.tdata = circuit.s_axis_tdata,
          .tkeep = circuit.s_axis_tkeep,
          .tvalid = circuit.s_axis_tvalid,
          .tready = circuit.s_axis_tready,
          .tlast = circuit.s_axis_tlast,
          .tuser = circuit.s_axis_tuser};
}

TransmitSignals FramesOut(Vwc_board& circuit) {
  return {.tdata = circuit.m_axis_tdata,
          .tkeep = circuit.m_axis_tkeep,
          .tvalid = circuit.m_axis_tvalid,
          .tready = circuit.m_axis_tready,
          .tlast = circuit.m_axis_tlast};
}

std::unique_ptr<VerilatedContext> MakeContext(bool trace) {
  auto context = std::make_unique<VerilatedContext>();
  context->traceEverOn(trace);
  context->threads(1);  // the model has one; more would only wait
  return context;
}

}  // namespace

#if VM_TRACE
class Simulation::Trace {
 public:
  Trace(Vwc_board& circuit, const std::string& file) : file_(file) {
    circuit.trace(&fst_, 99);
    fst_.open(file.c_str());
    if (!fst_.isOpen()) throw std::invalid_argument("cannot write " + file);
  }
  ~Trace() {
    CloseTrace(file_, [this] { fst_.close(); });
  }
  void Dump(uint64_t picoseconds) { fst_.dump(picoseconds); }

 private:
  std::string file_;
  VerilatedFstC fst_;
};
#else
class Simulation::Trace {
 public:
  Trace(Vwc_board&, const std::string&) { throw std::logic_error("built without traces"); }
  void Dump(uint64_t) {}
};
#endif

Simulation::Simulation(const Options& options, WireOut::Sink sink)
    : context_(MakeContext(!options.trace_file.empty())),
      circuit_(std::make_unique<Vwc_board>(context_.get(), "")),
      trace_(options.trace_file.empty() ? nullptr
                                        : std::make_unique<Trace>(*circuit_, options.trace_file)),
      memory_(options.memory_bytes,
              MakeMemoryTiming(options.memory_timing, options.memory_latency, kCyclePicoseconds,
                               options.controller_latency),
              options.memory_errors, WC_AXI_SIGNALS(*circuit_, m_axi_index_),
              WC_AXI_SIGNALS(*circuit_, m_axi_store_)),
      register_bus_(RegisterSignals(*circuit_)),
      wire_in_(FramesIn(*circuit_)),
      wire_out_(FramesOut(*circuit_), std::move(sink)) {
  Reset();
}

Simulation::~Simulation() { circuit_->final(); }

void Simulation::Reset() {
  circuit_->rst_i = circuit_->rst_mem_i = 1;
  for (unsigned i = 0; i < kResetCycles; ++i) {
    circuit_->clk_i = 1;
    circuit_->eval();
    circuit_->clk_i = 0;
    circuit_->eval();
  }
  circuit_->rst_i = circuit_->rst_mem_i = 0;
  circuit_->eval();
}

Recorder Simulation::MakeRecorder() const {
  return {circuit_->probe_o, circuit_->item_probe_o.data(),
          WC_AXI_SIGNALS(*circuit_, m_axi_index_)};
}

void Simulation::Step() {
  bool active = memory_.Sample(now_) || circuit_->moves_o != 0;
  active |= wire_in_.Sample(now_);
  active |= wire_out_.Sample(now_);
  register_bus_.Sample();
  if (recorder_ != nullptr) recorder_->Sample(now_);
  circuit_->clk_i = 1;
  circuit_->eval();
  if (trace_) trace_->Dump(now_ * kCyclePicoseconds);
  if (++now_ >= next_millisecond_) {
    circuit_->milliseconds_i = static_cast<uint32_t>(now_ / kMillisecondCycles);
    next_millisecond_ += kMillisecondCycles;
  }
  memory_.Drive(now_);
  wire_in_.Drive(now_);
  wire_out_.Drive(now_);
  register_bus_.Drive();
  circuit_->clk_i = 0;
  circuit_->eval();
  if (trace_) trace_->Dump(now_ * kCyclePicoseconds - kCyclePicoseconds / 2);
  if (active) last_active_ = now_;
}

void Simulation::SetMilliseconds(uint32_t milliseconds) {
  next_millisecond_ = ~uint64_t{0};
  circuit_->milliseconds_i = milliseconds;
}

std::optional<int32_t> Simulation::DueIn(uint32_t milliseconds) const {
  if (!circuit_->armed_o) return std::nullopt;
  constexpr unsigned kOther = 32 - 18;  // bits that the circuit does not tell
  return static_cast<int32_t>((circuit_->soonest_o - milliseconds) << kOther) >> kOther;
}

bool Simulation::irq() const { return circuit_->irq_o; }

bool Simulation::in_flight() const { return circuit_->in_flight_o; }

bool Simulation::busy() const { return wire_in_.busy() || wire_out_.busy() || memory_.busy(); }

uint32_t SimulatedRegisters::Read32(uint32_t address) {
  // The bus reads one register after the other.
  if (reading_ && !value_) value_ = WaitForValue();
  simulation_.register_bus().Read(address);
  return WaitForValue();
}

void SimulatedRegisters::Write32(uint32_t address, uint32_t value) {
  simulation_.register_bus().Write(address, value);
}

void SimulatedRegisters::Start(const host::Access& access) {
  asked_ = 0;
  reading_ = !access.write;
  if (access.write) {
    simulation_.register_bus().Write(access.address, access.value);
  } else {
    simulation_.register_bus().Read(access.address);
  }
}

bool SimulatedRegisters::done() {
  if (!reading_) return simulation_.register_bus().waiting() < kWritesAhead;
  if (!value_) value_ = simulation_.register_bus().TakeValue();
  if (!value_ && ++asked_ > kRegisterPatience) {
    throw std::runtime_error("a register does not answer");
  }
  return value_.has_value();
}

uint32_t SimulatedRegisters::TakeValue() {
  reading_ = false;
  return std::exchange(value_, std::nullopt).value_or(0);
}

// Lets time pass until what was read last is there.
uint32_t SimulatedRegisters::WaitForValue() {
  const uint64_t begun = simulation_.now();
  for (;;) {
    if (const auto value = simulation_.register_bus().TakeValue()) return *value;
    if (simulation_.now() - begun > kRegisterPatience) {
      throw std::runtime_error("a register does not answer");
    }
    simulation_.Step();
  }
}

}  // namespace wirecache::sim
