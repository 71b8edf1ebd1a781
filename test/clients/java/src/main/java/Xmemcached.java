// SPDX-License-Identifier: Apache-2.0

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import net.rubyeye.xmemcached.CommandFactory;
import net.rubyeye.xmemcached.GetsResponse;
import net.rubyeye.xmemcached.MemcachedClient;
import net.rubyeye.xmemcached.XMemcachedClientBuilder;
import net.rubyeye.xmemcached.command.BinaryCommandFactory;
import net.rubyeye.xmemcached.command.TextCommandFactory;
import net.rubyeye.xmemcached.utils.AddrUtil;

/** XMemcached, once for each protocol, asks the server at 127.0.0.1:PORT and prints what it says. */
public final class Xmemcached {
  private static final int PATIENCE_MS = 120_000;
  private static final int THREADS = 4;
  private static final int[] SIZES = {1, 100, 1400, 1500, 20_000, 100_000, 1_000_000};

  private static String valueOf(int length) {
    return (length + ".").repeat(length).substring(0, length);
  }

  private static String tried(Callable<?> what) {
    try {
      return String.valueOf(what.call());
    } catch (Exception error) {
      return error.getClass().getSimpleName() + " " + error.getMessage();
    }
  }

  private static void ask(int port, CommandFactory commands) throws Exception {
    XMemcachedClientBuilder builder =
        new XMemcachedClientBuilder(AddrUtil.getAddresses("127.0.0.1:" + port));
    builder.setCommandFactory(commands);
    builder.setConnectionPoolSize(THREADS);
    builder.setOpTimeout(PATIENCE_MS);
    builder.setConnectTimeout(PATIENCE_MS);
    MemcachedClient client = builder.build();
    client.setEnableHeartBeat(false);
    client.getTranscoder().setCompressionThreshold(Integer.MAX_VALUE);
    System.out.println(commands.getProtocol());
    System.out.println("versions " + client.getVersions().values());
    client.flushAll();
    for (int size : SIZES) {
      String value = valueOf(size);
      System.out.println("set " + size + " " + tried(() -> client.set("sized", 0, value)));
      System.out.println("get " + size + " " + tried(() -> value.equals(client.get("sized"))));
    }
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    List<Callable<String>> work = new ArrayList<>();
    List<String> keys = new ArrayList<>();
    for (int n = 0; n < 60; ++n) {
      String key = "many" + n;
      String value = "x".repeat(n);
      keys.add(key);
      work.add(() -> tried(() -> client.set(key, 0, value) + " " + value.equals(client.get(key))));
    }
    List<String> said = new ArrayList<>();
    for (Future<String> one : threads.invokeAll(work)) said.add(one.get());
    threads.shutdown();
    System.out.println("several at once " + said);
    keys.add("nothing");
    Map<String, String> found = new TreeMap<>(client.<String>get(keys));
    System.out.println("multi-get " + found);
    System.out.println("add " + client.add("a", 0, "1") + " " + client.add("a", 0, "2"));
    System.out.println("replace " + client.replace("a", 0, "3") + " " + client.replace("b", 0, "3"));
    System.out.println("append " + client.append("a", "5") + " " + client.append("b", "5"));
    System.out.println("prepend " + client.prepend("a", "2") + " " + client.prepend("b", "5"));
    System.out.println("get " + client.get("a") + " " + client.get("b"));
    System.out.println("incr " + client.incr("a", 1) + " " + client.incr("number", 1, 7));
    System.out.println("decr " + client.decr("a", 234) + " " + client.decr("a", 5));
    client.set("text", 0, "text");
    System.out.println("incr of a text " + tried(() -> client.incr("text", 1)));
    GetsResponse<String> old = client.gets("text");
    System.out.println("cas " + client.cas("text", 0, "new", old.getCas()));
    System.out.println("cas " + client.cas("text", 0, "old", old.getCas()));
    System.out.println("touch " + client.touch("text", 100) + " " + client.touch("b", 100));
    System.out.println("delete " + client.delete("text") + " " + client.delete("text"));
    Map<String, String> stats = client.getStats().values().iterator().next();
    System.out.println("stats " + new TreeSet<>(stats.keySet()));
    client.flushAll();
    System.out.println("flush " + client.get("number"));
    client.shutdown();
  }

  public static void main(String[] arguments) throws Exception {
    for (CommandFactory commands : List.of(new TextCommandFactory(), new BinaryCommandFactory())) {
      ask(Integer.parseInt(arguments[0]), commands);
    }
  }
}
