package dev.chargehand.testkit.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.chargehand.message.Message;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelDelta;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.model.ModelResponse.RequestedCall;
import dev.chargehand.run.Usage;
import dev.chargehand.testkit.provider.reply.Reply;
import dev.chargehand.testkit.provider.reply.TokenUsage;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a healthy answer becomes. */
interface AnswerRules extends HasModel {

    /** The longest character sets, a pair of surrogates, and what JSON escapes. */
    String ODD = "naïve 漢字 😀 \"quoted\" \\ back\n\tand on";

    @Test
    default void textIsToldAsItComes() throws InterruptedException {
        CallRecord call = new CallRecord();
        theProvider().enqueue(theWire().reply(WireAnswer.text("Hel", "lo", " you")));

        ModelResponse answer = theModel().ask(HasModel.request(Message.user("Hi")), call);

        assertEquals("Hello you", answer.text());
        assertEquals(FinishReason.STOP, answer.finish());
        assertEquals(
                List.of(new ModelDelta.Text("Hel"), new ModelDelta.Text("lo"), new ModelDelta.Text(" you")),
                call.deltas());
        assertEquals(List.of(), answer.toolCalls());
    }

    @Test
    default void reasoningIsNotText() throws InterruptedException {
        if (can(Capability.REASONING)) {
            ModelResponse answer = ask(WireAnswer.text("It is 4.").reasoning("Two ", "and two"));

            assertEquals("It is 4.", answer.text());
            assertEquals("Two and two", answer.reasoning());
        }
    }

    @Test
    default void aCallHasItsNameItsArgumentsAndItsId() throws InterruptedException {
        String arguments = "{\"query\":\"naïve 漢字 😀\",\"deep\":{\"list\":[1,2.5,true,null]}}";
        ModelResponse answer =
                ask(WireAnswer.calls(Reply.call("call_1", "search", arguments)).saying("I look."));

        assertEquals(FinishReason.TOOL_CALLS, calledFinish(answer));
        assertEquals("I look.", answer.text());
        RequestedCall call = answer.toolCalls().getFirst();
        assertEquals("search", call.name());
        assertEquals(Texts.MAPPER.readTree(arguments), Texts.MAPPER.readTree(call.arguments()));
        if (can(Capability.CALL_IDS)) {
            assertEquals("call_1", call.providerId());
        }
    }

    @Test
    default void argumentsInPiecesAreToldAsPieces() throws InterruptedException {
        if (can(Capability.PARTIAL_ARGUMENTS)) {
            CallRecord call = new CallRecord();
            String arguments = "{\"city\":\"Saint-Étienne\",\"days\":3}";
            theProvider()
                    .enqueue(theWire()
                            .reply(WireAnswer.calls(Reply.call("c", "weather", arguments))
                                    .fragment(3)));

            ModelResponse answer = theModel().ask(HasModel.request(Message.user("Hi")), call);

            assertEquals(arguments, answer.toolCalls().getFirst().arguments());
            assertEquals(arguments, call.arguments(0));
            assertTrue(call.of(ModelDelta.ToolCallArguments.class).size() > 5, "the pieces are emitted one by one");
            assertEquals(List.of(new ModelDelta.ToolCallStart(0, "weather")), call.of(ModelDelta.ToolCallStart.class));
            assertEquals(List.of(new ModelDelta.ToolCallEnd(0)), call.of(ModelDelta.ToolCallEnd.class));
        }
    }

    @Test
    default void callsOfOneAnswerStayApartAlsoUnderOneName() throws InterruptedException {
        ModelResponse answer = ask(WireAnswer.calls(
                        Reply.call("c1", "look", "{\"at\":1}"),
                        Reply.call("c2", "look", "{\"at\":2}"),
                        Reply.call("c3", "list", "{}"),
                        Reply.call("c4", "look", "{\"at\":1}"))
                .fragment(2));

        assertEquals(
                List.of("look", "look", "list", "look"),
                answer.toolCalls().stream().map(RequestedCall::name).toList());
        assertEquals(
                List.of("{\"at\":1}", "{\"at\":2}", "{}", "{\"at\":1}"),
                answer.toolCalls().stream().map(RequestedCall::arguments).toList());
    }

    @Test
    default void aCallWithoutArgumentsHasAnEmptyObjectOfThem() throws InterruptedException {
        // Every provider sends an empty text now and then, for a tool without parameters.
        for (String none : List.of("", "{}")) {
            assertEquals(
                    "{}",
                    ask(WireAnswer.calls(Reply.call("c1", "now", none)))
                            .toolCalls()
                            .getFirst()
                            .arguments(),
                    "of '" + none + "'");
        }
    }

