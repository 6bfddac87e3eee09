package dev.chargehand.verify.kill;

import dev.chargehand.verify.kill.KillPoint.Signal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A process that is killed or stopped, as its parent sees it. */
final class ChildProcess {

    private static final Duration LONGEST = Duration.ofMinutes(5);

    private final Process process;
    private final List<Line> lines = new ArrayList<>();
    private final AtomicBoolean killed = new AtomicBoolean();
    private final AtomicBoolean hung = new AtomicBoolean();
    private final ReentrantLock writing = new ReentrantLock();
    private final AtomicReference<FutureTask<Void>> stop = new AtomicReference<>();
    private final WhileStopped whileStopped;

    /** What is done while a process is stopped. */
    @FunctionalInterface
    interface WhileStopped {

        /**
         * Do it.
         *
         * @param id the process
         * @return how much longer the process is to believe that it was stopped
         */
        Duration passes(long id) throws IOException, InterruptedException;
    }

    private ChildProcess(Process process, WhileStopped whileStopped) {
        this.process = process;
        this.whileStopped = whileStopped;
    }

    /**
     * The end of a process.
     *
     * @param id its process id
     * @param lines what it said
     * @param killed whether it was killed before it had said all
     * @param stopped whether it was stopped for a while
     * @param hung whether it did not end
     */
    record Over(long id, List<Line> lines, boolean killed, boolean stopped, boolean hung) {}

    /**
     * Start a process, answers what it asks, kills or stops it when it is time, and wait until it is gone.
     *
     * @param answers says what to answer when a run waits
     * @param hears hears every line at once
     * @param whileStopped what is done while it is stopped
     */
    static Over run(
            List<String> command,
            KillPoint point,
            UnaryOperator<String> answers,
            Consumer<Line> hears,
            WhileStopped whileStopped)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        ChildProcess child = new ChildProcess(process, whileStopped);
        CountDownLatch over = new CountDownLatch(1);
        Thread watch = Thread.ofVirtual().start(() -> child.watch(over));
        try {
            child.read(point, answers, hears);
        } finally {
            over.countDown();
            process.toHandle().destroyForcibly();
            process.waitFor();
            watch.join();
        }
        FutureTask<Void> stop = child.stop.get();
        if (stop != null) {
            requireDone(stop);
        }
        return new Over(process.pid(), List.copyOf(child.lines), child.killed.get(), stop != null, child.hung.get());
    }

    private static void requireDone(FutureTask<Void> stop) throws IOException, InterruptedException {
        try {
            stop.get();
        } catch (ExecutionException e) {
            throw new IOException("A process could not be stopped for a while.", e.getCause());
        }
    }

    private void watch(CountDownLatch over) {
        try {
            if (!over.await(LONGEST.toMillis(), TimeUnit.MILLISECONDS)) {
                hung.set(true);
                process.toHandle().destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void read(KillPoint point, UnaryOperator<String> answers, Consumer<Line> hears) throws IOException {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8);
                Writer writer = process.outputWriter(StandardCharsets.UTF_8)) {
            for (String text = reader.readLine(); text != null; text = reader.readLine()) {
                if (!Line.isWhole(text)) {
                    continue; // the kill cut it short
                }
                Line line = Line.parse(text);
                lines.add(line);
                hears.accept(line);
                switch (line.word()) {
                    case Line.READY -> killLater(point);
                    case Line.HOLDS -> {
                        if (point.signal() == Signal.STOP) {
                            stop(writer);
                        } else {
                            kill(point);
                        }
                    }
                    case Line.WAITS -> reply(writer, answers.apply(line.part(0)));
                    default -> {}
                }
            }
        }
    }

    private void killLater(KillPoint point) {
        if (point.place() == KillPoint.Place.TIME) {
            Thread.ofVirtual().start(() -> {
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(point.nth()));
                kill(point);
            });
        }
    }

    /** Kill with SIGKILL, or send SIGTERM; by its handle, so that what is still to be read is not thrown away. */
    private void kill(KillPoint point) {
        if (process.isAlive()) {
            killed.set(true);
            boolean ignored = point.signal() == Signal.TERMINATE
                    ? process.toHandle().destroy()
                    : process.toHandle().destroyForcibly();
        }
    }

    /** Stop it on another thread, since what it has said until then is still to be read. */
    private void stop(Writer writer) {
        FutureTask<Void> stopping = new FutureTask<>(() -> {
            signal("STOP");
            Duration time = Duration.ZERO;
            try {
                time = whileStopped.passes(process.pid());
            } finally {
                reply(writer, Line.WAKE + " " + time); // it reads this when it continues, as everything in it does
                signal("CONT");
            }
            return null;
        });
        stop.set(stopping);
        Thread.ofPlatform().daemon().name("stop").start(stopping);
    }

    private void signal(String name) throws IOException, InterruptedException {
        List<String> command = List.of("sh", "-c", "kill -" + name + " " + process.pid());
        int code = new ProcessBuilder(command).start().waitFor();
        if (code != 0) {
            throw new IOException(command + " ended with " + code);
        }
    }

    private void reply(Writer writer, String answer) {
        writing.lock();
        try {
            writer.write(answer + "\n");
            writer.flush();
        } catch (IOException e) {
            // It was killed meanwhile.
        } finally {
            writing.unlock();
        }
    }
}
