package dev.chargehand.bench;

import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * A contender in a process of its own, so that none pays for the other's compiler, collector or heap.
 *
 * <p>Reads commands from its standard input and prints one line of figures for each: {@code run N AT_ONCE}, or those of
 * {@link HeldRuns}: {@code hold N} starts N runs and prints the live heap before, {@code heap} prints it now, {@code end}
 * waits for the runs. Runs that are made one at a time are made by the thread that reads the commands, others by
 * virtual threads.
 */
final class ContenderProcess {

    private static final AtomicInteger NEXT_MARKER = new AtomicInteger();

    private ContenderProcess() {}

    static void main(List<String> arguments) throws Exception {
        String url = arguments.get(1);
        Contender contender =
                switch (arguments.get(0)) {
                    case "jdk" -> new JdkContender(url, exchanges(arguments));
                    case "apache" -> new ApacheContender(url, exchanges(arguments));
                    default -> ours(arguments.get(0), url);
                };
        try (contender) {
            BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            Batch held = null;
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                String[] words = line.split(" ", -1);
                switch (words[0]) {
                    case "run" ->
                        System.out.println(run(contender, Integer.parseInt(words[1]), Integer.parseInt(words[2])));
                    case "hold" -> {
                        System.out.println(liveHeap());
                        int runs = Integer.parseInt(words[1]);
                        held = start(contender, runs, runs);
                    }
                    case "heap" -> System.out.println(liveHeap());
                    case "end" -> System.out.println(held == null ? 0 : held.await());
                    default -> throw new IllegalArgumentException("No command " + line);
                }
            }
        }
    }

    /** Make the contender of that name that uses Chargehand. */
    static Contender ours(String name, String url) {
        return switch (name) {
            case "chargehand" -> ChargehandContender.inMemory(url, Agents.delegating());
            case "watched" -> ChargehandContender.watched(url, Agents.delegating());
            case "controlled" -> ChargehandContender.inMemory(url, Agents.controlled());
            case "sqlite" -> ChargehandContender.onThreads(url, Agents.controlled());
            case "telling" -> ChargehandContender.inMemory(url, Agents.telling());
            case "told" -> ChargehandContender.watched(url, Agents.telling());
            case "thread" -> ChargehandContender.onLongThread(url, Agents.remembering());
            case "steps" -> ChargehandContender.inMemory(url, Agents.stepping());
            default -> throw new IllegalArgumentException("No contender " + name);
        };
    }

    /** The requests that were recorded in a file, or those of a delegated run. */
    private static Exchanges exchanges(List<String> arguments) throws IOException {
        return arguments.size() > 2 ? Exchanges.recorded(Path.of(arguments.get(2))) : new DelegatedRun();
    }

    private static String run(Contender contender, int runs, int atOnce) throws InterruptedException {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long cpu = system.getProcessCpuTime();
        long wall = System.nanoTime();
        int wrong = atOnce == 1
                ? inTurn(contender, runs)
                : start(contender, runs, atOnce).await();
        return (system.getProcessCpuTime() - cpu) + " " + (System.nanoTime() - wall) + " " + wrong;
    }

    private record Batch(CountDownLatch ended, AtomicInteger wrong) {
        private int await() throws InterruptedException {
            ended.await();
            return wrong.get();
        }
    }

    private static Batch start(Contender contender, int runs, int atOnce) throws InterruptedException {
        Batch batch = new Batch(new CountDownLatch(runs), new AtomicInteger());
        Semaphore slots = new Semaphore(atOnce);
        for (int i = 0; i < runs; i++) {
            slots.acquire();
            Thread.ofVirtual().start(() -> {
                try {
                    batch.wrong().addAndGet(wrong(contender));
                } finally {
                    slots.release();
                    batch.ended().countDown();
                }
            });
        }
        return batch;
    }

    private static int inTurn(Contender contender, int runs) {
        int wrong = 0;
        for (int i = 0; i < runs; i++) {
            wrong += wrong(contender);
        }
        return wrong;
    }

    /** Make a run; returns 0 if its answer was right, else 1. */
    private static int wrong(Contender contender) {
        String marker = "m" + NEXT_MARKER.incrementAndGet() + "x";
        try {
            return contender.run(marker).contains("done " + marker) ? 0 : 1;
        } catch (Exception e) {
            System.err.println(e);
            return 1;
        }
    }

    /** Return the live heap in bytes, and how much of it are stacks of virtual threads. */
    private static String liveHeap() throws JMException {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        long used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        Object histogram = ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "gcClassHistogram",
                        new Object[] {new String[0]},
                        new String[] {String[].class.getName()});
        long stacks = String.valueOf(histogram)
                .lines()
                .map(line -> line.trim().split("\\s+", -1))
                .filter(columns -> columns.length > 3 && columns[3].equals("jdk.internal.vm.StackChunk"))
                .mapToLong(columns -> Long.parseLong(columns[2]))
                .sum();
        return used + " " + stacks;
    }
}
