// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_HOST_BASE64_H_
#define WIRECACHE_HOST_BASE64_H_

#include <optional>
#include <string>
#include <string_view>

namespace wirecache::host {

std::string Base64(std::string_view bytes);

// What is meant, as memcached reads it: characters that are no digits are passed over, the rest
// must make groups of four, a "=" is zero wherever it stands, and the first group with one is the
// last that counts, with as many bytes less. Nothing if there is no byte, or a group is not whole.
std::optional<std::string> FromBase64(std::string_view text);

}  // namespace wirecache::host

#endif  // WIRECACHE_HOST_BASE64_H_
