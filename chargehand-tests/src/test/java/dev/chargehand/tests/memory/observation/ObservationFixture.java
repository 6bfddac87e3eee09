package dev.chargehand.tests.memory.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.RunResult;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.memory.Memory;
import dev.chargehand.memory.Observations;
import dev.chargehand.message.Message;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.Usage;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.memory.NewObservation;
import dev.chargehand.store.memory.Observation;
import dev.chargehand.store.memory.ObservationLog;
import dev.chargehand.tests.Turn;
import dev.chargehand.tests.memory.MemoryFixture;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.tool.Tool;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Conversations whose older messages a model observes. What is said has numbers, so that each text can be found. */
abstract class ObservationFixture extends MemoryFixture {

    static final ThreadOwner ANN = ThreadOwner.of("ann");

    /** With 400 tokens there are about four rounds of question and answer before messages are observed. */
    static final int MESSAGE_TOKENS = 400;

    private static final Pattern SAID = Pattern.compile("said\\d+");

    /** What the observer was asked. */
    final List<ModelRequest> asked = new CopyOnWriteArrayList<>();

    /** What the reflector was asked. */
    final List<ModelRequest> reflected = new CopyOnWriteArrayList<>();

    volatile Function<ModelRequest, String> observe =
            request -> "- observed " + numbers(request.messages().getLast());
    volatile Function<ModelRequest, String> reflect = request -> "- reflected";

    final Model observer = model("test/observer", asked, request -> observe.apply(request));
    final Model reflector = model("test/reflector", reflected, request -> reflect.apply(request));

