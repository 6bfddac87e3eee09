package dev.chargehand.internal.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.approval.WaitKind;
import dev.chargehand.completion.CompletionResult;
import dev.chargehand.completion.ScorerResult;
import dev.chargehand.error.StoreException;
import dev.chargehand.internal.fact.CallAnswer;
import dev.chargehand.internal.fact.CallKind;
import dev.chargehand.internal.fact.ChildEnd;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.Refusal;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.fact.ThreadLink;
import dev.chargehand.internal.fact.task.Background;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.model.FinishReason;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.ForkOrigin;
import dev.chargehand.run.ObjectResult;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.store.FactEntry;
import dev.chargehand.thread.ThreadOwner;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A damaged fact is refused, never guessed at. */
class FactCodecTest {

    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");
    private static final Pattern TEXT = Pattern.compile("\"(\\w+)\":(\"[^\"]*\")");

    /** Facts without anything that may be null, so that every text of theirs is needed. */
    static Stream<Fact> facts() {
        return Stream.of(
                new Fact.Suspended(AT, AT),
                new Fact.Resumed("owner", 2, AT),
                new Fact.CallParked("call", 1, WaitKind.APPROVAL, "digest", null, null, null, null, AT, AT),
                new Fact.CallDecided("call", 1, CallAnswer.APPROVED, null, null, null, null, null, AT),
                new Fact.Answered(
                        1,
                        "a/b",
                        "text",
                        "reasoning",
                        List.of(),
                        FinishReason.STOP,
                        new Usage(1, 2, 3, 4),
                        1,
                        BigDecimal.ONE,
                        null,
                        null,
                        AT,
                        AT),
                new Fact.CallOpened("call", CallKind.UNSAFE, "digest", null, AT),
                new Fact.CallClosed(
                        "call", null, null, null, null, new Refusal(null, null, "No."), null, null, null, AT),
                new Fact.CallClosed(
                        "call",
                        null,
                        null,
                        null,
                        null,
                        null,
                        new ChildEnd(
                                new RunId("run"),
                                "agent",
                                RunStatus.ABORTED,
                                new StopReason.Cancelled("caller"),
                                "",
                                Spending.NOTHING),
                        null,
                        null,
                        AT),
                new Fact.StepClosed(
                        1, null, null, null, List.of(), null, false, Spending.NOTHING, null, null, List.of(), AT),
                new Fact.Stopped(new StopReason.Cancelled("caller"), "", Spending.NOTHING, AT));
    }

    static Stream<Fact> factsThatMayLackParts() {
        return Stream.of(
                new Fact.Started(
                        "agent",
                        "The agent",
                        AgentPath.parse("agent"),
                        new RunId("run"),
                        null,
                        null,
                        new ThreadLink("thread", new ThreadOwner(null, null), 0),
                        null,
                        List.of(),
                        List.of(Message.user("Go")),
                        null,
                        OptionValues.DEFAULT,
                        List.of("stopWhen"),
                        Map.of(),
                        List.of("provider/model"),
                        new ForkOrigin(new RunId("old"), 2, List.of()),
                        null,
                        false,
                        null,
                        Background.NONE,
                        AT),
                new Fact.Said(1, List.of(Message.user("More")), AT),
                new Fact.CallParked(
                        "call",
                        2,
                        WaitKind.DATA,
                        "digest",
                        "requester",
                        Json.of("payload"),
                        Json.of(Map.of("type", "string")),
                        Json.of(Map.of("asked", true)),
                        AT,
                        AT),
                new Fact.CallDecided(
                        "call", 2, CallAnswer.DATA, "approver", "tenant", "reason", Json.of("data"), null, AT),
                new Fact.StepClosed(
                        1,
                        null,
                        null,
                        null,
                        List.of(),
                        new CompletionResult(
                                false,
                                List.of(new ScorerResult("scorer", 0.5, 1, false, "reason", Duration.ZERO)),
                                Duration.ZERO),
                        false,
                        Spending.NOTHING,
                        new ObjectResult(Json.of("object"), true, "problem"),
                        "answer",
                        List.of(),
                        AT));
    }

    @ParameterizedTest
    @MethodSource({"facts", "factsThatMayLackParts"})
    void aFactIsReadAsItWasWritten(Fact fact) {
        assertThat(FactCodec.read(FactCodec.write(fact))).isEqualTo(fact);
    }

    @ParameterizedTest
    @MethodSource("facts")
    void aFactThatLacksATextIsUnreadable(Fact fact) {
        FactEntry whole = FactCodec.write(fact);
        Matcher fields = TEXT.matcher(whole.text());
        while (fields.find()) {
            String name = fields.group(1);
            String renamed = whole.text().substring(0, fields.start()) + "\"lost\":" + fields.group(2)
                    + whole.text().substring(fields.end(2));
            String none = whole.text().substring(0, fields.start()) + "\"" + name + "\":null"
                    + whole.text().substring(fields.end(2));
            assertUnreadable(whole, renamed);
            assertUnreadable(whole, none);
        }
    }

    @ParameterizedTest
    @MethodSource({"facts", "factsThatMayLackParts"})
    void whatIsNoObjectIsUnreadable(Fact fact) {
        for (String text : List.of("null", "", " ", "7", "\"x\"", "[]", "{}")) {
            assertUnreadable(FactCodec.write(fact), text);
        }
    }

    @Test
    void aStartOfAWorkflowThatLacksItsInitialStateIsUnreadable() {
        FactEntry whole = FactCodec.write(FactSamples.started(FactSamples.settings()));

        assertUnreadable(whole, whole.text().replace("\"initialState\":", "\"other\":"));
    }

    @Test
    void whatTheProviderWantsBackIsReadAsItWasWritten() {
        Message thought =
                new Message("m", Role.ASSISTANT, List.of(new Part.Reasoning("hm", "{\"signature\":\"s\"}")), false);
        Fact said = new Fact.Said(1, List.of(thought), AT);
        Fact answered = new Fact.Answered(
                1,
                "a/b",
                "text",
                "reasoning",
                List.of(),
                FinishReason.STOP,
                Usage.NONE,
                1,
                BigDecimal.ONE,
                null,
                "{\"signature\":\"s\"}",
                AT,
                AT);

        assertThat(FactCodec.read(FactCodec.write(said))).isEqualTo(said);
        assertThat(FactCodec.read(FactCodec.write(answered))).isEqualTo(answered);
    }

    private static void assertUnreadable(FactEntry whole, String text) {
        assertThatThrownBy(() -> FactCodec.read(FactEntry.of(whole.type(), whole.version(), text)))
                .as("%s", text)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.UNREADABLE));
    }
}
