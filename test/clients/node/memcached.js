// SPDX-License-Identifier: Apache-2.0
// memcached (of npm; ASCII) asks the server at 127.0.0.1:PORT and prints what it is told.
"use strict";
const Memcached = require("memcached");

const SIZES = [1, 100, 1400, 1500, 20_000, 100_000, 1_000_000];
const CONNECTIONS = 4;

const valueOf = (length) => `${length}.`.repeat(length).slice(0, length);

async function main(port) {
  const client = new Memcached(`127.0.0.1:${port}`, {
    timeout: 120_000,
    idle: 120_000,
    poolSize: CONNECTIONS,
  });
  const ask = (name, ...words) =>
    new Promise((done) =>
      client[name](...words, (error, said) =>
        done(error === undefined || error === null ? said : `error ${error.message ?? error}`),
      ),
    );
  const say = async (...all) => {
    for (const words of all) console.log(words.join(" "), JSON.stringify(await ask(...words)));
  };
  console.log("version", (await ask("version"))[0].version);
  await say(["flush"]);
  for (const size of SIZES) {
    const value = valueOf(size);
    console.log("set", size, await ask("set", "sized", value, 0));
    console.log("get", size, (await ask("get", "sized")) === value);
  }
  // Over several connections, many at once.
  const many = Array.from({ length: 60 }, (_, n) => `many${n}`);
  const set = await Promise.all(many.map((key, n) => ask("set", key, `${n}`.repeat(n), 0)));
  const found = await ask("getMulti", [...many, "nothing"]);
  console.log("many", JSON.stringify(set), JSON.stringify(Object.entries(found).sort()));
  await say(["add", "added", "1", 0], ["add", "added", "2", 0], ["get", "added"]);
  await say(["replace", "added", "3", 0], ["replace", "nothing", "4", 0]);
  await say(["append", "added", "5"], ["append", "nothing", "5"]);
  await say(["prepend", "added", "2"], ["prepend", "nothing", "5"]);
  await say(["get", "added"], ["get", "nothing"]);
  await say(["incr", "added", 1], ["incr", "nothing", 1]);
  await say(["decr", "added", 234], ["decr", "added", 5], ["decr", "nothing", 1]);
  await say(["set", "text", "text", 0], ["incr", "text", 1]);
  const { cas } = await ask("gets", "text");
  console.log("cas", await ask("cas", "text", "new", cas, 0), await ask("cas", "text", "old", cas, 0));
  await say(["get", "text"], ["touch", "text", 100], ["touch", "nothing", 100]);
  await say(["del", "text"], ["del", "text"], ["get", "text"]);
  console.log("stats", Object.keys((await ask("stats"))[0]).sort().join(" "));
  console.log("settings", Object.keys((await ask("settings"))[0]).sort().join(" "));
  await say(["flush"], ["get", "added"]);
  client.end();
}

main(process.argv[2]).catch((error) => {
  console.log(error.stack);
  process.exit(1);
});
