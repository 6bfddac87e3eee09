package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.hook.DelegationDecision;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunStatus;
import dev.chargehand.spi.IdSource;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The values of a request in a run that waits and goes on later, here or in another process. */
class RequestContextResumeTest {

    record User(String name, List<String> roles) {}

    private static final RequestContext.Key<User> USER = RequestContext.Key.of("user", User.class);
    private static final RequestContext.Key<String> TENANT = RequestContext.Key.of("tenant", String.class);
    private static final RequestContext.Key<Runnable> HANDLE = RequestContext.Key.transientOf("handle", Runnable.class);
    private static final Approver ANN = Approver.of("ann");

    private final List<String> seen = Collections.synchronizedList(new ArrayList<>());
    private final InMemoryStore store = InMemoryStore.keepingEndedRuns();

    private String values(RequestContext context) {
        return context.get(USER).map(User::name).orElse("nobody") + " of "
                + context.get(TENANT).orElse("nowhere")
                + (context.get(HANDLE).isPresent() ? " with handle" : "");
    }

    private Agent agent() {
        Tool act = Steps.approvedTool(
                "act", (in, ctx) -> Steps.noted(seen, "tool " + values(ctx.requestContext()), "done"));
        Agent worker = Crew.agent("worker", agent -> agent.instructionsFrom(context -> "Serve " + values(context) + ".")
                .toolsFrom(context -> context.get(USER).isPresent() ? List.of(act) : List.of()));
        return Agent.builder("boss")
                .instructionsFrom(context -> "Serve " + values(context) + ".")
                .modelFrom(context ->
                        ModelChoice.of("scripted/boss-" + context.get(TENANT).orElse("nowhere")))
                .agents(worker)
                .defaultOptions(o -> o.requestContext(RequestContext.of(TENANT, "default")))
                .build();
    }

    private static Script begins() {
        return Scripts.of(
                Turns.of("boss-acme", Turn.delegates("worker", "P")), Turns.of("worker", Turn.calls("act", "{}")));
    }

    private static Script ends() {
        return Scripts.of(Turns.saying("boss-acme", "Done"), Turns.saying("worker", "Worked"));
    }

    private TestRuntime runtime(Script script) {
        return TestRuntime.builder(script)
                .store(store)
                .ids(IdSource.secure())
                .unrecorded()
                .agents(agent())
                .build();
    }

    private static Consumer<RunOptions.Builder> given(boolean handle) {
        RequestContext stored =
                RequestContext.of(USER, new User("Ann", List.of("admin"))).with(TENANT, "acme");
        return o -> o.requestContext(handle ? stored.with(HANDLE, () -> {}) : stored);
    }

    @Test
    void storedValuesAreThereAgainAndWinOverThoseOfTheAgent() {
        PendingApproval approval;
        try (TestRuntime test = runtime(begins())) {
            RunResult waiting = test.agent("boss").generate("Go", given(false));
            assertThat(waiting.status()).isEqualTo(RunStatus.SUSPENDED);
            approval = waiting.pendingApprovals().getFirst();
        }
        Script script = ends();
        try (TestRuntime test = runtime(script)) {
            RunResult result = test.runtime().approve(approval, ANN).result();
            assertThat(result.text()).isEqualTo("Done");
        }
        assertThat(seen).containsExactly("tool Ann of acme");
        assertThat(Wire.lines(script.requestsOf("worker").getFirst()).getFirst())
                .isEqualTo("system: Serve Ann of acme.");
        assertThat(Wire.lines(script.requestsOf("boss-acme").getFirst()).getFirst())
                .isEqualTo("system: Serve Ann of acme.");
    }

    @Test
    void whatIsGivenWithTheAnswerWinsOverWhatIsStored() {
        PendingApproval approval;
        try (TestRuntime test = runtime(begins())) {
            approval = test.agent("boss")
                    .generate("Go", given(false))
                    .pendingApprovals()
                    .getFirst();
        }
        try (TestRuntime test = runtime(ends())) {
            test.runtime()
                    .answer(
                            approval,
                            ApprovalAnswer.approve(ANN),
                            o -> o.requestContext(RequestContext.of(USER, new User("Bob", List.of()))))
                    .result();
        }
        assertThat(seen).containsExactly("tool Bob of acme");
    }

    @Test
    void transientValuesMustBeGivenAgainInAnotherProcess() {
        PendingApproval approval;
        try (TestRuntime test = runtime(begins())) {
            approval = test.agent("boss")
                    .generate("Go", given(true))
                    .pendingApprovals()
                    .getFirst();
        }
        try (TestRuntime test = runtime(ends())) {
            Steps.assertMisconfigured(
                    () -> test.runtime().approve(approval, ANN).result(),
                    "transient values of the request that are not here: handle.");
            assertThat(seen).isEmpty();
            RunResult result = test.runtime()
                    .answer(
                            approval,
                            ApprovalAnswer.approve(ANN),
                            o -> o.requestContext(RequestContext.of(HANDLE, () -> {})))
                    .result();
            assertThat(result.text()).isEqualTo("Done");
        }
        assertThat(seen).containsExactly("tool Ann of acme with handle");
    }

    @Test
    void inTheSameProcessTheyAreStillThere() {
        Script both = Scripts.of(
                Turns.of("boss-acme", Turn.delegates("worker", "P"), Turn.says("Done")),
                Turns.of("worker", Turn.calls("act", "{}"), Turn.says("Worked")));
        try (TestRuntime test = runtime(both)) {
            RunResult waiting = test.agent("boss").generate("Go", given(true));
            RunResult result = test.runtime()
                    .approve(waiting.pendingApprovals().getFirst(), ANN)
                    .result();
            assertThat(result.text()).isEqualTo("Done");
        }
        assertThat(seen).containsExactly("tool Ann of acme with handle");
    }

    @Test
    void whatAHookGaveADelegationIsThereAgain() {
        Consumer<RunOptions.Builder> hook = o -> o.onDelegationStart(start -> DelegationDecision.proceed()
                .withRequestContext(RequestContext.of(USER, new User("Delegate", List.of()))));
        PendingApproval approval;
        try (TestRuntime test = runtime(begins())) {
            approval = test.agent("boss")
                    .generate("Go", given(false).andThen(hook))
                    .pendingApprovals()
                    .getFirst();
        }
        try (TestRuntime test = runtime(ends())) {
            test.runtime().answer(approval, ApprovalAnswer.approve(ANN), hook).result();
        }
        assertThat(seen).containsExactly("tool Delegate of acme");
    }
}
