package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.RunResult;
import dev.chargehand.run.RunId;
import dev.chargehand.spi.IdSource;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tests.Ordering.Order;
import dev.chargehand.workflow.StepOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A workflow whose process is gone between any two of its facts. */
class WorkflowCrashTest {

    private record Ending(String output, String state, List<StepOutcome> steps) {}

    /** What the code of the processes was asked; one after the other. */
    private final List<Ordering> processes = new ArrayList<>();

    @Test
    void aRunThatIsInterruptedBetweenAnyTwoFactsEndsAsTheUndisturbedOne() {
        new Crashing<Ending>() {
            @Override
            public TestRuntime runtime(Store store) {
                Ordering ordering = new Ordering();
                processes.add(ordering);
                return TestRuntime.builder(Scripts.of())
                        .store(store)
                        .ids(IdSource.secure())
                        .workflows(ordering.workflow)
                        .build();
            }

            @Override
            public RunResult begin(TestRuntime test) {
                return test.runtime()
                        .start(processes.getLast().workflow, new Order("cup", 2), o -> {})
                        .result();
            }

            @Override
            public RunResult resume(TestRuntime test, RunId run) {
                List<String> over = over(test.store(), run);
                RunResult result = test.runtime().resume(run, o -> {}).result();
                assertThat(processes.getLast().asked).noneMatch(over::contains);
                return result;
            }

            @Override
            public Ending ending(TestRuntime test, Supplier<RunResult> run) {
                RunResult result = run.get();
                return new Ending(
                        result.text(),
                        result.workflowState().orElseThrow().canonical().text(),
                        StepTimesTest.without(result));
            }
        }.assertEndsAsTheUndisturbedOne();
    }

    /** What the code and the models of the processes were asked that have agents and a nested workflow. */
    private final List<Publishing> publishers = new ArrayList<>();

    @Test
    void agentsAndNestedWorkflowsContinueWhereTheyWere() {
        new Crashing<Ending>() {
            @Override
            public TestRuntime runtime(Store store) {
                Publishing publishing = new Publishing();
                publishers.add(publishing);
                return TestRuntime.builder(Scripts.of())
                        .store(store)
                        .ids(IdSource.secure())
                        .workflows(publishing.workflow)
                        .build();
            }

            @Override
            public RunResult begin(TestRuntime test) {
                return test.runtime()
                        .start(publishers.getLast().workflow, "tea", o -> {})
                        .result();
            }

            @Override
            public RunResult resume(TestRuntime test, RunId run) {
                List<String> over = overInTheTree(test.store(), run);
                RunResult result = test.runtime().resume(run, o -> {}).result();
                Publishing publishing = publishers.getLast();
                assertThat(publishing.asked).doesNotHaveDuplicates().noneMatch(over::contains);
                assertThat(publishing.models).noneMatch(over::contains);
                return result;
            }

            @Override
            public Ending ending(TestRuntime test, Supplier<RunResult> run) {
                RunResult result = run.get();
                assertThat(result.text()).isEqualTo(Publishing.OUTPUT);
                assertThat(result.usageByAgent().get("critic").totalTokens()).isEqualTo(45);
                assertThat(test.store().list(RunFilter.ALL.tree(result.runId())))
                        .hasSize(6);
                return new Ending(
                        result.text() + result.usageByAgent(),
                        result.workflowState().orElseThrow().canonical().text(),
                        StepTimesTest.without(result));
            }
        }.assertEndsAsTheUndisturbedOne();
    }

    /** Returns what of the whole tree was stored as done, and must not be asked again. */
    private static List<String> overInTheTree(Store store, RunId root) {
        List<String> over = new ArrayList<>();
        for (RunRecord run : store.list(RunFilter.ALL.tree(root))) {
            for (FactEntry fact : store.read(run.runId(), 0)) {
                String text = fact.text();
                switch (fact.type()) {
                    case "call-opened" -> {
                        if (text.contains("\"agentId\":\"researcher\"")) {
                            over.add("prompt tea");
                        }
                    }
                    case "call-closed" -> {
                        if (text.contains("\"found\"")) {
                            over.add("look tea");
                        } else if (text.contains("\"counted\"")) {
                            over.add("count tea");
                        } else if (text.contains("\"trimmed\"")) {
                            over.add("trim About tea in 3");
                        }
                    }
                    case "answered" -> {
                        for (String asked : List.of("one", "two", "«About tea in 3»")) {
                            if (text.contains("\"Praise of " + asked + "\"")) {
                                over.add(asked);
                            }
                        }
                    }
                    default -> {}
                }
            }
        }
        return over;
    }

    /** Returns what was stored as done or decided, and must not be called again. */
    private static List<String> over(Store store, RunId run) {
        List<String> over = new ArrayList<>();
        for (FactEntry fact : store.read(run, 0)) {
            if (fact.type().equals("call-closed")) {
                String text = fact.text();
                if (text.contains("\"left\"")) {
                    over.add("check");
                } else if (text.contains("mailed ann")) {
                    over.add("mail 0");
                } else if (text.contains("\"rounds\":1")) {
                    over.add("poll 1");
                }
            } else if (fact.type().equals("planned") && fact.text().contains("pay-large")) {
                over.add("large?"); // a branch is decided once
            }
        }
        return over;
    }
}
