package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.StoreException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.message.Role;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.model.ModelResponse.RequestedCall;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.spi.Lease;
import dev.chargehand.store.Append;
import dev.chargehand.store.Appended;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.testkit.FaultyStore.Operation;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A store that fails while an answer is taken leaves the run such that it can be answered, or resumed, again. */
@Timeout(60)
class AnswerOutageTest {

    private static final Approver ANN = Approver.of("ann");
    private static final int MOST = 60;

    private final AtomicInteger effects = new AtomicInteger();

    @TempDir
    private Path folder;

    /** Gives each attempt at a run another name. */
    private record Attempts(AtomicInteger attempt) implements Lease {

        @Override
        public String owner(RunId run) {
            return run + ":" + attempt.incrementAndGet();
        }

        @Override
        public boolean mayTake(RunRecord run) {
            return false;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "APPEND, false",
        "APPEND, true",
        "CLAIM, false",
        "CLAIM, true",
        "READ, false",
        "FIND, false",
        "IS_ALIVE, false"
    })
    void whateverCallFailsTheAnswerIsCarriedOutOnceInTheEnd(Operation operation, boolean afterwards) {
        for (int nth = 1; nth < MOST; nth++) {
            effects.set(0);
            FaultyStore store = FaultyStore.over(InMemoryStore.keepingEndedRuns());
            try (AgentRuntime runtime = builder(store)
                    .wakeups(Wakeups.off()) // it is the answer that carries it out
                    .build()) {
                RunId run = runtime.agent("supervisor").generate("Go").runId();
                int at = store.count(operation) + nth;
                if (afterwards) {
                    store.failAfter(operation, at);
                } else {
                    store.failOn(operation, at);
                }

                RunResult result = answered(runtime, run, 2);

                if (store.count(operation) < at) {
                    return;
                }
                assertThat(result.text()).as("%s %s", operation, nth).isEqualTo("Done");
                assertThat(effects).as("%s %s", operation, nth).hasValueLessThanOrEqualTo(1);
                assertThat(store.list(RunFilter.ALL)).allMatch(each -> each.status() == RunStatus.COMPLETED);
            }
        }
        throw new AssertionError("The calls never end.");
    }

    /** The answer is stored, and its process cannot read that any more before it gives the run up. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 6, 8})
    void anOutageThatLastsFailsTheAnswerAndNoCallerWaitsForARunThatNobodyContinues(int calls) {
        for (int nth = 1; nth < MOST; nth++) {
            effects.set(0);
            LongOutage store = new LongOutage(calls);
            try (AgentRuntime runtime = builder(store).wakeups(Wakeups.off()).build()) {
                RunId run = runtime.agent("supervisor").generate("Go").runId();
                store.failAfterAppends(nth);

                RunResult result = answered(runtime, run, 2 + calls);

                if (store.appends.get() > 0) {
                    return;
                }
                assertThat(result.text()).as("%s", nth).isEqualTo("Done");
                assertThat(effects).as("%s", nth).hasValueLessThanOrEqualTo(1);
                assertThat(store.list(RunFilter.ALL)).allMatch(each -> each.status() == RunStatus.COMPLETED);
            }
        }
        throw new AssertionError("The appends never end.");
    }

    /** Does an append without saying so, and then fails for some calls. */
    private static final class LongOutage extends ForwardingStore {
        private final AtomicInteger appends = new AtomicInteger();
        private final AtomicInteger failures = new AtomicInteger();
        private final int calls;

        private LongOutage(int calls) {
            super(InMemoryStore.keepingEndedRuns());
            this.calls = calls;
        }

        private void failAfterAppends(int nth) {
            appends.set(nth);
        }

        @Override
        public Appended append(List<Append> all) {
            call();
            Appended done = super.append(all);
            if (appends.getAndDecrement() == 1) {
                failures.set(calls);
                throw new StoreException(StoreException.Kind.TIMEOUT, "Planned: done, but not answered.", null);
            }
            return done;
        }

