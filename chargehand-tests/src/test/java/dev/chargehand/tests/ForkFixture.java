package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.RunFailedException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.run.RunId;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** A run with two calls of a tool and a delegation between them, to be forked at each of its steps. */
abstract class ForkFixture {

    record Note(String text) {}

    /** What the tool did: the text, and the idempotency key it was given. */
    record Done(String text, String key) {}

    final Queue<Done> done = new ConcurrentLinkedQueue<>();

    final Tool note = Tool.builder("note", "Notes.")
            .input(Note.class)
            .repeatable()
            .handler((in, context) ->
                    Steps.noted(done, new Done(in.text(), context.idempotencyKey()), "noted " + in.text()))
            .build();

    final Agent lead = Crew.agent(
            "lead", agent -> agent.instructions("You lead.").tools(note).agents(Crew.RESEARCHER));

    /** Notes a, asks the researcher, notes b, and says how many messages there are. */
    static Script script() {
        return Scripts.of(
                Turns.of(
                        "lead",
                        Turn.answers(request -> switch (results(request)) {
                                    case 0 -> Steps.calling("note", "{\"text\":\"a\"}");
                                    case 1 -> Steps.calling("agent-researcher", "{\"prompt\":\"Find\"}");
                                    case 2 -> Steps.calling("note", "{\"text\":\"b\"}");
                                    default -> Steps.said("Done: " + String.join(" | ", said(request)));
                                })
                                .forever()),
                Turns.of(
                        "researcher",
                        Turn.answers(request -> Steps.said("Facts.")).forever()));
    }

    static int results(ModelRequest request) {
        return (int) request.messages().stream()
                .mapToLong(message -> message.toolResults().size())
                .sum();
    }

    static List<String> said(ModelRequest request) {
        return request.messages().stream()
                .filter(message -> !message.text().isEmpty())
                .map(message -> message.text())
                .toList();
    }

    TestRuntime.Builder builder(Script script) {
        return TestRuntime.builder(script).agents(lead);
    }

    static void refused(String what, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(ConfigurationException.class).hasMessageContaining(what);
    }

    static List<String> thread(TestRuntime test, String id) {
        return test.thread(id, "u").stream().map(Wire::line).toList();
    }

    static RunId runIdOf(Runnable failing) {
        try {
            failing.run();
        } catch (RunFailedException e) {
            return e.result().runId();
        }
        throw new AssertionError("the run did not fail");
    }
}
