package dev.chargehand.testkit.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.model.ModelSettings;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.testkit.provider.reply.Reply;
import dev.chargehand.testkit.provider.request.ReceivedRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How a conversation continues: a strict server takes it, and everything is instead. */
interface ConversationRules extends HasModel {

    private ReceivedRequest sent(Message... messages) throws InterruptedException {
        ask(
                theWire().reply(WireAnswer.text("ok")),
                new ModelRequest(
                        List.of(messages),
                        List.of(RequestRules.WEATHER, RequestRules.CLOCK),
                        ToolChoice.auto(),
                        ModelSettings.DEFAULT));
        return sent();
    }

    private static Message said(Part... parts) {
        return new Message("", Role.ASSISTANT, List.of(parts), false);
    }

    private static Message results(Part.ToolResult... results) {
        return new Message("", Role.TOOL, Arrays.asList((Part[]) results), false);
    }

    private static Part.ToolCall call(String id, @Nullable String providerId, String arguments) {
        return new Part.ToolCall(id, providerId, "weather", arguments);
    }

    private static Part.ToolResult result(String id, String output) {
        return new Part.ToolResult(id, "weather", output, false);
    }

    private static Message note(String text) {
        return new Message("", Role.SYSTEM, List.of(new Part.Text(text)), true);
    }

    @Test
    default void resultsFollowTheirCalls() throws InterruptedException {
        ReceivedRequest sent = sent(
                Message.system("Be kind."),
                Message.user("Is it warm?"),
                said(
                        new Part.Text("I look."),
                        call("call_1", "p1", "{\"city\":\"Rome\"}"),
                        call("call_2", "p2", "{\"city\":\"Oslo\"}")),
                results(result("call_1", "31 degrees"), result("call_2", "4 degrees")),
                said(new Part.Text("In Rome.")),
                Message.user("And now?"));

        assertTrue(sent.body().contains("Rome") && sent.body().contains("31 degrees"));
        assertTrue(sent.body().indexOf("31 degrees") < sent.body().indexOf("4 degrees\""));
    }

    @Test
    default void idsThatAProviderGaveTwiceAreKeptApart() throws InterruptedException {
        sent(
                Message.user("Is it warm?"),
                said(call("call_1", "same", "{}"), call("call_2", "same", "{}"), call("call_3", null, "{}")),
                results(result("call_1", "31"), result("call_2", "4"), result("call_3", "7")),
                said(call("call_4", "same", "{}"), call("call_5", "functions.weather:0", "{}")),
                results(result("call_4", "31"), result("call_5", "8")));
    }

    @Test
    default void brokenArgumentsAreSentBackAsNone() throws InterruptedException {
        ReceivedRequest sent = sent(
                Message.user("Is it warm?"),
                said(call("call_1", "p1", "{\"city\":"), call("call_2", "p2", "[1]"), call("call_3", "p3", "")),
                results(
                        new Part.ToolResult("call_1", "weather", "The arguments are not JSON.", true),
                        new Part.ToolResult("call_2", "weather", "They are no object.", true),
                        result("call_3", "7")));

        assertTrue(sent.body().contains("The arguments are not JSON."));
        assertFalse(sent.body().contains("\\\"city\\\":\""));
    }

    @Test
    default void aNameThatAModelMadeUpIsSentInAFormThatIsTaken() throws InterruptedException {
        sent(
                Message.user("Is it warm?"),
                said(new Part.ToolCall("call_1", "p1", "weather in Rome!", "{}")),
                results(new Part.ToolResult("call_1", "weather in Rome!", "There is no such tool.", true)));
    }

    @Test
    default void aLaterNoteStaysInItsPlaceAndIsNotTakenForAnInstruction() throws InterruptedException {
        ReceivedRequest sent = sent(
                Message.system("Be kind."),
                Message.user("Is it warm?"),
                said(call("call_1", "p1", "{}")),
                results(result("call_1", "31 degrees")),
                note("Name your source."));

        assertEquals("Be kind.", theWire().instructions(sent));
        assertTrue(sent.body().indexOf("Name your source.") > sent.body().indexOf("31 degrees"));
    }

    @Test
    default void aConversationMayBeginAnywhere() throws InterruptedException {
        sent(Message.system("Be kind."), Message.assistant("In Rome."), Message.user("And now?"));
        sent(said(call("call_1", "p1", "{}")), results(result("call_1", "31 degrees")));
        sent(Message.system("Be kind."));
    }

    @Test
    default void emptyTextsAreNoReasonToRefuseAConversation() throws InterruptedException {
        sent(
                Message.system(" "),
                Message.user(""),
                said(new Part.Text("")),
                said(new Part.Reasoning("hm")),
                Message.user("Hi"),
                said(call("call_1", "p1", "{}")),
                results(result("call_1", "")));
    }

    @Test
    default void aConversationWithCallsGoesOnWithoutTools() throws InterruptedException {
        ask(
                theWire().reply(WireAnswer.text("ok")),
                HasModel.request(
                        Message.user("Is it warm?"),
                        said(call("call_1", "p1", "{}")),
                        results(result("call_1", "31 degrees"))));
        assertTrue(sent().body().contains("31 degrees"));
    }

    @Test
    default void reasoningIsNotSentAsText() throws InterruptedException {
        assertFalse(sent(
                        Message.user("Hi"),
                        said(new Part.Reasoning("secretly"), new Part.Text("Hello")),
                        Message.user("And?"))
                .body()
                .contains("secretly"));
    }

    @Test
    default void whatTheProviderWantsBackIsSentBack() throws InterruptedException {
        if (can(Capability.SIGNATURES)) {
            ModelResponse first = ask(WireAnswer.calls(
                            Reply.call("p1", "weather", "{\"city\":\"Rome\"}"),
                            Reply.call("p2", "weather", "{\"city\":\"Oslo\"}"))
                    .reasoning("I must ", "look.")
                    .signature("c2lnbmF0dXJl"));
            assertNotNull(first.providerState());

            ReceivedRequest sent = sent(Message.user("Is it warm?"), again(first), answered(first));

            assertTrue(sent.body().contains("\"c2lnbmF0dXJl\""));
        }
    }

    @Test
    default void whatAnotherProviderWantedBackIsNotSent() throws InterruptedException {
        for (String foreign : new String[] {"{\"other\":[{\"secret\":1}]}", "not json", "[]", "{\"anthropic\":7}"}) {
            ReceivedRequest sent = sent(
                    Message.user("Is it warm?"),
                    said(new Part.Reasoning("hm", foreign), call("call_1", "p1", "{}")),
                    results(result("call_1", "31")));
            assertFalse(sent.body().contains("\"secret\""));
        }
    }

    private static Message again(ModelResponse answer) {
        List<Part> parts = new ArrayList<>();
        parts.add(new Part.Reasoning(answer.reasoning(), answer.providerState()));
        for (int i = 0; i < answer.toolCalls().size(); i++) {
            ModelResponse.RequestedCall call = answer.toolCalls().get(i);
            parts.add(new Part.ToolCall("call_" + i, call.providerId(), call.name(), call.arguments()));
        }
        return new Message("", Role.ASSISTANT, parts, false);
    }

    private static Message answered(ModelResponse answer) {
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < answer.toolCalls().size(); i++) {
            parts.add(result("call_" + i, "31"));
        }
        return new Message("", Role.TOOL, parts, false);
    }
}
