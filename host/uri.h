// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_HOST_URI_H_
#define WIRECACHE_HOST_URI_H_

#include <string>
#include <string_view>

namespace wirecache::host {

// As in an URI: what is no letter, digit or one of four signs becomes % and two hex digits.
std::string UriEncoded(std::string_view text);

}  // namespace wirecache::host

#endif  // WIRECACHE_HOST_URI_H_