    static Model model(String name, List<ModelRequest> asked, Function<ModelRequest, String> answer) {
        return new Model() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public ModelResponse ask(ModelRequest request, ModelCall call) {
                asked.add(request);
                return ModelResponse.text(answer.apply(request), Usage.of(7, 3));
            }
        };
    }

    void observing(Observations.Builder observations) {
        observations.model(observer).reflector(reflector).messageTokens(MESSAGE_TOKENS);
    }

    AgentRuntime runtime(Store store) {
        return runtime(store, memory -> memory.observations(this::observing));
    }

    AgentRuntime with(Store store, UnaryOperator<AgentRuntimeBuilder> settings) {
        return runtime(store, memory -> memory.observations(this::observing), agent -> agent, settings);
    }

    static Consumer<Memory.Builder> observations(Consumer<Observations.Builder> settings) {
        return memory -> memory.observations(settings);
    }

    /** A text of about 100 tokens that can be found. */
    static String text(int number) {
        return "said" + number + " " + "word ".repeat(78);
    }

    /** Say something with about 100 tokens; the answer has few. */
    static RunResult say(AgentRuntime runtime, int number) {
        return say(runtime, "ann", "t", text(number));
    }

    static void sayAll(AgentRuntime runtime, int from, int to) {
        for (int number = from; number <= to; number++) {
            RunResult ignored = say(runtime, number);
        }
    }

    /** Return the numbers of the texts that a message has. */
    static String numbers(Message message) {
        return String.join(" ", numbers(List.of(message)));
    }

    /** Return the numbered texts in messages, in order. */
    static List<String> numbers(List<Message> messages) {
        List<String> numbers = new ArrayList<>();
        for (Message message : messages) {
            Matcher matcher = SAID.matcher(message.text());
            while (matcher.find()) {
                numbers.add(matcher.group());
            }
        }
        return numbers;
    }

    /** Return the names of the texts from one number to another. */
    static List<String> said(int from, int to) {
        List<String> said = new ArrayList<>();
        for (int number = from; number <= to; number++) {
            said.add("said" + number);
        }
        return said;
    }

    static ObservationLog log(Store store) {
        return store.memory().orElseThrow().observations(ANN, "t");
    }

    static int due(Store store) {
        return store.memory().orElseThrow().due(0, 10).size();
    }

    /** The model has seen each text once: as it was said, or through the observer. */
    void assertSeesEverything(int last) {
        assertThat(numbers(requests.getLast().messages())).containsExactlyElementsOf(said(1, last));
    }

    /** Store an observation of the next message, as another process does. */
    static void observeOneMore(Store store) {
        long end = log(store).end();
        List<String> ids = store.readThreadFrom("t", ANN, end, 1).stream()
                .map(ThreadEntry::messageId)
                .toList();
        assertThat(store.memory()
                        .orElseThrow()
                        .observe(
                                ANN,
                                "t",
                                new NewObservation(
                                        end, end + 1, ids, "- meanwhile", 3, Instant.parse("2026-01-01T00:00:00Z"))))
                .isPresent();
    }

    /**
     * A runtime whose agent calls a tool in its first steps, which returns 100 tokens, and then answers.
     *
     * @param steps how many steps have a call
     */
    AgentRuntime calling(Store store, int steps, UnaryOperator<Tool> changes) {
        return calling(store, steps, changes, memory -> {});
    }

    AgentRuntime calling(Store store, int steps, UnaryOperator<Tool> changes, Consumer<Memory.Builder> more) {
        return looking(store, steps, changes, memory -> more.accept(memory.observations(this::observing)));
    }

    /** The same for an agent whose call waits for an approval, and that observes nothing. */
    AgentRuntime waiting(Store store, Consumer<Memory.Builder> memory) {
        return looking(store, 1, Tool::requiringApproval, memory);
    }

    private AgentRuntime looking(Store store, int steps, UnaryOperator<Tool> changes, Consumer<Memory.Builder> memory) {
        AtomicInteger results = new AtomicInteger(100);
        Tool look = Tool.builder("look", "Looks.")
                .input(JsonSchema.of(Json.parse("{\"type\":\"object\"}")))
                .repeatable()
                .handler((in, context) -> text(results.incrementAndGet()))
                .build();
        return runtime(
                store,
                memory,
                agent -> agent.tools(changes.apply(look)).defaultOptions(o -> o.maxSteps(30)),
                settings -> settings,
                Turn.answers(request -> {
                            requests.add(request);
                            return results.get() < 100 + steps
                                    ? new ModelResponse(
                                            "",
                                            "",
                                            List.of(new ModelResponse.RequestedCall(
                                                    "c" + results.get(), "look", "{\"place\":" + results.get() + "}")),
                                            FinishReason.TOOL_CALLS,
                                            Usage.of(10, 5))
                                    : ModelResponse.text("Noted.", Usage.of(10, 5));
                        })
                        .forever());
    }

    /** Return the numbered texts that a request has, those of results too. */
    static List<String> shown(ModelRequest request) {
        List<String> shown = new ArrayList<>();
        for (Message message : request.messages()) {
            shown.addAll(numbers(List.of(message)));
            message.toolResults().forEach(result -> shown.addAll(numbers(List.of(Message.user(result.output())))));
        }
        return shown;
    }

    /** A conversation of long messages, of which nothing was observed. */
    void tell(Store store, int messages, int words) {
        try (AgentRuntime plain = runtime(store, memory -> memory.lastMessages(1))) {
            for (int number = 1; number <= messages; number++) {
                RunResult ignored = say(plain, "ann", "t", "said" + number + " " + "word ".repeat(words));
            }
        }
    }

    /** Return whether each observation starts where the one before it ended. */
    static boolean contiguous(Store store) {
        long end = 0;
        for (Observation each : log(store).observations()) {
            if (each.from() != end) {
                return false;
            }
            end = each.to();
        }
        return true;
    }

    /** An observer that answers after {@link #release}. */
    static final class Held implements Function<ModelRequest, String> {

        private final CountDownLatch called = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);

        @Override
        public String apply(ModelRequest request) {
            called.countDown();
            try {
                released.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return "- late";
        }

        void awaitCall() throws InterruptedException {
            called.await();
        }

        void release() {
            released.countDown();
        }
    }
}
