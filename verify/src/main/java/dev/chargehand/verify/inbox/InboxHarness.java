package dev.chargehand.verify.inbox;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunStatus;
import dev.chargehand.verify.harness.Harness;
import dev.chargehand.verify.harness.StoreKind;
import dev.chargehand.verify.harness.Tally;
import dev.chargehand.verify.stores.StorePlace;
import dev.chargehand.verify.stores.TemporaryStores;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Send every decision twice, from two processes, to a run that a third process executes: each call is executed once,
 * and while its siblings are.
 */
@Command(
        name = "inbox",
        description = "Delivers every decision twice, from two processes, while its siblings are executed.",
        mixinStandardHelpOptions = true)
public final class InboxHarness implements Harness {

    private static final long LONGEST_SECONDS = 60;

    @Option(names = "--n", paramLabel = "COUNT", description = "How many decisions; 10000 by default.")
    private long n = 10_000;

    @Option(names = "--store", description = "sqlite or postgres; sqlite by default.")
    private StoreKind kind = StoreKind.SQLITE;

    private final Tally tally = new Tally("lost", "doubled", "wrong");
    private final BlockingQueue<PendingApproval> asked = new LinkedBlockingQueue<>();
    private final Map<String, Integer> effects = new ConcurrentHashMap<>();
    private volatile CountDownLatch open = new CountDownLatch(0);

    /** Make the harness as the command has it. */
    public InboxHarness() {}

    /** Make the harness of a sample. */
    public InboxHarness(long n, StoreKind kind) {
        this.n = n;
        this.kind = kind;
    }

    @Override
    public Tally tally() {
        return tally;
    }

    @Override
    public Tally run() throws Exception {
        try (TemporaryStores stores = TemporaryStores.of(kind)) {
            StorePlace place = stores.make();
            try (AgentRuntime runtime =
                            InboxCrew.runtime(place.open(), Wakeups.own(), this::effect, this::work, this::note);
                    Sender one = Sender.start(place);
                    Sender two = Sender.start(place)) {
                while (tally.cases() < n) {
                    step(runtime, List.of(one, two));
                }
            }
        }
        return tally;
    }

    private void note(RunEvent event) {
        if (event instanceof RunEvent.ToolCallApproval waits) {
            asked.add(waits.approval());
        }
    }

    private void effect(String slot) {
        effects.merge(slot, 1, Integer::sum);
        open.countDown();
    }

    /** Work until the siblings have been executed; a lost decision ends it too. */
    private void work() {
        try {
            if (!open.await(LONGEST_SECONDS / 2, TimeUnit.SECONDS)) {
                tally.addFault("lost", open.getCount() + " calls were not executed while their sibling was");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void step(AgentRuntime runtime, List<Sender> senders) throws IOException, InterruptedException {
        effects.clear();
        open = new CountDownLatch(InboxCrew.CALLS);
        CompletableFuture<RunResult> run =
                CompletableFuture.supplyAsync(() -> runtime.agent("lead").generate("Go"), work -> Thread.ofVirtual()
                        .start(work));
        List<PendingApproval> approvals = new ArrayList<>();
        while (approvals.size() < InboxCrew.CALLS) {
            PendingApproval next = asked.poll(LONGEST_SECONDS, TimeUnit.SECONDS);
            if (next == null) {
                throw new IOException("No call waits for approval.");
            }
            approvals.add(next);
        }
        for (Sender sender : senders) {
            sender.send(approvals);
        }
        RunResult result = run.join();
        if (result.status() != RunStatus.COMPLETED) {
            tally.addFault("wrong", "run " + result.runId() + " ended as " + result.stopReason());
        }
        for (Sender sender : senders) {
            sender.failures().forEach(failure -> tally.addFault("wrong", failure));
        }
        for (int i = 1; i <= InboxCrew.CALLS; i++) {
            int times = effects.getOrDefault("s" + i, 0);
            tally.addCase();
            if (times != 1) {
                tally.addFault(times == 0 ? "lost" : "doubled", "call " + i + " of run " + result.runId());
            }
        }
    }
}
