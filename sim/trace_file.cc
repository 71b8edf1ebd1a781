// SPDX-License-Identifier: Apache-2.0
#include "sim/trace_file.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <stdexcept>

namespace wirecache::sim {
namespace {

// A block is its kind, its length (8 bytes, the highest first, that count themselves), its content.
constexpr uint64_t kKindBytes = 1;
constexpr uint64_t kLengthBytes = 8;
constexpr uint8_t kHeader = 0;                       // the first block
constexpr std::array<uint8_t, 3> kLast = {4, 6, 7};  // names of signals, plain and compressed
constexpr uint8_t kUnfinished = 255;

std::string Complaint(const std::string& file) {
  return "cannot write " + file + ": the trace is cut; is the disk full?";
}

std::string abort_complaint;

void ComplainOfAbort(int) {
  std::fprintf(stderr, "wirecache: %s\n", abort_complaint.c_str());
  std::_Exit(1);
}

bool IsWhole(std::ifstream& in) {
  in.seekg(0, std::ios::end);
  const auto bytes = static_cast<uint64_t>(in.tellg());
  bool header = false, last = false;
  for (uint64_t at = 0; at < bytes;) {
    std::array<uint8_t, kKindBytes + kLengthBytes> start;
    in.seekg(static_cast<std::streamoff>(at));
    if (!in.read(reinterpret_cast<char*>(start.data()), start.size())) return false;
    uint64_t length = 0;
    for (size_t i = kKindBytes; i < start.size(); ++i) length = length << 8 | start[i];
    if (length < kLengthBytes || length > bytes - at - kKindBytes) return false;
    if (start[0] == kUnfinished) return false;
    header |= at == 0 && start[0] == kHeader;
    last |= std::ranges::find(kLast, start[0]) != kLast.end();
    at += kKindBytes + length;
  }
  return header && last;
}

}  // namespace

void RequireWholeTrace(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in || !IsWhole(in)) {
    throw std::runtime_error(Complaint(file));
  }
}

void CloseTrace(const std::string& file, const std::function<void()>& close) {
  abort_complaint = Complaint(file);
  const auto before = std::signal(SIGABRT, ComplainOfAbort);
  std::cerr.setstate(std::ios::badbit);  // for the library's own words
  close();
  std::cerr.clear();
  std::signal(SIGABRT, before);
}

}  // namespace wirecache::sim
