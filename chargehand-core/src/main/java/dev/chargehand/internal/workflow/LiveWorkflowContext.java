package dev.chargehand.internal.workflow;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.scope.ArgumentDigest;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.Round;
import dev.chargehand.internal.state.WorkflowState;
import dev.chargehand.internal.state.value.MergePatch;
import dev.chargehand.json.Json;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.WorkflowContext;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** What the code of a workflow may know of the run; once a call is over, what its step still does with it is dropped. */
final class LiveWorkflowContext implements WorkflowContext {

    private final RunScope run;
    private final WorkflowState state;
    private final Place place;
    private final @Nullable CallState call;
    private final Json seen;
    private volatile boolean closed;
    private volatile @Nullable Json bailed;
    private volatile @Nullable Json question;
    private @Nullable Json patch;

    /**
     * Where the code stands.
     *
     * @param iteration from 1
     * @param item the index of an item, or -1
     */
    record Place(String entryId, int iteration, int item) {

        /** Return where a call stands. */
        static Place of(Round round, CallState call) {
            return new Place(round.planned().entry(), round.planned().iteration(), round.item(call.callId()));
        }
    }

    /**
     * Make the context of code.
     *
     * @param call the call of a step, or null for other code
     */
    LiveWorkflowContext(RunScope run, WorkflowState state, Place place, @Nullable CallState call) {
        this.run = run;
        this.state = state;
        this.place = place;
        this.call = call;
        this.seen = call == null ? state.shared() : state.sharing().seenBy(call.callId());
    }

    void close() {
        closed = true;
    }

    /** Return what the handler gave as the output of the workflow, if it bailed. */
    Optional<Json> bailed() {
        return Optional.ofNullable(bailed);
    }

    /** Return what the handler asks, if it suspends and has not bailed. */
    Optional<Json> question() {
        return bailed == null ? Optional.ofNullable(question) : Optional.empty();
    }

    /** Return the change of the shared state, or null for none. */
    synchronized @Nullable Json patch() {
        return patch;
    }

    private CallState ofStep(String what) {
        if (call == null) {
            throw new IllegalStateException(what + " is for the handler of a step; entry '" + place.entryId
                    + "' may call its conditions and maps again, so they have no effects.");
        }
        return call;
    }

    @Override
    public RunId runId() {
        return state.runId();
    }

    @Override
    public AgentPath path() {
        return state.path();
    }

    @Override
    public String tenantId() {
        return run.info().tenantId();
    }

    @Override
    public Optional<String> resourceId() {
        return run.info().resourceId();
    }

    @Override
    public String workflowId() {
        return state.agentId();
    }

    @Override
    public String entryId() {
        return place.entryId;
    }

    @Override
    public Optional<String> stepId() {
        return Optional.ofNullable(call).map(each -> each.call().name());
    }

    @Override
    public Optional<String> callId() {
        return Optional.ofNullable(call).map(CallState::callId);
    }

    @Override
    public String idempotencyKey() {
        CallState ours = ofStep("An idempotency key");
        Fact.CallOpened opened = Objects.requireNonNull(ours.opened());
        return ArgumentDigest.idempotencyKey(runId().value(), state.stepNumber(), ours.callId(), opened.digest());
    }

    @Override
    public int attempt() {
        return call == null ? 1 : call.attempt();
    }

    @Override
    public int iteration() {
        return place.iteration;
    }

    @Override
    public OptionalInt item() {
        return place.item < 0 ? OptionalInt.empty() : OptionalInt.of(place.item);
    }

    @Override
    public Json input() {
        return state.input();
    }

    @Override
    public <O> Optional<O> output(Step<?, O> step) {
        return state.output(step.id()).flatMap(step::read);
    }

    @Override
    public synchronized Json state() {
        return patch == null ? seen : MergePatch.applied(seen, patch);
    }

    @Override
    public void updateState(Object mergePatch) {
        CallState ignored = ofStep("A change of the shared state");
        Json more = Json.of(mergePatch); // which calls accessors of the application, so without the lock
        if (!more.isObject()) {
            throw new ConfigurationException("A change of the shared state is a JSON object, but this one is "
                    + more.text() + "; name the field that changes.");
        }
        synchronized (this) {
            patch = patch == null ? more : MergePatch.joined(seen, patch, more);
        }
    }

    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals") // what is returned is null
    public <T> @Nullable T suspend(@Nullable Object payload) {
        CallState ignored = ofStep("A question");
        question = readable(payload);
        return null;
    }

    @Override
    public Optional<Json> resumeData() {
        return Optional.ofNullable(call).map(CallState::answered).flatMap(answered -> answered.answer()
                .given());
    }

    @Override
    public Optional<Json> suspendPayload() {
        return Optional.ofNullable(call).map(CallState::answered).map(answered -> answered.question()
                .payload());
    }

    @Override
    public RequestContext requestContext() {
        return run.requestContext();
    }

    @Override
    public boolean isCancelled() {
        return closed || run.cancellation().isCancelled();
    }

    @Override
    public void emit(String name, @Nullable Object value) {
        run.emitData(state.stepNumber(), name, value, isCancelled());
    }

    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals") // what is returned is null
    public <T> @Nullable T bail(@Nullable Object output) {
        CallState ignored = ofStep("A bail");
        bailed = readable(output);
        return null;
    }

    /** What can be written and not read again would make the run unreadable: numbers of more than 1,000 digits, long names. */
    private static Json readable(@Nullable Object value) {
        return Json.parse(Json.of(value).text());
    }
}