        private void call() {
            if (failures.getAndDecrement() > 0) {
                throw new StoreException(StoreException.Kind.FAILED, "Planned.", null);
            }
        }

        @Override
        public RunRecord claim(RunId runId, long expectedEpoch, long expectedLength, String owner) {
            call();
            return super.claim(runId, expectedEpoch, expectedLength, owner);
        }

        @Override
        public void release(RunId root, long epoch) {
            call();
            super.release(root, epoch);
        }

        @Override
        public List<FactEntry> read(RunId runId, long from) {
            call();
            return super.read(runId, from);
        }

        @Override
        public Optional<RunRecord> find(RunId runId) {
            call();
            return super.find(runId);
        }
    }

    @ParameterizedTest
    @CsvSource({"false, false", "true, false", "false, true", "true, true"})
    void anAnswerThatWasStoredIsCarriedOutByWakeUpsOfOwnRuns(boolean leased, boolean inFile) {
        FaultyStore store = FaultyStore.over(
                inFile ? JdbcStore.sqlite(folder.resolve("runs.db")) : InMemoryStore.keepingEndedRuns());
        AgentRuntimeBuilder builder = builder(store).wakeups(Wakeups.own());
        try (AgentRuntime runtime = (leased ? builder.lease(new Attempts(new AtomicInteger())) : builder).build()) {
            RunResult waiting = runtime.agent("supervisor").generate("Go");
            store.failOn(Operation.APPEND, store.count(Operation.APPEND) + 1);
            PendingApproval approval = waiting.pendingApprovals().getFirst();

            assertThatThrownBy(() -> runtime.approve(approval, ANN)).isInstanceOf(StoreException.class);

            assertThat(runtime.handle(waiting.runId()).result().text()).isEqualTo("Done");
            assertThat(effects).hasValue(1);
        }
    }

    private static RunResult answered(AgentRuntime runtime, RunId run, int most) {
        for (int attempts = 1; ; attempts++) {
            try {
                RunResult standing = runtime.resume(run, o -> {}).result();
                return standing.pendingApprovals().isEmpty()
                        ? standing
                        : runtime.approve(standing.pendingApprovals().getFirst(), ANN)
                                .result();
            } catch (RunFailedException e) {
                assertThat(e.code()).startsWith("store-");
                assertThat(attempts).isLessThanOrEqualTo(most);
            } catch (StoreException e) {
                assertThat(e.retryable()).as(e.toString()).isTrue();
                assertThat(attempts).isLessThanOrEqualTo(most);
            }
        }
    }

    private AgentRuntimeBuilder builder(Store store) {
        Script script = Scripts.of(
                Turns.of(
                        "supervisor",
                        Turn.answers(request -> hasResults(request) ? says("Done") : calls("agent-clerk"))
                                .forever()),
                Turns.of(
                        "clerk",
                        Turn.answers(request -> hasResults(request) ? says("Paid") : calls("pay"))
                                .forever()));
        Tool pay = Steps.approvedTool("pay", (in, context) -> effects.incrementAndGet());
        Agent clerk = Agent.builder("clerk")
                .description("Pays.")
                .model(script.modelFor("clerk"))
                .tools(pay)
                .build();
        return AgentRuntime.builder()
                .store(store)
                .approverCheck((approval, approver) -> true)
                .providers()
                .agents(Agent.builder("supervisor")
                        .model(script.modelFor("supervisor"))
                        .agents(clerk)
                        .build());
    }

    private static boolean hasResults(ModelRequest request) {
        return request.messages().getLast().role() == Role.TOOL;
    }

    private static ModelResponse says(String text) {
        return ModelResponse.text(text, Usage.NONE);
    }

    private static ModelResponse calls(String tool) {
        return new ModelResponse(
                "",
                "",
                List.of(new RequestedCall("c-" + tool, tool, "{\"prompt\":\"Do it\"}")),
                FinishReason.TOOL_CALLS,
                Usage.NONE);
    }
}
