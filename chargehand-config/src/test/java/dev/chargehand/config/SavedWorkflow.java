package dev.chargehand.config;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.workflow.Workflow;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** The workflow of the corpus of saved runs of agents' files, in a store. Part of the corpus: changed only so that it compiles. */
final class SavedWorkflow implements AutoCloseable {

    static final Path FOLDER = Path.of("src/test/resources/golden");
    static final Json INPUT = Json.parse("{\"name\":\"Ann\",\"kind\":\"tea\",\"items\":[1,2,3]}");

    private static final Approver BOB = Approver.of("bob");

    private final Crew crew;
    private final AgentRuntime runtime;
    private final Workflow<Json, Json> workflow;
    private final ManualClock clock;

    /** Open a runtime for a store, whose new ids start with a word. */
    SavedWorkflow(Store store, String ids, Instant now) {
        AgentsFile file = AgentsFileReader.read(FOLDER.resolve("crew.yaml"), "crew.yaml", Crew.TOOLS);
        AtomicLong count = new AtomicLong();
        clock = new ManualClock(now);
        crew = Crew.builder(file).environment(name -> null).build();
        workflow = crew.workflow(file.workflows().get("order"));
        runtime = crew.runtime(store, List.of())
                .workflows(workflow)
                .timeSource(clock)
                .idSource(prefix -> prefix + ids + count.incrementAndGet())
                .wakeups(Wakeups.off())
                .anyoneMayApprove()
                .build();
    }

    /** Start the workflow and let it end. */
    RunResult play() {
        return toTheEnd(with -> with.start(workflow, INPUT, crew::setOptions).result());
    }

    /** Start or continue a run, answer what it waits for, and let the time come for which it waits. */
    RunResult toTheEnd(Function<AgentRuntime, RunResult> first) {
        RunResult result = first.apply(runtime);
        while (result.status() == RunStatus.SUSPENDED) {
            List<PendingApproval> pending = result.pendingApprovals();
            clock.advance(Duration.ofHours(3));
            result = pending.isEmpty()
                    ? runtime.resume(result.runId(), o -> {}).result()
                    : runtime.answer(pending.getFirst(), answer(pending.getFirst()), o -> {})
                            .result();
        }
        return result;
    }

    private static ApprovalAnswer answer(PendingApproval pending) {
        return pending.kind() == PendingApproval.Kind.DATA
                ? ApprovalAnswer.data(BOB, 42)
                : ApprovalAnswer.approve(BOB, "Ticket 7.");
    }

    @Override
    public void close() {
        runtime.close();
        crew.close();
    }
}
