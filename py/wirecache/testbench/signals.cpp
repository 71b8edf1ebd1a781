// SPDX-License-Identifier: Apache-2.0
// Where a bench finds the value of a port: it lies in the model's memory, and is read there at
// once, not through VPI and a string of its bits as cocotb does (see cycle.py).

#include "verilated.h"
#include "verilated_syms.h"

// The value as Verilator lays it out; null if the model has no such port, or an unpacked one.
extern "C" __attribute__((visibility("default"), used)) const void* wirecache_port(
    const char* name) {
  const VerilatedScope* const top = Verilated::threadContextp()->scopeFind("TOP");
  const VerilatedVar* const port = top ? top->varFind(name) : nullptr;
  return port && port->udims() == 0 ? port->datap() : nullptr;
}
