// SPDX-License-Identifier: Apache-2.0
#include "host/watch_listing.h"

namespace wirecache::host {

Worker WatchListing::WritePart(std::string& answer) {
  Worker check = watcher_->Check();
  for (check.Resume(); check.access();) check.Resume(co_await *check.access());
  if (!begun_) answer += "OK\r\n";
  begun_ = true;
  ended_ = watcher_->gone();
  if (!ended_ && watcher_->Rest()) co_return;
  answer += watcher_->Take(kAnswerBytes - answer.size());
}

}  // namespace wirecache::host
