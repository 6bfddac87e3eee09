package dev.chargehand.server.internal.wire.mastra;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.event.DelegatedCall;
import dev.chargehand.event.Origin;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.server.internal.wire.Frame;
import dev.chargehand.server.internal.wire.RecordedRuns;
import dev.chargehand.server.internal.wire.RecordedRuns.Recorded;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Chunks of Mastra for recorded events, whole and cut after each of them. */
class MastraEncoderTest {

    static List<Recorded> runs() {
        return RecordedRuns.agents();
    }

    private static List<Json> chunks(Recorded run, List<RunEvent> events) {
        MastraEncoder encoder = new MastraEncoder(run.root(), List.of(), List.of());
        List<Frame> frames = new ArrayList<>();
        events.forEach(event -> frames.addAll(encoder.encode(event)));
        frames.addAll(encoder.released());
        assertThat(frames).last().isEqualTo(Frame.DONE);
        assertThat(frames).filteredOn(Frame.DONE::equals).hasSize(1);
        return frames.subList(0, frames.size() - 1).stream()
                .map(frame -> Json.parse(frame.text().substring("data: ".length())))
                .toList();
    }

    private static String text(Json chunk, String pointer) {
        return chunk.at(pointer).flatMap(Json::string).orElse("");
    }

    @ParameterizedTest
    @MethodSource("runs")
    void aStreamEndsWithTheMarkWhereverItIsCut(Recorded run) {
        for (int i = 0; i <= run.live().size(); i++) {
            List<Json> chunks = chunks(run, run.live().subList(0, i));
            assertThat(chunks).allSatisfy(chunk -> {
                assertThat(text(chunk, "/runId")).isEqualTo(run.root().value());
                assertThat(text(chunk, "/from")).isEqualTo("AGENT");
            });
        }
    }

    @ParameterizedTest
    @MethodSource("runs")
    void aResultFollowsItsCallAtEveryLevel(Recorded run) {
        Set<String> calls = new HashSet<>();
        for (Json chunk : chunks(run, run.live())) {
            Json inner = chunk;
            for (Optional<Json> next = inner.at("/payload/output/type"); next.isPresent(); ) {
                assertThat(calls).contains(text(inner, "/payload/toolCallId"));
                inner = inner.at("/payload/output").orElseThrow();
                next = inner.at("/payload/output/type");
            }
            String id = text(inner, "/payload/toolCallId");
            switch (text(inner, "/type")) {
                case "tool-call" -> calls.add(id);
                case "tool-result", "tool-error", "tool-call-approval" ->
                    assertThat(calls).contains(id);
                default -> {}
            }
        }
    }

    @ParameterizedTest
    @MethodSource("runs")
    void stepsAndEndsHaveWhatTheClientDeclares(Recorded run) {
        List<RunEvent> events = new ArrayList<>(run.live());
        Origin origin = events.getFirst().origin();
        events.add(1, new RunEvent.StepFinish(origin, "model-authentication", 0, Usage.NONE, Duration.ZERO));
        Set<String> types = new HashSet<>();
        for (Json chunk : chunks(run, events)) {
            types.add(text(chunk, "/type"));
            switch (text(chunk, "/type")) {
                case "step-start" -> assertThat(chunk.at("/payload/request")).isPresent();
                case "step-finish" -> {
                    assertThat(chunk.at("/payload/metadata")).isPresent();
                    assertThat(text(chunk, "/payload/stepResult/reason"))
                            .isIn("stop", "length", "content-filter", "tool-calls", "error", "other", "unknown");
                }
                case "finish" -> {
                    assertThat(chunk.at("/payload/messages/nonUser")).isPresent();
                    assertThat(chunk.at("/payload/metadata/stopReason")).isPresent();
                }
                default -> {}
            }
        }
        assertThat(types).contains("step-finish"); // a reader may miss a start
    }

    private static final Origin ROOT = new Origin(new RunId("r-1"), AgentPath.root("lead"), 1, Instant.EPOCH);
    private static final Origin NESTED =
            new Origin(new RunId("r-2"), AgentPath.parse("lead/pricing"), 1, Instant.EPOCH);

    private static PendingApproval pending(Origin origin, String callId) {
        return PendingApproval.builder(PendingApproval.Kind.APPROVAL, origin.runId(), callId, "pay", Json.of(Map.of()))
                .rootRunId(ROOT.runId())
                .waitNumber(1)
                .build();
    }

    private static List<RunEvent> answered(String callId) {
        return List.of(
                new RunEvent.ToolCallAnswered(ROOT, callId, "pay", "approved", "ann", null, null),
                new RunEvent.ToolResult(ROOT, callId, "pay", Json.of("paid"), Duration.ZERO));
    }

    private static List<String> sent(MastraEncoder encoder, List<RunEvent> events) {
        return events.stream()
                .flatMap(event -> encoder.encode(event).stream())
                .map(frame -> Json.parse(frame.text().substring("data: ".length())))
                .map(chunk -> text(chunk, "/type") + " " + text(chunk, "/payload/toolCallId"))
                .toList();
    }

