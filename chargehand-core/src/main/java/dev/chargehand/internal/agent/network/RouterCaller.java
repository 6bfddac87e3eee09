package dev.chargehand.internal.agent.network;

import dev.chargehand.event.RunEvent;
import dev.chargehand.internal.agent.model.ModelCaller;
import dev.chargehand.internal.agent.model.ModelFailedException;
import dev.chargehand.internal.agent.model.StepRequest;
import dev.chargehand.internal.event.AnswerEvents;
import dev.chargehand.internal.event.RunEvents;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.RequestedCall;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.StepState;
import dev.chargehand.internal.state.value.RoutingDecision;
import dev.chargehand.internal.text.Excerpt;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.Limit;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Gets the decision of a network's router, and makes the call of it that it stands for.
 *
 * <p>What is not a decision is returned once. Both answers are stored as one, with what both used. Used once.
 */
final class RouterCaller {

    /** The code of a run that failed because its router made no decision, and of an answer that is returned for it. */
    private static final String INVALID = "invalid-decision";

    private final RunScope run;
    private final ConversationState state;
    private final StepRequest asked;
    private final Router router;
    private final Instant startedAt;
    private int attempts;
    private BigDecimal cost = BigDecimal.ZERO;
    private Usage usage = Usage.NONE;
    private long characters;

    RouterCaller(RunScope run, ConversationState state, StepRequest asked) {
        this.run = run;
        this.state = state;
        this.asked = asked;
        this.router = new Router(run.toolbox().offered(asked.offered()));
        this.startedAt = run.now();
    }

    /**
     * Return the decision as an answer that calls what it chooses, or why the run ends without one.
     *
     * @throws ModelFailedException if no model answered
     */
    Fact decide() {
        ModelCaller.CallResult first = ask(asked.request());
        if (first.answer() == null) {
            return stopped(first.stop());
        }
        Router.Read read = router.read(run, first.answer().text());
        if (!isInvalid(first.answer(), read)) {
            return answered(first, read.decision());
        }
        emitRetry(first);
        ModelCaller.CallResult second;
        try {
            second = ask(again(first.answer(), String.valueOf(read.problem())));
        } catch (ModelFailedException e) {
            attempts += e.attempts();
            return stopped(run.root().redactor().failure(e.failure()));
        }
        if (second.answer() == null) {
            return stopped(second.stop());
        }
        read = router.read(run, second.answer().text());
        return isInvalid(second.answer(), read)
                ? stopped(failure(String.valueOf(read.problem())))
                : answered(second, read.decision());
    }

    /** An answer that was cut is no wrong decision: it ends the run for its own reason. */
    private static boolean isInvalid(ModelResponse answer, Router.Read read) {
        return read.decision() == null && answer.finish().isComplete();
    }

    private ModelCaller.CallResult ask(ModelRequest request) {
        RunEvents silent =
                new RunEvents(null, run.events().runId(), run.events().path());
        ModelCaller asking = new ModelCaller(
                run,
                attempt ->
                        new AnswerEvents(silent, run.root().time(), run.root().ids(), state.stepNumber(), attempt),
                (attempt, model, failure, wait) -> emitRetry(attempts + attempt, model.name(), failure.code(), wait));
        try {
            ModelCaller.CallResult made = asking.ask(request, asked.models());
            attempts += made.attempts();
            cost = cost.add(made.cost());
            if (made.answer() != null) {
                usage = usage.plus(made.answer().usage());
                characters += (long) made.answer().text().length()
                        + made.answer().reasoning().length();
            }
            return made;
        } catch (ModelFailedException e) {
            throw new ModelFailedException(e.failure(), "", e.attempts()); // half a decision is nobody's text
        }
    }

    private ModelRequest again(ModelResponse wrong, String problem) {
        List<Message> messages = new ArrayList<>(asked.request().messages());
        if (!wrong.text().isBlank()) {
            messages.add(Message.assistant(wrong.text()));
        }
        messages.add(Message.user(Router.feedback(Excerpt.within(problem, run.limit(Limit.TOOL_RESULT_BYTES)))));
        return asked.request().withMessages(messages);
    }

    private void emitRetry(ModelCaller.CallResult first) {
        emitRetry(attempts, first.model(), INVALID, Duration.ZERO);
    }

    private void emitRetry(int attempt, String model, String code, Duration wait) {
        run.events().emit(state.stepNumber(), o -> new RunEvent.StepRetry(o, attempt, model, code, wait));
    }

    private StopReason failure(String problem) {
        String message = "The router of network '" + state.agentId() + "' made no decision, twice in a row: "
                + run.root().redactor().redact(problem);
        return new StopReason.Failed(INVALID, message, false);
    }

    private Fact.Stopped stopped(@Nullable StopReason reason) {
        Map<String, Usage> byAgent = usage.equals(Usage.NONE) ? Map.of() : Map.of(state.agentId(), usage);
        return new Fact.Stopped(
                Objects.requireNonNull(reason), "", new Spending(attempts, 0, characters, cost, byAgent), run.now());
    }

    private Fact.Answered answered(ModelCaller.CallResult made, @Nullable RoutingDecision decision) {
        ModelResponse answer = Objects.requireNonNull(made.answer());
        boolean complete = answer.finish().isComplete();
        RoutingDecision decided = decision == null || !complete ? null : spokenOut(decision);
        return new Fact.Answered(
                state.stepNumber(),
                made.model(),
                decided == null ? "" : decided.toJson().text(),
                answer.reasoning(),
                decided == null ? List.of() : calls(decided),
                answer.finish(),
                usage,
                attempts,
                cost,
                asked.offered(),
                null, // what a provider wants back belongs to an answer that is no longer there
                startedAt,
                run.now());
    }

    private List<RequestedCall> calls(RoutingDecision decision) {
        return router.chosen(decision).stream()
                .map(chosen -> new ModelResponse.RequestedCall(
                        null, chosen.definition().name(), chosen.argumentsFor(decision.prompt())))
                .map(call -> new RequestedCall(run.root().ids().next("call_"), null, call.name(), call.arguments()))
                .toList();
    }

    /** A router that says that nothing is left to be done, and nothing else, means what was found last. */
    private RoutingDecision spokenOut(RoutingDecision decision) {
        if (!decision.isAnswer() || !decision.prompt().isBlank()) {
            return decision;
        }
        return decision.withPrompt(state.steps().reversed().stream()
                .map(StepState::text)
                .filter(text -> !text.isBlank())
                .findFirst()
                .orElse(decision.selectionReason()));
    }
}
