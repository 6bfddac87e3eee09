package dev.chargehand.tests;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.thread.ThreadMessage;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.tool.Tool;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** An agent whose tool asks for a city, and a model that reads answers in messages. */
abstract class ReplyFixture {

    record City(String city) {}

    final Store store = open();

    /** What the model writes when it is asked whether a message is an answer. */
    final Queue<String> readings = new ConcurrentLinkedQueue<>();

    /** The requests in which it was asked that. */
    final Queue<ModelRequest> asked = new ConcurrentLinkedQueue<>();

    /** The cities that the tool was given. */
    final Queue<String> cities = new ConcurrentLinkedQueue<>();

    /** Called while the model reads an answer. */
    volatile Runnable whileReading = () -> {};

    /** Called while the model answers in a run. */
    volatile Runnable whileAnswering = () -> {};

    /** Opens the store of a test, which runtimes do not close. */
    Store open() {
        return InMemoryStore.keepingEndedRuns();
    }

    /** Calls the tool that is offered first, and answers with what the tool returned and the newest words of the user. */
    private final class Answering implements Model {

        private final String tool;
        private final String arguments;

        private Answering(String tool, String arguments) {
            this.tool = tool;
            this.arguments = arguments;
        }

        @Override
        public String name() {
            return "test/answering";
        }

        @Override
        public ModelResponse ask(ModelRequest request, ModelCall call) {
            List<Message> messages = request.messages();
            if (messages.getFirst().text().startsWith("A program has asked the user")) {
                asked.add(request);
                whileReading.run();
                return Steps.said(readings.isEmpty() ? "{\"none\": true}" : readings.remove());
            }
            if (isQuestion(messages.getLast())) {
                return Steps.calling(tool, arguments);
            }
            whileAnswering.run();
            String results = messages.stream()
                    .filter(message -> message.role() == Role.TOOL)
                    .flatMap(message -> message.toolResults().stream())
                    .map(result -> result.output())
                    .reduce("", (all, one) -> one);
            String said = messages.stream()
                    .filter(message -> message.role() == Role.USER)
                    .map(Message::text)
                    .reduce("", (all, one) -> one);
            return Steps.said("[" + results + "] " + said);
        }
    }

    private static boolean isQuestion(Message message) {
        return message.role() == Role.USER && message.text().startsWith("Weather");
    }

    Tool weather() {
        return Tool.builder("weather", "Tells the weather.")
                .input(Crew.ANYTHING)
                .suspends(String.class, City.class)
                .repeatable()
                .handler((in, context) -> {
                    City city = context.providedData(City.class).orElse(null);
                    return city == null
                            ? context.suspend("In which city?")
                            : Steps.noted(cities, city.city(), Map.of("sunny", city.city()));
                })
                .build();
    }

    Model calling(String tool, String arguments) {
        return new Answering(tool, arguments);
    }

    Agent lead(Tool... tools) {
        return Agent.builder("lead")
                .instructions("Lead.")
                .description("Leads.")
                .model(calling(tools[0].name(), "{}"))
                .tools(tools)
                .build();
    }

    AgentRuntimeBuilder building(Agent... agents) {
        return AgentRuntime.builder()
                .store(store)
                .providers()
                .wakeups(Wakeups.off())
                .agents(agents);
    }

    static Consumer<RunOptions.Builder> on(String thread) {
        return o -> o.thread(thread).resource("u1").autoResumeSuspendedTools(true);
    }

    /** The model says that the message is an answer. */
    void reads(Object data) {
        readings.add(Json.of(Map.of("answer", data)).text());
    }

    /** Starts a run that waits for a city. */
    static RunResult waiting(AgentRuntime runtime, String thread) {
        return runtime.agent("lead").generate("Weather?", on(thread));
    }

    static List<String> thread(AgentRuntime runtime, String thread) {
        return runtime.threads().lastMessages(ThreadOwner.of("u1"), thread, 100).stream()
                .filter(message -> message.role() == Role.USER)
                .map(ThreadMessage::text)
                .toList();
    }
}
