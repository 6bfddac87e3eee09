package dev.chargehand.internal.agent.act;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.ThreadLink;
import dev.chargehand.internal.scope.ArgumentDigest;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.State;
import dev.chargehand.json.Json;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import dev.chargehand.tool.ToolContext;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a tool may know of the call it serves; once the call is over, what the tool still emits is dropped. */
final class LiveToolContext implements ToolContext {

    private final RunScope run;
    private final State state;
    private final CallState call;
    private volatile boolean closed;
    private volatile @Nullable Json question;

    LiveToolContext(RunScope run, State state, CallState call) {
        this.run = run;
        this.state = state;
        this.call = call;
    }

    void close() {
        closed = true;
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
    public int step() {
        return state.stepNumber();
    }

    @Override
    public String callId() {
        return call.callId();
    }

    @Override
    public String idempotencyKey() {
        Fact.CallOpened opened = Objects.requireNonNull(call.opened());
        return ArgumentDigest.idempotencyKey(runId().value(), step(), callId(), opened.digest());
    }

    @Override
    public RequestContext requestContext() {
        return run.requestContext();
    }

    @Override
    public String tenantId() {
        return run.info().tenantId();
    }

    @Override
    public Optional<String> threadId() {
        return Optional.ofNullable(state.started().thread()).map(ThreadLink::id);
    }

    @Override
    public Optional<String> resourceId() {
        return run.info().resourceId();
    }

    @Override
    public boolean isCancelled() {
        return closed || run.cancellation().isCancelled();
    }

    @Override
    public @Nullable Object suspend(@Nullable Object payload) {
        question = Json.parse(Json.of(payload).text()); // what cannot be read again would make the run unreadable
        return null;
    }

    /** Return what the tool asked, if it asked for data. */
    Optional<Json> question() {
        return Optional.ofNullable(question);
    }

    @Override
    public Optional<Json> providedData() {
        return Optional.ofNullable(call.decided()).flatMap(Fact.CallDecided::given);
    }

    @Override
    public void emit(String name, @Nullable Object value) {
        run.emitData(step(), name, value, isCancelled());
    }
}
