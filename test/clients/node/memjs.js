// SPDX-License-Identifier: Apache-2.0
// memjs (binary) asks the server at 127.0.0.1:PORT and prints what it is told.
"use strict";
const { Client } = require("memjs");

const SIZES = [1, 100, 1400, 1500, 20_000, 100_000, 1_000_000, 1 << 20];

const valueOf = (length) => Buffer.from(`${length}.`.repeat(length).slice(0, length));
const text = (found) => (found.value === null ? null : found.value.toString());
const tried = (promise) => promise.catch((error) => error.message);

async function main(port) {
  // Messages of errors are for us, not for the log.
  const logger = { log: () => {} };
  const client = Client.create(`127.0.0.1:${port}`, { timeout: 120, retries: 0, logger });
  const say = async (name, ...promises) => {
    const said = [];
    for (const promise of promises) said.push(await tried(promise()));
    console.log(name, JSON.stringify(said));
  };
  const get = (key) => async () => text(await client.get(key));
  await say("flush", async () => Object.values(await client.flush()));
  for (const size of SIZES) {
    const value = valueOf(size);
    await say(`set ${size}`, () => client.set("sized", value, {}));
    await say(`get ${size}`, async () => (await client.get("sized")).value?.equals(value));
  }
  // All at once on one connection, before the first answer.
  const many = Array.from({ length: 60 }, (_, n) => `many${n}`);
  const set = await Promise.all(many.map((key, n) => client.set(key, `${n}`.repeat(n), {})));
  const found = await Promise.all(many.map((key) => client.get(key).then(text)));
  console.log("many", JSON.stringify(set), JSON.stringify(found));
  const add = (value) => () => client.add("added", value, {});
  const replace = (key) => () => client.replace(key, "3", {});
  await say("add", add("1"), add("2"), get("added"));
  await say("replace", replace("added"), replace("nothing"), get("added"));
  await say("append", () => client.append("added", "5"), () => client.append("nothing", "5"));
  await say("prepend", () => client.prepend("added", "2"), () => client.prepend("nothing", "5"));
  await say("get", get("added"), get("nothing"));
  const count = (name, key, amount) => () => client[name](key, amount, { initial: 7 });
  await say("incr", count("increment", "added", 1), count("increment", "number", 1));
  await say("decr", count("decrement", "added", 234), count("decrement", "added", 5));
  await say("incr of a text", () => client.set("text", "text", {}), count("increment", "text", 1));
  await say("touch", () => client.touch("text", 100), () => client.touch("nothing", 100));
  await say("delete", () => client.delete("text"), () => client.delete("text"), get("text"));
  const stats = await new Promise((done) => client.stats((error, server, all) => done(all)));
  console.log("stats", Object.keys(stats).sort().join(" "));
  await say("flush", async () => Object.values(await client.flush()), get("added"));
  client.close();
}

main(process.argv[2]).catch((error) => {
  console.log(error.stack);
  process.exit(1);
});
