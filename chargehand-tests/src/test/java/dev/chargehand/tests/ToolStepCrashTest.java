package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scored;
import dev.chargehand.completion.Scorer;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.spi.IdSource;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import dev.chargehand.workflow.Each;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.StepOutcome;
import dev.chargehand.workflow.Workflow;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A workflow of tools that wait and a scorer with a judge, whose process is gone between any two of its facts. */
class ToolStepCrashTest {

    record Item(String name) {}

    private record Ending(String output, String usage, List<StepOutcome> steps) {}

    private static final Approver ANN = Approver.of("ann");

    private static final int MOST_WAITS = 20;

    /** The idempotency keys of each item, over all processes of a run. */
    private final Map<String, Set<String>> keys = new ConcurrentHashMap<>();

    private final Tool pay = Tool.builder("pay", "Pays an item, if that is approved, with a name that it asks for.")
            .input(Item.class)
            .repeatable()
            .requiresApproval(item -> !item.name().equals("free"))
            .suspends(String.class, String.class)
            .handler((item, context) -> {
                keys.computeIfAbsent(context.runId() + item.name(), key -> ConcurrentHashMap.newKeySet())
                        .add(context.idempotencyKey());
                return context.providedData(String.class)
                        .<Object>map(name -> name + " paid " + item.name())
                        .orElseGet(() -> context.suspend("Who pays " + item.name() + "?"));
            })
            .build();

    private Workflow<String, Scored> workflow(ModelChoice judge) {
        Scorer scorer = Scorer.of(
                "judge",
                run -> Score.pass(
                        run.ask(judge, List.of(Message.user(run.text()))).text()));
        return Workflow.from("paying", String.class)
                .foreach(
                        "all",
                        (in, context) -> List.of(new Item("free"), new Item(in)),
                        Step.tool(pay, Item.class, String.class),
                        Each.concurrency(2))
                .map("text", String.class, (all, context) -> String.join(", ", all))
                .then(Step.scorer("score", scorer))
                .build(Scored.class);
    }

    @Test
    void aRunThatIsInterruptedBetweenAnyTwoFactsEndsAsTheUndisturbedOne() {
        new Crashing<Ending>() {
            private Workflow<String, Scored> workflow =
                    workflow(ModelChoice.of(Scripts.of().modelFor("judge")));

            @Override
            public TestRuntime runtime(Store store) {
                workflow = workflow(ModelChoice.of(
                        Scripts.on("judge", Turn.says("Fine").forever()).modelFor("judge")));
                return TestRuntime.builder(Scripts.of())
                        .store(store)
                        .ids(IdSource.secure())
                        .workflows(workflow)
                        .build();
            }

            @Override
            public RunResult begin(TestRuntime test) {
                return whole(test, test.runtime().start(workflow, "tea", o -> {}));
            }

            @Override
            public RunResult resume(TestRuntime test, RunId run) {
                return whole(test, test.runtime().resume(run, o -> {}));
            }

            @Override
            public Ending ending(TestRuntime test, Supplier<RunResult> run) {
                RunResult result = run.get();
                assertThat(result.object(Scored.class).reason()).isEqualTo("Fine");
                return new Ending(result.text(), result.usageByAgent().toString(), StepTimesTest.without(result));
            }
        }.assertEndsAsTheUndisturbedOne();
        assertThat(keys.values()).allMatch(each -> each.size() == 1);
    }

    private static RunResult whole(TestRuntime test, RunHandle started) {
        RunHandle run = started;
        for (int waits = 0; waits < MOST_WAITS; waits++) {
            RunResult result = run.result();
            if (result.status() != RunStatus.SUSPENDED) {
                return result;
            }
            PendingApproval request = result.pendingApprovals().getFirst();
            run = request.kind() == PendingApproval.Kind.APPROVAL
                    ? test.runtime().approve(request, ANN)
                    : test.runtime().giveData(request, "Ann");
        }
        throw new AssertionError("Run " + run.runId() + " waits for ever.");
    }
}
