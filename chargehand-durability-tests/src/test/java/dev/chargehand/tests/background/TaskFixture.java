package dev.chargehand.tests.background;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.RunOptions;
import dev.chargehand.Wakeups;
import dev.chargehand.background.BackgroundOptions;
import dev.chargehand.background.Task;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.RunId;
import dev.chargehand.run.Usage;
import dev.chargehand.spi.IdSource;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.workflow.Workflow;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A supervisor whose researcher works in the background, with models that are functions of what they see. */
final class TaskFixture {

    static final ThreadOwner ANN = ThreadOwner.of("ann");

    private TaskFixture() {}

    static Agent researcher() {
        return researcher(builder -> builder);
    }

    static Agent researcher(UnaryOperator<AgentBuilder> changes) {
        return changes.apply(Agent.builder("researcher")
                        .description("Researches a topic.")
                        .model("scripted/researcher"))
                .build();
    }

    static Agent supervisor(Agent researcher, Consumer<BackgroundOptions.Builder> background) {
        return Agent.builder("boss")
                .model("scripted/boss")
                .agents(researcher)
                .background(background)
                .build();
    }

    /** Returns an agent whose calls of a workflow may be background tasks. */
    static Agent bossOf(Workflow<String, String> workflow) {
        return Agent.builder("boss")
                .model("scripted/boss")
                .workflows(workflow)
                .background(b -> b.workflows(workflow.id()))
                .build();
    }

    static Agent supervisor() {
        return supervisor(researcher(), b -> b.agents("researcher"));
    }

    /** The boss delegates once in the background, then says what it sees of results. */
    static ModelResponse boss(ModelRequest request) {
        String said = lastUserText(request);
        return said.startsWith("Research ") && !hasDelegated(request)
                ? calls("agent-researcher", "{\"prompt\":\"" + said.substring(9) + "\",\"background\":true}")
                : says("Seen: " + results(request));
    }

    /** Returns whether a model sees the result of a call since the user spoke; the result of a task may follow that. */
    static boolean hasDelegated(ModelRequest request) {
        boolean delegated = false;
        for (Message message : request.messages()) {
            boolean spoken = message.role() == Role.USER && !message.internal();
            delegated = !spoken && (delegated || !message.toolResults().isEmpty());
        }
        return delegated;
    }

    private static String lastUserText(ModelRequest request) {
        return request.messages().stream()
                .filter(message -> message.role() == Role.USER && !message.internal())
                .reduce((first, second) -> second)
                .map(Message::text)
                .orElse("");
    }

    /** Returns the texts of the results of tasks that a model sees, in order. */
    static List<String> results(ModelRequest request) {
        return request.messages().stream()
                .map(Message::text)
                .filter(text -> text.startsWith("Background task "))
                .map(text -> text.contains("Found ") ? text.replaceAll("(?s).*(Found [a-z0-9 ]+).*", "$1") : text)
                .toList();
    }

    static ModelResponse says(String text) {
        return ModelResponse.text(text, new Usage(10, 5, 0, 0));
    }

    static ModelResponse calls(String tool, String arguments) {
        return new ModelResponse(
                "",
                "",
                List.of(new ModelResponse.RequestedCall("c_" + tool, tool, arguments)),
                FinishReason.TOOL_CALLS,
                new Usage(10, 5, 0, 0));
    }

    static Script script() {
        return script(new CountDownLatch(0));
    }

    /** Makes a script whose researcher answers when a gate is open. */
    static Script script(CountDownLatch gate) {
        return ScriptedModel.script()
                .on("boss")
                .answers(TaskFixture::boss)
                .forever()
                .on("researcher")
                .answers(request -> {
                    await(gate);
                    return says("Found " + request.messages().getLast().text());
                })
                .forever();
    }

    static TestRuntime.Builder runtime(Store store, Script script) {
        return TestRuntime.builder(script)
                .store(store)
                .agents(supervisor())
                .wakeups(Wakeups.own())
                .ids(IdSource.secure());
    }

    static Consumer<RunOptions.Builder> onThread() {
        return o -> o.thread("t").resource("ann");
    }

    static List<Task> tasks(TestRuntime test, RunId origin) {
        return test.runtime().tasks(TaskFilter.of(origin));
    }

    /** Wait for a gate in a model, until a cancel interrupts it. */
    static void await(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static void until(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("Waited in vain until " + what + ".");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }
}
