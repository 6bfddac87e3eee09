package dev.chargehand.verify.memory;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.message.Message;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.Usage;
import dev.chargehand.store.Store;
import dev.chargehand.thread.ThreadOwner;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One long conversation that several processes hold and observe. Each turn has a word of its own; an observation has the words of
 * the messages that it is about. The model says when it sees a word twice, or one not any more that it has seen before.
 */
final class ObservedTalk {

    static final ThreadOwner OWNER = ThreadOwner.of("observed");
    static final String THREAD = "observed";

    private static final int MESSAGE_TOKENS = 300;
    private static final int OBSERVATION_TOKENS = 4_000;
    private static final int MOST_MILLIS = 30;
    private static final Pattern WORD = Pattern.compile("turn-\\d+-\\d+;");
    private static final String FILLER = " apples and pears are in the garden.".repeat(8);

    private final Consumer<String> fault;
    private final Set<String> seen = new HashSet<>();

    /** Make it; {@code fault} is called with what a model should not have seen. */
    ObservedTalk(Consumer<String> fault) {
        this.fault = fault;
    }

    /** Make a runtime of the agent. */
    AgentRuntime runtime(Store store, Wakeups wakeups) {
        Agent lead = Agent.builder(Owner.LEAD)
                .model(model("verify/lead", this::answer))
                .memory(memory -> memory.observations(o -> o.model(model("verify/observer", ObservedTalk::observe))
                        .reflector(model("verify/reflector", ObservedTalk::reflect))
                        .messageTokens(MESSAGE_TOKENS)
                        .observationTokens(OBSERVATION_TOKENS)))
                .build();
        return AgentRuntime.builder()
                .store(store)
                .providers()
                .wakeups(wakeups)
                .agents(lead)
                .build();
    }

    /** Make a turn; a repeated call, also in another process, makes none, and waits for the first. */
    static void make(AgentRuntime runtime, int process, int number) {
        String word = word(process, number);
        Talks.withPatience(() -> runtime.agent(Owner.LEAD).generate(word + FILLER, o -> o.thread(THREAD)
                .resource("observed")
                .idempotencyKey(word)));
    }

    static String word(int process, int number) {
        return "turn-" + process + "-" + number + ";";
    }

    /** Return the words of a text, in order. */
    static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(text);
        while (matcher.find()) {
            words.add(matcher.group());
        }
        return words;
    }

    private String answer(ModelRequest request) {
        Set<String> now = new HashSet<>();
        for (Message message : request.messages()) {
            for (String word : words(message.text())) {
                if (!now.add(word)) {
                    fault.accept("the model sees twice: " + word);
                }
            }
        }
        synchronized (seen) {
            seen.stream()
                    .filter(word -> !now.contains(word))
                    .forEach(word -> fault.accept("the model sees no more: " + word));
            seen.addAll(now);
        }
        return "Heard.";
    }

    private static String observe(ModelRequest request) {
        return "- " + String.join(" ", words(request.messages().getLast().text())) + " " + "observed ".repeat(20);
    }

    private static String reflect(ModelRequest request) {
        return "- " + String.join(" ", words(request.messages().getLast().text()));
    }

    /** Takes some milliseconds, so that a kill happens meanwhile. */
    private static Model model(String name, Function<ModelRequest, String> answer) {
        return new Model() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public ModelResponse ask(ModelRequest request, ModelCall call) throws InterruptedException {
                Thread.sleep(ThreadLocalRandom.current().nextInt(MOST_MILLIS));
                return ModelResponse.text(answer.apply(request), Usage.of(10, 10));
            }
        };
    }
}
