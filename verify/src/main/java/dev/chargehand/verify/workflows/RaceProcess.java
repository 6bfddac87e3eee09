package dev.chargehand.verify.workflows;

import dev.chargehand.verify.harness.LineProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/** One of the two processes, as its parent sees it. It is replaced when it was killed. Used by one thread. */
final class RaceProcess implements AutoCloseable {

    private static final long LONGEST_SECONDS = 60;

    private final LineProcess process;
    private final Thread end = Thread.ofPlatform().unstarted(this::close);
    private final CountDownLatch ready = new CountDownLatch(1);
    private final AtomicInteger disturbances = new AtomicInteger();

    private RaceProcess(String[] arguments, BiConsumer<RaceProcess, String> hears) throws IOException {
        process = LineProcess.start(
                RaceChild.class,
                line -> {
                    if (line.equals(RaceChild.READY)) {
                        ready.countDown();
                    } else {
                        hears.accept(this, line);
                    }
                },
                arguments);
    }

    /** Start one; it reads its orders when it is ready. */
    static RaceProcess start(String[] arguments, BiConsumer<RaceProcess, String> hears) throws IOException {
        return new RaceProcess(arguments, hears);
    }

    void awaitReady() throws IOException, InterruptedException {
        if (!ready.await(LONGEST_SECONDS, TimeUnit.SECONDS)) {
            throw new IOException("A process does not start.");
        }
    }

    void send(String... words) {
        process.send(String.join(" ", words));
    }

    /** Count that its store was held by the other one for long. */
    void disturb() {
        disturbances.incrementAndGet();
    }

    /** Return how often it was stopped, killed, or without its store. */
    int disturbances() {
        return disturbances.get();
    }

    boolean isNamedBy(String owner) {
        return owner.contains(":" + process.id() + ":");
    }

    void kill() throws InterruptedException {
        disturbances.incrementAndGet();
        process.kill();
    }

    void stop() throws IOException, InterruptedException {
        disturbances.incrementAndGet();
        Runtime.getRuntime().addShutdownHook(end); // it would stay stopped if this process ended
        process.stop();
    }

    void proceed() throws IOException, InterruptedException {
        process.proceed();
        boolean ignored = Runtime.getRuntime().removeShutdownHook(end);
    }

    /** Let it close its runtime and end; returns whether it does. */
    boolean ends() throws InterruptedException {
        process.send(RaceChild.CLOSE);
        return process.endsWithin(Duration.ofSeconds(LONGEST_SECONDS));
    }

    @Override
    public void close() {
        process.close();
    }
}
