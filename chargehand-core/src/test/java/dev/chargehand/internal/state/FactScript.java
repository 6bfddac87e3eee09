package dev.chargehand.internal.state;

import dev.chargehand.approval.WaitKind;
import dev.chargehand.internal.fact.CallAnswer;
import dev.chargehand.internal.fact.CallKind;
import dev.chargehand.internal.fact.ChildEnd;
import dev.chargehand.internal.fact.ChildLink;
import dev.chargehand.internal.fact.ChildVerdict;
import dev.chargehand.internal.fact.ClosedCalls;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.RequestedCall;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.fact.task.Background;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.model.FinishReason;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.ForkOrigin;
import dev.chargehand.run.ProcessorPhase;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The facts of the run {@code run_1}, written as words such as {@code calls a b; open a; close a} so that a row of a
 * table can hold them.
 *
 * <p>Each fact happens one second after the one before it. Every answer of the model uses 10 input tokens, 5 output
 * tokens and the cost 0.5. A call is named after its id; an id such as {@code agent-x#2} is the second call of {@code
 * agent-x}.
 *
 * <ul>
 *   <li>{@code calls IDS} and {@code answer TEXT}: the model answers; {@code cut TEXT}: its answer is cut at its limit;
 *       {@code cut-calls IDS}: so is one with calls; {@code attempts NUMBER}: the next answer took as many
 *   <li>{@code open}, {@code park} (for approval), {@code ask} (for data), {@code approve}, {@code decline},
 *       {@code give}, {@code close}, {@code fail} with the id of a call; {@code bail ID PLACE}, {@code praise ID TEXT}
 *   <li>{@code over}, {@code over finished}, {@code over last}, {@code over feedback TEXT}: the step is decided
 *   <li>{@code pass TEXT}, {@code withhold}, {@code refuse}: what processors do to an answer
 *   <li>{@code suspend}, {@code resume}, {@code said TEXT}, {@code stop TEXT}: the run waits, goes on, is told more, is
 *       cancelled
 *   <li>{@code wait SECONDS}: no fact; time passes
 * </ul>
 */
public final class FactScript {

    /** When the run was started. */
    public static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    /** For how long a call waits for an answer. */
    public static final Duration PATIENCE = Duration.ofSeconds(100);

    private static final RunId RUN = new RunId("run_1");

    private final List<Fact> facts = new ArrayList<>();
    private ConversationState state;
    private Instant now = START;
    private int attempts = 1;

    private FactScript(@Nullable ForkOrigin fork) {
        Fact.Started started = new Fact.Started(
                "lead",
                null,
                AgentPath.root("lead"),
                RUN,
                null,
                null,
                null,
                null,
                List.of(),
                List.of(Message.user("Go")),
                null,
                OptionValues.DEFAULT,
                List.of(),
                Map.of(),
                null,
                fork,
                null,
                false,
                null,
                Background.NONE,
                START);
        facts.add(started);
        state = State.of(RUN, started, List.of()).conversation();
    }

    /** Plays the facts of a run. */
    public static FactScript of(@Nullable String words) {
        return new FactScript(null).play(words);
    }

    /** Plays the facts of a fork that has some steps of another run. */
    static FactScript ofFork(int copiedSteps, @Nullable String words) {
        return new FactScript(new ForkOrigin(new RunId("run_0"), copiedSteps, List.of())).play(words);
    }

    /** Returns the state after all facts. */
    public ConversationState state() {
        return state;
    }

    /** Returns the last fact. */
    Fact last() {
        return facts.getLast();
    }

    private FactScript play(@Nullable String words) {
        if (words != null) {
            Arrays.stream(words.split(";")).map(String::strip).forEach(this::fact);
        }
        return this;
    }

    private void fact(String words) {
        String[] parts = words.split(" ", 2);
        String rest = parts.length == 1 ? "" : parts[1];
        if (parts[0].equals("wait")) {
            now = now.plusSeconds(Long.parseLong(rest));
        } else if (parts[0].equals("attempts")) {
            attempts = Integer.parseInt(rest);
        } else {
            now = now.plusSeconds(1);
            Fact next = fact(parts[0], rest);
            state = state.after(next);
            facts.add(next);
        }
    }

