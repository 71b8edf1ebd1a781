// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_SIM_TRACE_FILE_H_
#define WIRECACHE_SIM_TRACE_FILE_H_

#include <functional>
#include <string>

namespace wirecache::sim {

// The library that writes FST files does not tell when it could not write: a full disk leaves a
// file that ends within a block, or the library aborts when it closes the file.

// Calls close(). Should that abort, the process says on one line which file, and exits with
// status 1.
void CloseTrace(const std::string& file, const std::function<void()>& close);

// Throws unless a closed FST file is whole.
void RequireWholeTrace(const std::string& file);

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_TRACE_FILE_H_