    @Test
    void eachCallThatARequestHasAnsweredIsSentBeforeItsResult() {
        List<RunEvent> events = new ArrayList<>();
        for (String call : List.of("a", "b")) {
            events.add(new RunEvent.ToolCall(ROOT, call, "pay", "{}"));
        }
        events.addAll(answered("a"));
        events.addAll(answered("b"));
        List<PendingApproval> calls = List.of(pending(ROOT, "a"), pending(ROOT, "b"));
        assertThat(sent(new MastraEncoder(ROOT.runId(), calls, List.of()), events))
                .containsSubsequence("tool-call a", "tool-result a", "tool-call b", "tool-result b");
    }

    @Test
    void aCallOfASubAgentThatWaitedBeforeTheAnswerIsNotSentAgain() {
        DelegatedCall call = new DelegatedCall("d", "clerk", "clerk", null, NESTED.runId());
        List<RunEvent> events = List.of(
                new RunEvent.ToolCall(ROOT, "d", "agent-clerk", "{}"),
                new RunEvent.DelegationStart(ROOT, call, "Pay."),
                new RunEvent.ToolCallApproval(NESTED, pending(NESTED, "n")));
        assertThat(sent(new MastraEncoder(ROOT.runId(), List.of(pending(ROOT, "a")), List.of()), events))
                .isEmpty();
    }

    /** The run has ended before its client has executed it, and no call of it is in this stream. */
    @Test
    void theErrorOfACallThatTheClientWasToExecuteIsNotSentAlone() {
        PendingApproval locate = PendingApproval.builder(
                        PendingApproval.Kind.DATA, ROOT.runId(), "c", "locate", Json.of(Map.of()))
                .rootRunId(ROOT.runId())
                .waitNumber(1)
                .payload(PendingApproval.EXTERNAL)
                .build();
        List<RunEvent> events = new ArrayList<>(List.of(
                new RunEvent.ToolCall(ROOT, "a", "pay", "{}"),
                new RunEvent.ToolCall(ROOT, "c", "locate", "{}"),
                new RunEvent.ToolCallSuspended(ROOT, locate)));
        events.addAll(answered("a"));
        events.add(new RunEvent.ToolError(ROOT, "c", "locate", "It was not executed.", null, Duration.ZERO));
        assertThat(sent(new MastraEncoder(ROOT.runId(), List.of(pending(ROOT, "a")), List.of()), events))
                .contains("tool-result a")
                .noneMatch(chunk -> chunk.endsWith(" c"));
    }

    /** A sub-agent may work while another call waits. */
    @Test
    void whatHadStartedBeforeTheAnswerStartsAgainAfterIt() {
        DelegatedCall call = new DelegatedCall("d", "clerk", "clerk", null, NESTED.runId());
        List<RunEvent> events = List.of(
                new RunEvent.ToolCall(ROOT, "a", "pay", "{}"),
                new RunEvent.ToolCall(ROOT, "d", "agent-clerk", "{}"),
                new RunEvent.DelegationStart(ROOT, call, "Pay."),
                new RunEvent.ToolCallApproval(ROOT, pending(ROOT, "a")),
                new RunEvent.ReasoningStart(NESTED, "r"),
                new RunEvent.ReasoningDelta(NESTED, "r", "One"),
                new RunEvent.TextDelta(NESTED, "t", "One"),
                new RunEvent.ToolCallAnswered(ROOT, "a", "pay", "approved", "ann", null, null),
                new RunEvent.ReasoningDelta(NESTED, "r", " two"),
                new RunEvent.ReasoningEnd(NESTED, "r", Duration.ZERO),
                new RunEvent.TextDelta(NESTED, "t", " two"),
                new RunEvent.UsageReport(NESTED, "m", Usage.NONE, 1));
        MastraEncoder encoder = new MastraEncoder(ROOT.runId(), List.of(pending(ROOT, "a")), List.of());
        assertThat(events.stream()
                        .flatMap(event -> encoder.encode(event).stream())
                        .map(frame -> Json.parse(frame.text().substring("data: ".length())))
                        .map(chunk -> text(chunk, "/payload/output/type") + text(chunk, "/payload/output/payload/text"))
                        .filter(said -> said.startsWith("text") || said.startsWith("reasoning")))
                .containsExactly(
                        "reasoning-start",
                        "reasoning-delta two",
                        "reasoning-end",
                        "text-start",
                        "text-delta two",
                        "text-end");
    }

    /** No event says which call has started it. */
    @Test
    void whatAWorkflowSaysIsNoTextOfTheAgent() {
        StopReason reason = new StopReason.Finished();
        List<RunEvent> events = List.of(
                new RunEvent.RunStart(NESTED, "pricing", "pricing", ROOT.runId(), null, null, null),
                new RunEvent.ToolCallApproval(NESTED, pending(NESTED, "n")),
                new RunEvent.RunFinish(NESTED, reason.status(), reason, "500", Usage.NONE, Duration.ZERO, List.of()));
        assertThat(sent(new MastraEncoder(ROOT.runId(), List.of(), List.of()), events))
                .containsExactly("tool-call-approval n");
    }
}
