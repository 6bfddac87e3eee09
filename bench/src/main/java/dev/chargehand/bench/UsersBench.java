package dev.chargehand.bench;

import dev.chargehand.bench.disk.WriteLog;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Measures what users do: read events, store runs in SQLite, start cold, continue long conversations.
 *
 * <p>Arguments: the names of lines, all by default; {@code --short} for a tenth of the runs, which only shows that
 * everything works; {@code --before CLASS_PATH} to compare with another build, block by block.
 */
final class UsersBench {

    private static final String UNWATCHED = "unwatched";

    private static final List<Workload> WORKLOADS = List.of(
            new Workload("watched", "watched", 1, 20_000, 1_000),
            new Workload("watched4", "watched", 4, 20_000, 1_000),
            new Workload("sqlite", "sqlite", 1, 500, 50),
            new Workload("delta", "told", 1, 200, 20),
            new Workload(UNWATCHED, "telling", 1, 200, 20),
            new Workload("thread", "thread", 1, 3_000, 300),
            new Workload("steps", "steps", 1, 60, 6));

    private static final int STARTS = 15;
    private static final int HELD = 1_000;

    private final List<String> lines = new ArrayList<>();
    private final StringBuilder summary = new StringBuilder("users:");
    private boolean shortened;
    private @Nullable String before;
    private long wrong;

    private UsersBench(List<String> arguments) {
        for (int i = 0; i < arguments.size(); i++) {
            switch (arguments.get(i)) {
                case "--short" -> shortened = true;
                case "--before" -> before = arguments.get(++i);
                default -> lines.add(arguments.get(i));
            }
        }
    }

    static void main(List<String> arguments) throws IOException, InterruptedException {
        new UsersBench(arguments).measure();
    }

    /** Count what one run writes to the log of SQLite, in the workloads {@code sqlite} and {@code thread}. */
    static void log() throws IOException, SQLException {
        try (Child provider = Child.start("provider", "0", Workload.DELTAS)) {
            String url = "http://127.0.0.1:" + provider.readLine() + "/v1";
            try (ChargehandContender tree = ChargehandContender.onThreads(url, Agents.controlled());
                    ChargehandContender thread = ChargehandContender.onLongThread(url, Agents.remembering())) {
                WriteLog.Written ofTree = WriteLog.ofOneRun(tree.file(), tree::run);
                WriteLog.Written ofThread = WriteLog.ofOneRun(thread.file(), thread::run);
                System.out.printf(
                        "log: sqlite_transactions=%d sqlite_pages=%d thread_transactions=%d thread_pages=%d%n",
                        ofTree.transactions(), ofTree.pages(), ofThread.transactions(), ofThread.pages());
            }
        }
    }

    private void measure() throws IOException, InterruptedException {
        workload("watched");
        workload("watched4");
        workload("sqlite");
        workload("delta");
        workload(UNWATCHED);
        if (isAsked("cold")) {
            cold();
        }
        workload("thread");
        if (isAsked("heap_kb")) {
            heap();
        }
        workload("steps");
        System.out.println(summary.append(" wrong=").append(wrong));
    }

    private boolean isAsked(String line) {
        return lines.isEmpty() || lines.contains(line);
    }

    private void workload(String name) throws IOException {
        for (Workload each : WORKLOADS) {
            if (each.name().equals(name) && isAsked(name)) {
                Workload.Measured measured = (shortened ? each.shortened() : each).measured(before);
                wrong += measured.wrong();
                if (!name.equals(UNWATCHED)) { // printed with its own line only
                    add(name, "%.2f", measured.ratio());
                }
            }
        }
    }

    private void cold() throws IOException, InterruptedException {
        Startup.Ratios ratios = Startup.measured(shortened ? 3 : STARTS);
        wrong += ratios.wrong();
        add("cold", "%.2f", ratios.plain());
        add("cached", "%.2f", ratios.cached());
    }

    /** The first round opens the connections and fills what is kept for later runs. */
    private void heap() throws IOException {
        try (Child provider = Child.start("provider", "0", Workload.DELTAS)) {
            String url = "http://127.0.0.1:" + provider.readLine() + "/v1";
            System.out.println();
            for (String contender : List.of("watched", "chargehand", "apache")) {
                try (Child child = Child.start("contender", contender, url)) {
                    wrong += HeldRuns.measure(provider, child, HELD).wrong();
                    HeldRuns.Measured held = HeldRuns.measure(provider, child, HELD);
                    wrong += held.wrong();
                    System.out.printf(
                            Locale.ROOT,
                            "live heap per run in flight: %s %.1f KB, of which %.1f are stacks%n",
                            contender,
                            held.kilobytes(),
                            held.stacks());
                    if (contender.equals("watched")) {
                        add("heap_kb", "%.1f", held.kilobytes());
                    }
                }
            }
        }
    }

    private void add(String key, String format, double value) {
        summary.append(' ').append(key).append('=').append(String.format(Locale.ROOT, format, value));
    }
}
