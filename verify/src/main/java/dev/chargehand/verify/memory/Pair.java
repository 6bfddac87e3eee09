package dev.chargehand.verify.memory;

import dev.chargehand.verify.harness.LineProcess;
import dev.chargehand.verify.harness.Tally;
import dev.chargehand.verify.stores.StorePlace;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/** Processes that do a task on one store, of which one is killed at times and started again. Used by one thread. */
final class Pair implements AutoCloseable {

    /** How many processes edit and talk. */
    static final int PROCESSES = 2;

    private static final int LONGEST_SECONDS = 180;
    private static final int MOST_MILLIS = 40;

    private final StorePlace place;
    private final Rows rows;
    private final Task task;
    private final int steps;
    private final SplittableRandom random;
    private final Tally tally;
    private final Deque<Integer> kills = new ArrayDeque<>();
    private final BlockingQueue<Line> lines = new LinkedBlockingQueue<>();
    private final List<Member> members = new ArrayList<>();
    private int done;

    /**
     * Start processes.
     *
     * @param processes how many; the first has the number 0
     * @param steps how many steps each has to do
     * @param kills how many times one of them is killed, at most
     */
    Pair(
            StorePlace place,
            Rows rows,
            Task task,
            int processes,
            int steps,
            int kills,
            SplittableRandom random,
            Tally tally)
            throws IOException {
        this.place = place;
        this.rows = rows;
        this.task = task;
        this.steps = steps;
        this.random = random;
        this.tally = tally;
        random.ints(kills, 1, Math.max(2, processes * steps))
                .sorted()
                .distinct()
                .forEach(this.kills::add);
        for (int process = 0; process < processes; process++) {
            members.add(new Member(process));
        }
    }

    /** What a process said, and how many were killed before it. */
    private record Line(Member from, int start, String text) {}

    /** One of the processes, and those that continue after it was killed. */
    private final class Member {

        private final int number;
        private final Set<Integer> did = new HashSet<>();
        private LineProcess process;
        private int start;
        private boolean ended;

        private Member(int number) throws IOException {
            this.number = number;
            this.process = start(0);
        }

        private LineProcess start(int nth) throws IOException {
            return LineProcess.start(
                    MemoryChild.class,
                    text -> lines.add(new Line(this, nth, text)),
                    place.address(),
                    task.name(),
                    String.valueOf(number),
                    String.valueOf(task == Task.FILL ? did.size() + unheard() : 0),
                    String.valueOf(steps));
        }

        /** Return how many steps it has done that are not counted yet. */
        private long unheard() {
            return lines.stream()
                    .filter(line -> line.from() == this && line.text().startsWith(MemoryChild.DID))
                    .count();
        }

        /**
         * Kill it, and start it again. A process that edits and talks repeats everything with the same keys; one that fills threads continues,
         * since they may have been deleted.
         */
        private void replace() throws IOException, SQLException, InterruptedException {
            process.kill();
            rows.endLeases(process.id());
            start++;
            process = start(start);
        }
    }

    /**
     * Wait until the processes have done everything, and kill some of them meanwhile.
     *
     * @param whenDone is called with the number of each step that was done, once
     * @return how many were killed
     */
    int play(IntConsumer whenDone) throws IOException, SQLException, InterruptedException {
        int killed = 0;
        while (members.stream().anyMatch(member -> !member.ended)) {
            Line line = lines.poll(LONGEST_SECONDS, TimeUnit.SECONDS);
            if (line == null) {
                tally.addFault("lost", task + ": no process goes on");
                return killed;
            }
            hear(line, whenDone);
            if (!kills.isEmpty() && kills.getFirst() <= done) {
                int ignored = kills.removeFirst();
                killed += kill() ? 1 : 0;
            }
        }
        return killed;
    }

    private void hear(Line line, IntConsumer whenDone) {
        String[] words = line.text().split(" ", 2);
        switch (words[0]) {
            case MemoryChild.DID -> {
                int number = Integer.parseInt(words[1]);
                if (line.from().did.add(number)) {
                    done++;
                    whenDone.accept(number);
                }
            }
            case MemoryChild.FOREIGN -> tally.addFault("foreign", words[1]);
            case MemoryChild.BROKE ->
                tally.addFault("lost", task + " of process " + line.from().number + ": " + words[1]);
            case MemoryChild.END -> line.from().ended = line.start() == line.from().start;
            default -> {} // it is ready, or was killed in the middle of a line
        }
    }

    private boolean kill() throws IOException, SQLException, InterruptedException {
        List<Member> living = members.stream().filter(member -> !member.ended).toList();
        if (living.isEmpty()) {
            return false;
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(MOST_MILLIS)));
        living.get(random.nextInt(living.size())).replace();
        return true;
    }

    @Override
    public void close() {
        members.forEach(member -> member.process.close());
    }
}
