// SPDX-License-Identifier: Apache-2.0
#include "host/key_list.h"

#include <string>

#include "host/commands.h"
#include "sim/test/check.h"

namespace wirecache::host {
namespace {

using Form = KeyList::Form;

// The lines are memcached's, of the same items.
TEST(lines_of_lists) {
  ListedItem item{.key = "b%41c\x80",
                  .expiry = 1795894924,
                  .used = 1795894824,
                  .flags = 5,
                  .cas = 2,
                  .value_bytes = 3};
  CHECK(KeyList{Form::kMetadump}.Line(item, 5) ==
        "key=b%2541c%80 exp=1795894924 la=1795894824 cas=2 fetch=no cls=1 size=72\n");
  CHECK(KeyList{Form::kCachedump}.Line(item, 0) == "ITEM b%41c\x80 [3 b; 1795894924 s]\r\n");
  CHECK(KeyList{Form::kMgdump}.Line(item, 0) == "mg b%41c\x80\r\n");
  ListedItem plain{.key = "a", .fetched = true, .used = 7, .cas = 1, .value_bytes = 1};
  CHECK(KeyList{Form::kMetadump}.Line(plain, 9) ==
        "key=a exp=-1 la=7 cas=1 fetch=yes cls=1 size=61\n");
  CHECK(KeyList{Form::kCachedump}.Line(plain, 9) == "ITEM a [1 b; 0 s]\r\n");
  CHECK(KeyList{Form::kMetadump}.End(1) == "END\r\n");
  CHECK(KeyList{Form::kMgdump}.End(1) == "EN\r\n");
  const KeyList me{Form::kMe, 1, "a"};
  CHECK(me.Wants(plain) && !me.Wants(item));
  CHECK(me.Line(plain, 9) == "ME a exp=-1 la=2 cas=1 fetch=yes cls=1 size=61\r\n");
  CHECK(me.Line(item, 1795894894) == "ME b%41c\x80 exp=-30 la=70 cas=2 fetch=no cls=1 size=72\r\n");
  CHECK(me.End(0) == "EN\r\n" && me.End(1).empty());
}

TEST(keys_that_came_in_base64) {
  const ListedItem item{.key = "ab c", .encoded = true, .cas = 1};
  CHECK(KeyList{Form::kMgdump}.Line(item, 0) == "mg YWIgYw== b\r\n");
  CHECK(KeyList{Form::kMe}.Line(item, 0).starts_with("ME YWIgYw== exp"));
  CHECK(KeyList{Form::kMetadump}.Line(item, 0).starts_with("key=ab%20c exp"));
}

TEST(which_lists_are_asked_for) {
  BoardFacts facts;
  facts.dumps = true;
  const Commands commands(facts, 8192);
  const auto list = [&](std::vector<std::string> words) {
    Command command;
    command.words = std::move(words);
    return commands.List(command);
  };
  const uint64_t all = KeyList{}.most;
  for (const char* classes : {"all", "hash", "1", "2,1", ",1"}) {
    CHECK_EQ(list({"lru_crawler", "metadump", classes})->most, all);
    CHECK(list({"lru_crawler", "mgdump", classes})->form == Form::kMgdump);
  }
  CHECK_EQ(list({"lru_crawler", "metadump", "63"})->most, 0u);
  CHECK_EQ(list({"stats", "cachedump", "1", "0"})->most, all);
  CHECK_EQ(list({"stats", "cachedump", "1", "5"})->most, 5u);
  CHECK_EQ(list({"stats", "cachedump", "63", "5", "x"})->most, 0u);
  for (const char* classes : {"0", "64", "x", "-1", "1,64"}) {
    CHECK(!list({"lru_crawler", "metadump", classes}));
  }
  CHECK(!list({"lru_crawler", "metadump"}) && !list({"lru_crawler", "metadump", "all", "all"}));
  CHECK(!list({"lru_crawler", "crawl", "all"}) && !list({"stats", "cachedump", "1"}));
  CHECK(!list({"stats", "cachedump", "64", "0"}) && !list({"stats", "cachedump", "1", "-1"}));
  CHECK(!list({}));
  Command command;
  command.words = {"lru_crawler", "metadump", "all"};
  CHECK(commands.List(command) && !Commands({}, 8192).List(command));
}

}  // namespace
}  // namespace wirecache::host