    private Fact fact(String word, String rest) {
        return switch (word) {
            case "start" -> facts.getFirst();
            case "answer" -> answered(rest, FinishReason.STOP);
            case "calls" -> answered("", FinishReason.TOOL_CALLS, rest.split(" "));
            case "cut" -> answered(rest, FinishReason.LENGTH);
            case "cut-calls" -> answered("", FinishReason.LENGTH, rest.split(" "));
            case "open" -> new Fact.CallOpened(rest, CallKind.UNSAFE, "digest", child(rest), now);
            case "park" -> parked(rest, WaitKind.APPROVAL);
            case "ask" -> parked(rest, WaitKind.DATA);
            case "approve" -> decided(rest, CallAnswer.APPROVED);
            case "decline" -> decided(rest, CallAnswer.DECLINED);
            case "give" -> decided(rest, CallAnswer.DATA);
            case "close" -> closed(rest, null);
            case "bail" -> closed(first(rest), new ChildVerdict(Integer.valueOf(second(rest)), null, null));
            case "praise" -> closed(first(rest), new ChildVerdict(null, null, second(rest)));
            case "fail" -> ClosedCalls.failed(rest, "It broke.", null, now);
            case "over" -> over(rest);
            case "pass" -> processed(null, false, false, rest);
            case "withhold" -> processed(null, false, true, null);
            case "refuse" ->
                processed(
                        new StopReason.Tripwire("check", ProcessorPhase.OUTPUT_STEP, "Not so.", null),
                        true,
                        false,
                        null);
            case "suspend" -> new Fact.Suspended(now.plus(PATIENCE), now);
            case "resume" -> new Fact.Resumed("owner", 2, now);
            case "said" -> new Fact.Said(state.steps().size(), List.of(Message.user(rest)), now);
            case "stop" -> new Fact.Stopped(new StopReason.Cancelled("caller"), rest, Spending.NOTHING, now);
            default -> throw new IllegalArgumentException("No such word: " + word);
        };
    }

    private static String first(String words) {
        return words.split(" ", 2)[0];
    }

    private static String second(String words) {
        return words.split(" ", 2)[1];
    }

    private Fact answered(String text, FinishReason finish, String... calls) {
        int took = attempts;
        attempts = 1;
        return new Fact.Answered(
                state.stepNumber(),
                "none/none",
                text,
                "",
                Arrays.stream(calls)
                        .map(id -> new RequestedCall(id, null, id.split("#", -1)[0], "{}"))
                        .toList(),
                finish,
                Usage.of(10, 5),
                took,
                new BigDecimal("0.5"),
                null,
                null,
                now,
                now);
    }

    private static @Nullable ChildLink child(String callId) {
        return callId.startsWith(CallState.AGENT_PREFIX)
                ? new ChildLink(new RunId("run_" + callId), agent(callId), null, null, "Do it", null, null, null, null)
                : null;
    }

    private static String agent(String callId) {
        return callId.substring(CallState.AGENT_PREFIX.length()).split("#", -1)[0];
    }

    private Fact parked(String callId, WaitKind kind) {
        return new Fact.CallParked(callId, 1, kind, "digest", null, null, null, null, now.plus(PATIENCE), now);
    }

    private Fact decided(String callId, CallAnswer answer) {
        return new Fact.CallDecided(callId, 1, answer, "ann", null, null, null, null, now);
    }

    private Fact closed(String callId, @Nullable ChildVerdict verdict) {
        ChildEnd end = callId.startsWith(CallState.AGENT_PREFIX) ? childEnd(callId) : null;
        return new Fact.CallClosed(callId, Json.of("did " + callId), null, null, null, null, end, verdict, null, now);
    }

    /** A delegation has used up one model call with 3 tokens in and 2 out, and two tool calls. */
    private static ChildEnd childEnd(String callId) {
        Map<String, Usage> usage = Map.of(agent(callId), Usage.of(3, 2));
        return new ChildEnd(
                new RunId("run_" + callId),
                agent(callId),
                RunStatus.COMPLETED,
                new StopReason.Finished(),
                "did " + callId,
                new Spending(1, 2, 7, BigDecimal.ONE, usage));
    }

    private Fact over(String how) {
        StopReason stop =
                switch (first(how)) {
                    case "finished" -> new StopReason.Finished();
                    case "bailed" -> new StopReason.Bailed(agent(second(how)), second(how), null);
                    default -> null;
                };
        StopReason last = how.equals("last") ? new StopReason.StoppedByHook() : null;
        List<String> feedback = first(how).equals("feedback") ? List.of(second(how)) : List.of();
        return new Fact.StepClosed(
                state.stepNumber(),
                stop,
                last,
                null,
                feedback,
                null,
                false,
                Spending.NOTHING,
                null,
                null,
                List.of(),
                now);
    }

    private Fact processed(
            StopReason.@Nullable Tripwire trip, boolean retry, boolean withheld, @Nullable String answer) {
        return new Fact.Processed(state.stepNumber(), trip, retry, withheld, answer, Spending.NOTHING, now);
    }
}
