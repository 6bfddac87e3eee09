package dev.chargehand.testkit.replay;

import dev.chargehand.AgentRuntime;
import dev.chargehand.completion.CompletionResult;
import dev.chargehand.error.ModelException;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.StepState;
import dev.chargehand.internal.state.Transcript;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelDelta;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.store.Store;
import dev.chargehand.tool.ToolContext;
import dev.chargehand.tool.ToolFailureException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Returns recorded answers to equal requests: the models and tools of one replay. Thread-safe. */
final class Playback {

    private final Store store;
    private final Tracks tracks;
    private final Checks checks;
    private final Closings closings;
    private final Supplier<AgentRuntime> runtime;
    private final List<ReplayMismatchException> mismatches = new CopyOnWriteArrayList<>();

    Playback(Recording recording, Store store, Tracks tracks, Closings closings, Supplier<AgentRuntime> runtime) {
        this.store = store;
        this.tracks = tracks;
        this.checks = new Checks(recording);
        this.closings = closings;
        this.runtime = runtime;
    }

    /** Return the first difference that was met, if there was one. */
    Optional<ReplayMismatchException> mismatch() {
        return mismatches.stream().findFirst();
    }

    /** Answer as the model of a name did. */
    ModelResponse answer(String model, ModelRequest request, ModelCall call) throws InterruptedException {
        try {
            Track played = asking(request);
            Track recorded = tracks.recordedFor(played);
            int step = played.end().stepNumber();
            if (Transcript.isCheck(request.messages().getLast())) {
                return verdict(recorded, step);
            }
            Fact.Answered answer = recorded.answer(step).orElse(null);
            if (answer == null) {
                return endedInstead(played, recorded, step, call);
            }
            if (!answer.model().equals(model)) {
                throw new ModelException(
                        ModelException.Kind.OVERLOADED, false, null, "It was not this model that answered.", null);
            }
            checks.check(played, recorded, answer, request);
            if (step == recorded.steps().size() && recorded.end().stop() != null) {
                awaitTurn(played);
            }
            return play(answer, call);
        } catch (ReplayMismatchException e) {
            mismatches.add(e);
            throw e;
        }
    }

    /** Say what the check of a network said after a step. */
    private static ModelResponse verdict(Track recorded, int step) {
        Fact.StepClosed closed = recorded.steps().stream()
                .filter(each -> each.number() == step)
                .map(StepState::closed)
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow(() -> new ReplayMismatchException(
                        "What the check of '" + recorded.record().path() + "' said after step " + step
                                + " is not stored: the run was ended before."));
        CompletionResult completion = Objects.requireNonNull(closed.completion());
        String answer = closed.answer();
        Json said = Json.of(Map.of(
                "isComplete", completion.complete(),
                "completionReason", completion.scorers().getFirst().reason(),
                "finalResult", answer == null ? "" : answer));
        return new ModelResponse(
                said.text(), "", List.of(), FinishReason.STOP, closed.judged().usageOf(Spending.SCORERS));
    }

    private Track asking(ModelRequest request) {
        return request.messages().reversed().stream()
                .map(Message::id)
                .map(RunIds::ofMessage)
                .filter(id -> !id.isEmpty())
                .findFirst()
                .flatMap(id -> store.find(new RunId(id)))
                .map(run -> tracks.played(run.runId()))
                .orElseThrow(() ->
                        new ReplayMismatchException("A model call does not belong to a step of a run; a judge made it,"
                                + " for example. Answers to judges are not stored: give the replay a scorer without a"
                                + " model, or a model for it."));
    }

    private static ModelResponse play(Fact.Answered answer, ModelCall call) {
        if (!answer.reasoning().isEmpty()) {
            call.delta(new ModelDelta.Reasoning(answer.reasoning()));
        }
        if (!answer.text().isEmpty()) {
            call.delta(new ModelDelta.Text(answer.text()));
        }
        for (int i = 0; i < answer.calls().size(); i++) {
            call.delta(new ModelDelta.ToolCallStart(i, answer.calls().get(i).name()));
            call.delta(new ModelDelta.ToolCallArguments(i, answer.calls().get(i).arguments()));
            call.delta(new ModelDelta.ToolCallEnd(i));
        }
        return new ModelResponse(
                answer.text(),
                answer.reasoning(),
                answer.calls().stream()
                        .map(made -> new ModelResponse.RequestedCall(made.providerId(), made.name(), made.arguments()))
                        .toList(),
                answer.finish(),
                answer.usage(),
                answer.providerState());
    }

