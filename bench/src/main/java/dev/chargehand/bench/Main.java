package dev.chargehand.bench;

import dev.chargehand.bench.disk.JournalBench;
import dev.chargehand.bench.disk.MemoryBench;
import dev.chargehand.bench.disk.SearchBench;
import dev.chargehand.bench.disk.SleepersBench;
import dev.chargehand.bench.disk.SyncBench;
import dev.chargehand.bench.disk.WorkflowRuns;
import dev.chargehand.bench.http.ServerBench;
import java.util.Arrays;
import java.util.List;

/** Runs a benchmark by its name; the last line it prints is {@code NAME: key=value …}. */
public final class Main {

    private Main() {}

    /** Run the benchmark that the first argument names. */
    public static void main(String[] arguments) throws Exception {
        String name = arguments.length == 0 ? "" : arguments[0];
        List<String> rest = Arrays.asList(arguments).subList(Math.min(1, arguments.length), arguments.length);
        switch (name) {
            case "overhead" -> Overhead.main(rest);
            case "concurrency" -> Concurrency.main(rest);
            case "hooks" -> HooksBench.main(rest);
            case "journal" -> JournalBench.main(rest);
            case "log" -> UsersBench.log();
            case "memory" -> MemoryBench.main(rest);
            case "search" -> SearchBench.main(rest);
            case "server" -> ServerBench.main(rest);
            case "sleepers" -> SleepersBench.main(rest);
            case "sync" -> SyncBench.main(rest);
            case "startup" -> Startup.main(rest);
            case "users" -> UsersBench.main(rest);
            case "workflows" -> WorkflowBench.main(rest);
            case "workflow-runs" -> WorkflowRuns.main(rest);
            case "provider" -> BenchProvider.main(rest);
            case "contender" -> ContenderProcess.main(rest);
            default -> {
                System.err.println(
                        "Usage: bench/run overhead|concurrency|hooks|journal|log|memory|search|server|sleepers|startup|sync|users|workflows");
                System.exit(64);
            }
        }
    }
}