    @Test
    default void anAnswerSaysWhyItEnded() throws InterruptedException {
        assertEquals(
                FinishReason.LENGTH,
                ask(WireAnswer.text("Once").finish(FinishReason.LENGTH)).finish());
        if (can(Capability.CONTENT_FILTER)) {
            assertEquals(
                    FinishReason.CONTENT_FILTER,
                    ask(WireAnswer.text("Once").finish(FinishReason.CONTENT_FILTER))
                            .finish());
        }
        assertEquals(
                FinishReason.UNKNOWN,
                ask(WireAnswer.text("Once").finish(FinishReason.UNKNOWN)).finish());
    }

    @Test
    default void aCutAnswerWithCallsIsNotComplete() throws InterruptedException {
        WireAnswer cut = WireAnswer.calls(Reply.call("c1", "pay", "{\"sum\":1}"));
        assertFalse(ask(cut.finish(FinishReason.LENGTH)).finish().isComplete());
        assertFalse(ask(cut.finish(FinishReason.UNKNOWN)).finish().isComplete());
        assertFalse(ask(cut.finish(null)).finish().isComplete());
    }

    @Test
    default void anAnswerThatEndsWithoutAReasonIsNotComplete() throws InterruptedException {
        ModelResponse answer = ask(WireAnswer.text("Once upon").finish(null));

        assertEquals(FinishReason.MISSING, answer.finish());
        assertEquals("Once upon", answer.text());
    }

    @Test
    default void usageIsCountedAsEverywhere() throws InterruptedException {
        TokenUsage claimed = new TokenUsage(
                100, 50, can(Capability.CACHED_TOKENS) ? 80 : 0, can(Capability.REASONING_TOKENS) ? 30 : 0);
        assertEquals(
                new Usage(100, 50, claimed.cachedInput(), claimed.reasoning()),
                ask(WireAnswer.text("x").usage(claimed)).usage());
    }

    @Test
    default void countsOfTokensThatNobodyCanCountLoseNothingOfTheAnswer() throws InterruptedException {
        TokenUsage highest = TokenUsage.of(Long.MAX_VALUE, Long.MAX_VALUE);
        assertEquals(
                Long.MAX_VALUE, ask(WireAnswer.text("x").usage(highest)).usage().totalTokens());
        if (theWire() instanceof TextWire) {
            for (String most : List.of("1e30", "1E+999", "99999999999999999999999", "9223372036854775808")) {
                assertEquals(Usage.of(Long.MAX_VALUE, Long.MAX_VALUE), usageOf(most), most);
            }
            for (String none : List.of("-5", "-1e30", "0.5", "\"many\"", "null", "true", "{}", "[]")) {
                assertEquals(0, usageOf(none).inputTokens(), none);
            }
            assertEquals(Usage.of(7, 7), usageOf("7.9"));
        }
    }

    private Usage usageOf(String count) throws InterruptedException {
        TokenUsage marked = TokenUsage.of(7_770_001, 7_770_002);
        List<byte[]> events = theWire().events(WireAnswer.text("x").usage(marked)).stream()
                .map(event -> new String(event, StandardCharsets.UTF_8)
                        .replace("7770001", count)
                        .replace("7770002", count)
                        .getBytes(StandardCharsets.UTF_8))
                .toList();
        ModelResponse answer = ask(theWire().reply(events), HasModel.request(Message.user("Hi")));
        assertEquals("x", answer.text(), count);
        return answer.usage();
    }

    @Test
    default void anAnswerIsTheSameWhereverItsBytesAreCut() throws InterruptedException {
        WireAnswer said = WireAnswer.calls(Reply.call("c1", "look", "{\"at\":\"漢字 😀\"}"))
                .saying(ODD, "more")
                .fragment(1000);
        if (can(Capability.REASONING)) {
            said = said.reasoning("ähm", "😀");
        }
        ModelResponse whole = ask(said);
        assertEquals(ODD + "more", whole.text());
        for (int bytes : new int[] {1, 2, 3, 7, 64, 4095}) {
            assertEquals(
                    whole,
                    ask(theWire().reply(said).chunkSplit(bytes), HasModel.request(Message.user("Hi"))),
                    "in chunks of " + bytes);
        }
        assertEquals(whole, ask(theWire().reply(said).writeSplit(5), HasModel.request(Message.user("Hi"))));
        assertEquals(whole, ask(theWire().reply(said).gzip(), HasModel.request(Message.user("Hi"))));
    }

    @Test
    default void aLongAnswerIsReadToItsEnd() throws InterruptedException {
        String[] deltas = new String[5_000];
        for (int i = 0; i < deltas.length; i++) {
            deltas[i] = "piece " + i + " ";
        }
        assertEquals(String.join("", deltas), ask(WireAnswer.text(deltas)).text());
    }

    /** Some protocols stop for the same reason with calls and without. */
    private static FinishReason calledFinish(ModelResponse answer) {
        return answer.finish() == FinishReason.STOP ? FinishReason.TOOL_CALLS : answer.finish();
    }
}
