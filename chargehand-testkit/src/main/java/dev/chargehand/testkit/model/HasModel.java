package dev.chargehand.testkit.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.chargehand.error.ModelException;
import dev.chargehand.message.Message;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.model.ModelSettings;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.testkit.provider.LoopbackProvider;
import dev.chargehand.testkit.provider.reply.Reply;
import dev.chargehand.testkit.provider.request.ReceivedRequest;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/** What the rules of a contract are about. */
interface HasModel {

    /** The key that models are made with; no error may show it. */
    String KEY = "sk-loopback-key-4711";

    /** What a provider's message may quote of the conversation; no error may show it. */
    String SECRET = "Dear diary";

    /** Return the model of the running test. */
    Model theModel();

    /** Return the protocol that it speaks. */
    ModelWire theWire();

    /** Return the provider that it asks. */
    LoopbackProvider theProvider();

    /** Return whether the protocol has something. */
    default boolean can(Capability what) {
        return theWire().can().contains(what);
    }

    /** Make a request of messages. */
    static ModelRequest request(Message... messages) {
        return new ModelRequest(List.of(messages), List.of(), ToolChoice.auto(), ModelSettings.DEFAULT);
    }

    /** Call the model, which returns this answer and emit all of it. */
    default ModelResponse ask(WireAnswer answer) throws InterruptedException {
        return ask(theWire().reply(answer), request(Message.user("Hi")));
    }

    /** Ask, and gets this reply. */
    default ModelResponse ask(Reply reply, ModelRequest request) throws InterruptedException {
        CallRecord call = new CallRecord();
        theProvider().enqueue(reply);
        ModelResponse answer = theModel().ask(request, call);
        assertEquals(answer.text(), call.text(), "the emitted pieces of the text, and the text");
        assertEquals(answer.reasoning(), call.reasoning(), "the emitted pieces of the reasoning, and the reasoning");
        for (int i = 0; i < answer.toolCalls().size(); i++) {
            assertEquals(
                    answer.toolCalls().get(i).arguments(), call.arguments(i), "the emitted pieces of the arguments");
        }
        return answer;
    }

    /** Call the model, and return the failure with this reply, which contains no secret. */
    default ModelException fail(Reply reply) {
        theProvider().enqueue(reply);
        ModelException e = assertThrows(
                ModelException.class, () -> theModel().ask(request(Message.user(SECRET)), new CallRecord()));
        StringWriter all = new StringWriter();
        e.printStackTrace(new PrintWriter(all));
        String ours = all.toString().replace(e.providerMessage().orElse("\n\n"), "");
        assertFalse(ours.contains(SECRET), "an error quotes the conversation outside of the provider's words");
        assertFalse(all.toString().contains(KEY), "an error shows the key");
        return e;
    }

    /** Return the last request, in which nothing is that a strict server would reject. */
    default ReceivedRequest sent() {
        ReceivedRequest last = theProvider().log().getLast().request();
        assertEquals(List.of(), theWire().problems(last), "requests that a strict server would reject");
        assertEquals(List.of(), theProvider().violations(), "requests that a strict server would reject");
        return last;
    }
}
