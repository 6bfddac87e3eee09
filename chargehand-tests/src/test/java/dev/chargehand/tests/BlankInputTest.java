package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.ForkBuilder;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.run.RunId;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.TestRuntime;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Input without content is rejected where it is given, before anything is stored or a model is called. */
class BlankInputTest {

    private static final Part.Image IMAGE = new Part.Image("image/png", "data:image/png;base64,AAAA");

    private final Store store = InMemoryStore.keepingEndedRuns();

    @SuppressWarnings("deprecation") // networks are started too
    static List<BiConsumer<TestRuntime, String>> prompts() {
        return List.of(
                (test, text) -> solo(test).generate(text),
                (test, text) -> solo(test).generate(text, o -> {}),
                (test, text) -> solo(test).start(text),
                (test, text) -> solo(test).start(text, o -> o.thread("t").idempotencyKey("k")),
                (test, text) -> solo(test).stream(text).close(),
                (test, text) -> solo(test).stream(text, o -> o.thread("t").autoResumeSuspendedTools(true))
                        .close(),
                (test, text) -> solo(test).generateUntilIdle(text, o -> {}),
                (test, text) -> solo(test).asNetwork().generate(text),
                (test, text) -> solo(test).asNetwork().stream(text).close());
    }

    @ParameterizedTest
    @MethodSource("prompts")
    void aPromptIsNotBlank(BiConsumer<TestRuntime, String> run) {
        for (String blank : List.of("", " \t\r\n ", "\u2003")) {
            rejected(test -> run.accept(test, blank), "Agent 'solo'", "prompt is blank", "Pass a text", "image");
        }
    }

    static List<BiConsumer<TestRuntime, List<Message>>> inputs() {
        return List.of(
                (test, input) -> solo(test).generate(input, o -> {}),
                (test, input) -> solo(test).start(input, o -> {}),
                (test, input) -> solo(test).stream(input, o -> {}).close(),
                (test, input) -> solo(test).streamUntilIdle(input, o -> {}).close(),
                (test, input) -> test.runtime().start(solo(test), input, o -> {}),
                (test, input) -> test.runtime().submit(solo(test), input, o -> {}),
                (test, input) -> test.runtime().enqueue(solo(test), input, o -> o.thread("t")));
    }

    @ParameterizedTest
    @MethodSource("inputs")
    void aMessageOfTheUserHasContent(BiConsumer<TestRuntime, List<Message>> run) {
        for (Message empty : List.of(
                Message.user(""),
                Message.of(Role.USER),
                Message.of(Role.USER, new Part.Text(" "), new Part.Text("\n")))) {
            rejected(
                    test -> run.accept(test, List.of(Message.user("Go"), empty)),
                    "Agent 'solo'",
                    "message 2 of the input",
                    "without content",
                    "Give it a text or an image, or leave it out");
        }
    }

    @Test
    void anImageAloneIsContentAndAnswersBeforeMayBeEmpty() {
        try (TestRuntime test = playing()) {
            assertThat(solo(test).generate(List.of(Message.of(Role.USER, new Part.Text(""), IMAGE)), o -> {}))
                    .finished();
            assertThat(solo(test)
                            .generate(
                                    List.of(Message.user("Hi"), Message.assistant(""), Message.user("And now?")),
                                    o -> {}))
                    .finished();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  "})
    void messagesToRunsAndForksAreNotBlank(String blank) {
        RunId id = RunId.of("run_1");
        rejected(test -> test.runtime().tell(id, blank), "Run run_1", "message must not be blank");
        for (Consumer<ForkBuilder> change : List.<Consumer<ForkBuilder>>of(
                fork -> fork.input(blank),
                fork -> fork.addMessage(blank),
                fork -> fork.addMessages(List.of(Message.user(blank))),
                fork -> fork.input(List.of(Message.user(blank))))) {
            rejected(test -> test.runtime().fork(id, 0, change), "Fork: ", "blank");
        }
    }

    private void rejected(Consumer<TestRuntime> call, String... words) {
        try (TestRuntime test = playing()) {
            assertThatThrownBy(() -> call.accept(test))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContainingAll(words);
            assertThat(test.script().requests()).isEmpty();
            assertThat(store.list(RunFilter.ALL)).isEmpty();
        }
    }

    private TestRuntime playing() {
        return Crew.playing(store, Scripts.on("solo").says("Done").forever(), Crew.solo());
    }

    private static Agent solo(TestRuntime test) {
        return test.agent("solo");
    }
}
