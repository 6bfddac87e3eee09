package dev.chargehand.verify.kill;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A process that is killed, as its parent sees it. */
final class ChildProcess {

    private static final Duration LONGEST = Duration.ofMinutes(5);

    private final Process process;
    private final List<Line> lines = new ArrayList<>();
    private final AtomicBoolean killed = new AtomicBoolean();
    private final AtomicBoolean hung = new AtomicBoolean();

    private ChildProcess(Process process) {
        this.process = process;
    }

    /**
     * What became of a process.
     *
     * @param id its process id
     * @param lines what it said
     * @param killed whether it was killed before it had said all
     * @param hung whether it did not end
     */
    record Over(long id, List<Line> lines, boolean killed, boolean hung) {}

    /**
     * Starts a process, answers what it asks, kills it when it is time, and waits until it is gone.
     *
     * @param answers says what to answer when a run waits
     * @param hears hears every line at once
     */
    static Over run(List<String> command, KillPoint point, UnaryOperator<String> answers, Consumer<Line> hears)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        ChildProcess child = new ChildProcess(process);
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
        return new Over(process.pid(), List.copyOf(child.lines), child.killed.get(), child.hung.get());
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
                    case Line.HOLDS -> kill(point);
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

    /** Kills with SIGKILL, or sends SIGTERM; by its handle, so that what is still to be read is not thrown away. */
    private void kill(KillPoint point) {
        if (process.isAlive()) {
            killed.set(true);
            boolean ignored = point.terminates()
                    ? process.toHandle().destroy()
                    : process.toHandle().destroyForcibly();
        }
    }

    private static void reply(Writer writer, String answer) throws IOException {
        try {
            writer.write(answer + "\n");
            writer.flush();
        } catch (IOException e) {
            // It was killed meanwhile.
        }
    }
}