    /** The recorded run ended in this step without an answer: so does this one. */
    private ModelResponse endedInstead(Track played, Track recorded, int step, ModelCall call)
            throws InterruptedException {
        StopReason stop = recorded.end().stop();
        if (!recorded.end().partialText().isEmpty()) {
            call.delta(new ModelDelta.Text(recorded.end().partialText()));
        }
        if (stop instanceof StopReason.Failed failed && failed.error().equals("invalid-decision")) {
            return new ModelResponse("", "", List.of(), FinishReason.STOP, Usage.NONE);
        }
        if (stop instanceof StopReason.Failed failed && kindOf(failed.error()).isPresent()) {
            throw new ModelException(kindOf(failed.error()).get(), failed.retryable(), null, failed.message(), null);
        }
        if (stop instanceof StopReason.Cancelled) {
            CountDownLatch cancelled = new CountDownLatch(1);
            call.onCancel(cancelled::countDown);
            if (tracks.root().end().stop() instanceof StopReason.Cancelled) {
                RunId root = played.record().rootRunId();
                Thread.ofVirtual().start(() -> runtime.get().cancel(root));
            }
            cancelled.await();
            throw new InterruptedException("the recorded run was cancelled here");
        }
        throw new ReplayMismatchException("The model of '" + recorded.record().path() + "' is asked for step " + step
                + ", but the recorded run " + recorded.runId() + " had "
                + recorded.steps().size() + " and "
                + (stop == null ? "had not ended" : "ended with '" + stop.code() + "'") + ".");
    }

    private static Optional<ModelException.Kind> kindOf(String code) {
        return Arrays.stream(ModelException.Kind.values())
                .filter(kind -> code.equals(
                        "model-" + kind.name().toLowerCase(Locale.ROOT).replace('_', '-')))
                .findFirst();
    }

    /** Give what a call of a tool gave. */
    @Nullable
    Object result(ToolContext context) throws InterruptedException {
        try {
            Track played = tracks.played(context.runId());
            Track recorded = tracks.recordedFor(played);
            Track.Place place = Tracks.placeIn(played, context.callId());
            CallState call = recorded.call(place)
                    .orElseThrow(() -> new ReplayMismatchException(
                            "There is no " + place + " in the recorded run " + recorded.runId() + "."));
            int asked = played.questions(context.callId()).size();
            List<Fact.CallParked> questions = recorded.questions(call.callId());
            if (asked < questions.size()) {
                return context.suspend(questions.get(asked).payload());
            }
            Fact.CallClosed closed = call.closed();
            if (closed == null) {
                throw new ReplayMismatchException("The " + place + " of the recorded run " + recorded.runId() + " of '"
                        + recorded.record().path() + "' has no result.");
            }
            awaitEarlier(played, recorded, place);
            if (closed.error() != null) {
                throw new ToolFailureException(closed.error());
            }
            return closed.output() == null ? Json.of(null) : closed.output();
        } catch (ReplayMismatchException e) {
            mismatches.add(e);
            throw e;
        }
    }

    private void awaitTurn(Track played) throws InterruptedException {
        RunId parentId = played.record().parentRunId().orElse(null);
        String callId = played.record().parentCallId().orElse(null);
        if (parentId != null && callId != null) {
            Track parent = tracks.played(parentId);
            awaitEarlier(parent, tracks.recordedFor(parent), Tracks.placeIn(parent, callId));
        }
    }

    private void awaitEarlier(Track played, Track recorded, Track.Place place) throws InterruptedException {
        List<String> earlier = recorded.overBefore(place).stream()
                .map(played::call)
                .flatMap(Optional::stream)
                .map(CallState::callId)
                .toList();
        closings.await(earlier);
    }
}
