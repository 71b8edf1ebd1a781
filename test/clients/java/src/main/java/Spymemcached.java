// SPDX-License-Identifier: Apache-2.0

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import net.spy.memcached.CASValue;
import net.spy.memcached.ConnectionFactoryBuilder;
import net.spy.memcached.ConnectionFactoryBuilder.Protocol;
import net.spy.memcached.MemcachedClient;
import net.spy.memcached.transcoders.SerializingTranscoder;

/** spymemcached, once for each protocol, asks the server at 127.0.0.1:PORT and prints what it says. */
public final class Spymemcached {
  private static final int PATIENCE_SECONDS = 120;
  private static final int[] SIZES = {1, 100, 1400, 1500, 20_000, 100_000, 1_000_000};

  private static String valueOf(int length) {
    return (length + ".").repeat(length).substring(0, length);
  }

  private static String said(List<? extends Future<?>> answers) {
    List<Object> all = new ArrayList<>();
    for (Future<?> answer : answers) {
      try {
        all.add(answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
      } catch (Exception error) {
        all.add(error.getClass().getSimpleName());
      }
    }
    return all.toString();
  }

  private static void ask(int port, Protocol protocol) throws Exception {
    SerializingTranscoder plain = new SerializingTranscoder();
    plain.setCompressionThreshold(Integer.MAX_VALUE);
    MemcachedClient client =
        new MemcachedClient(
            new ConnectionFactoryBuilder()
                .setProtocol(protocol)
                .setTranscoder(plain)
                .setOpTimeout(1000L * PATIENCE_SECONDS)
                .build(),
            List.of(new InetSocketAddress("127.0.0.1", port)));
    System.out.println(protocol);
    System.out.println("versions " + client.getVersions().values());
    System.out.println("flush " + said(List.of(client.flush())));
    for (int size : SIZES) {
      String value = valueOf(size);
      System.out.println("set " + size + said(List.of(client.set("sized", 0, value))));
      System.out.println("get " + size + " " + value.equals(client.get("sized")));
    }
    // This client sends all of them before it waits for the first; gets it puts together.
    List<Future<?>> sets = new ArrayList<>();
    List<Future<?>> gets = new ArrayList<>();
    List<String> keys = new ArrayList<>();
    for (int n = 0; n < 60; ++n) {
      keys.add("many" + n);
      sets.add(client.set("many" + n, 0, "x".repeat(n)));
    }
    for (String key : keys) gets.add(client.asyncGet(key));
    System.out.println("sets " + said(sets));
    System.out.println("gets " + said(gets));
    keys.add("nothing");
    Map<String, Object> found = client.getBulk(keys);
    System.out.println("bulk " + found.size() + " " + new TreeSet<>(found.keySet()));
    System.out.println("add " + said(List.of(client.add("a", 0, "1"), client.add("a", 0, "2"))));
    System.out.println(
        "replace " + said(List.of(client.replace("a", 0, "3"), client.replace("b", 0, "3"))));
    System.out.println("append " + said(List.of(client.append("a", "5"), client.append("b", "5"))));
    System.out.println(
        "prepend " + said(List.of(client.prepend("a", "2"), client.prepend("b", "5"))));
    System.out.println("get " + client.get("a") + " " + client.get("b"));
    System.out.println("incr " + client.incr("a", 1) + " " + client.incr("b", 1));
    System.out.println("incr " + client.incr("number", 1, 7) + " " + client.incr("number", 1, 7));
    System.out.println("decr " + client.decr("a", 234) + " " + client.decr("a", 5));
    CASValue<Object> old = client.gets("a");
    System.out.println("gets " + old.getValue());
    System.out.println("cas " + client.cas("a", old.getCas(), "new"));
    System.out.println("cas " + client.cas("a", old.getCas(), "old") + " " + client.get("a"));
    System.out.println("touch " + said(List.of(client.touch("a", 100), client.touch("b", 100))));
    System.out.println("delete " + said(List.of(client.delete("a"), client.delete("a"))));
    Map<String, String> stats = client.getStats().values().iterator().next();
    System.out.println("stats " + new TreeSet<>(stats.keySet()));
    System.out.println("flush " + said(List.of(client.flush())) + " " + client.get("number"));
    client.shutdown(1, TimeUnit.SECONDS);
  }

  public static void main(String[] arguments) throws Exception {
    System.setProperty("net.spy.log.LoggerImpl", "net.spy.memcached.compat.log.SLF4JLogger");
    for (Protocol protocol : Arrays.asList(Protocol.TEXT, Protocol.BINARY)) {
      ask(Integer.parseInt(arguments[0]), protocol);
    }
  }
}
