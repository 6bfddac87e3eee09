package dev.chargehand.verify.inbox;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.WorkflowEvent;
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
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Deliver every decision, every answer and the end of every sleep twice, from two processes, to runs of an agent and of a
 * workflow that a third process executes: what follows is executed once, and while its siblings are. Send messages twice too, under
 * keys, while runs end or are cancelled by all three.
 */
@Command(
        name = "inbox",
        description =
                "Delivers every decision, answer, end of a sleep and message twice, from two processes, while a third executes the runs.",
        mixinStandardHelpOptions = true)
public final class InboxHarness implements Harness {

    private static final long LONGEST_SECONDS = 60;

    @Option(names = "--n", paramLabel = "COUNT", description = "How many deliveries; 10000 by default.")
    private long n = 10_000;

    @Option(names = "--seed", description = "Of the moments of messages and cancels; 1 by default.")
    private long seed = 1;

    @Option(names = "--store", description = "sqlite or postgres; sqlite by default.")
    private StoreKind kind = StoreKind.SQLITE;

    private final Tally tally = new Tally("lost", "doubled", "wrong");
    private final BlockingQueue<RunEvent> waits = new LinkedBlockingQueue<>();
    private final Map<String, Integer> effects = new ConcurrentHashMap<>();
    private final InboxCrew crew = new InboxCrew(this::effect, this::work, this::hear);
    private volatile CountDownLatch open = new CountDownLatch(0);
    private volatile @Nullable TalkRound talking;

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
            try (AgentRuntime runtime = crew.runtime(place.open(), Wakeups.own(), this::note);
                    Sender one = Sender.start(place, "one");
                    Sender two = Sender.start(place, "two")) {
                List<Sender> senders = List.of(one, two);
                TalkRound talks = new TalkRound(runtime, tally::addFault);
                talking = talks;
                SplittableRandom random = new SplittableRandom(seed);
                while (tally.cases() < n) {
                    deliver(agentRound(runtime), senders);
                    deliver(workflowRound(runtime), senders);
                    for (Talk.End end : Talk.End.values()) {
                        for (int messages = talks.play(end, random.split(), senders); messages > 0; messages--) {
                            tally.addCase();
                        }
                    }
                }
            }
        }
        return tally;
    }

    private void note(RunEvent event) {
        if (event instanceof RunEvent.ToolCallApproval
                || event instanceof WorkflowEvent.WorkflowStepSuspended
                || event instanceof WorkflowEvent.WorkflowStepWaiting) {
            waits.add(event);
        }
    }

    private void hear(List<String> said) {
        TalkRound now = talking;
        if (now != null) {
            now.hear(said);
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

    private Round agentRound(AgentRuntime runtime) {
        prepare(InboxCrew.SLOTS);
        return new Round(runtime.agent("lead").start("Go"), InboxCrew.SLOTS, List.of());
    }

    private Round workflowRound(AgentRuntime runtime) {
        prepare(InboxWorkflow.SLOTS);
        RunHandle run = runtime.start(crew.workflow(), new InboxWorkflow.Errand("go"), o -> {});
        return new Round(run, InboxWorkflow.SLOTS, InboxWorkflow.SLEEPS);
    }

    /**
     * A run that waits many times.
     *
     * @param slots what is carried out, once each, after a wait of its own
     * @param sleeps the paths of the waits for a time; the others are for answers
     */
    private record Round(RunHandle run, List<String> slots, List<String> sleeps) {}

    private void prepare(List<String> slots) {
        effects.clear();
        waits.clear(); // of a talk
        open = new CountDownLatch(slots.size());
    }

    private void deliver(Round round, List<Sender> senders) throws IOException, InterruptedException {
        Deliveries deliveries = new Deliveries(round.run().runId(), awaitWaits(round), round.sleeps());
        for (Sender sender : senders) {
            sender.send(deliveries.line());
        }
        RunResult result = round.run().result();
        if (result.status() != RunStatus.COMPLETED || !"Done".equals(result.text())) {
            tally.addFault("wrong", "run " + result.runId() + " ended as " + result.stopReason());
        }
        for (Sender sender : senders) {
            sender.failures().forEach(failure -> tally.addFault("wrong", failure));
        }
        for (String slot : round.slots()) {
            int times = effects.getOrDefault(slot, 0);
            tally.addCase();
            if (times != 1) {
                tally.addFault(times == 0 ? "lost" : "doubled", slot + " of run " + result.runId());
            }
        }
    }

    /** Wait until everything waits, and return what asks for an answer. */
    private List<PendingApproval> awaitWaits(Round round) throws IOException, InterruptedException {
        List<PendingApproval> approvals = new ArrayList<>();
        for (int i = 0; i < round.slots().size(); i++) {
            RunEvent next = waits.poll(LONGEST_SECONDS, TimeUnit.SECONDS);
            if (next == null) {
                throw new IOException("Of " + round.slots() + " only " + i + " wait.");
            }
            if (next instanceof RunEvent.ToolCallApproval asks) {
                approvals.add(asks.approval());
            } else if (next instanceof WorkflowEvent.WorkflowStepSuspended asks) {
                approvals.add(asks.approval());
            }
        }
        return approvals;
    }
}
