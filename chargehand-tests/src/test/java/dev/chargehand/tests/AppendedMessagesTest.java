package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.store.RunFilter;
import dev.chargehand.testkit.Script;
import dev.chargehand.thread.ThreadMessage;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** An application continues a conversation of another program. */
class AppendedMessagesTest {

    private static final ThreadOwner ANN = ThreadOwner.of("ann");

    private static final Message CALL =
            Message.of(Role.ASSISTANT, new Part.ToolCall("c1", null, "weather", "{\"city\":\"Oslo\"}"));
    private static final Message RESULT = Message.of(Role.TOOL, new Part.ToolResult("c1", "weather", "Rain.", false));

    private final List<Message> asked = new ArrayList<>();

    @TempDir
    Path folder;

    @Test
    void theNextRunContinuesTheConversation() {
        try (AgentRuntime runtime = runtime()) {
            ThreadRecord thread = runtime.threads()
                    .append(ANN, "t", List.of(Message.user("Weather?"), CALL, RESULT, Message.assistant("It rains.")));
            assertThat(thread.length()).isEqualTo(4);
            assertThat(runtime.store().list(RunFilter.ALL)).isEmpty();

            runtime.agent("lead").generate("And tomorrow?", o -> o.thread("t").resource("ann"));

            assertThat(asked)
                    .extracting(Message::role)
                    .containsExactly(Role.USER, Role.ASSISTANT, Role.TOOL, Role.ASSISTANT, Role.USER);
            assertThat(asked.get(1).toolCalls()).isEqualTo(CALL.toolCalls());
            assertThat(asked.get(2).toolResults()).isEqualTo(RESULT.toolResults());
            List<ThreadMessage> messages = runtime.threads().messagesFrom(ANN, "t", 0, 100);
            assertThat(messages)
                    .extracting(ThreadMessage::text)
                    .containsExactly("Weather?", "", "", "It rains.", "And tomorrow?", "Heard.");
            assertThat(messages.subList(0, 4)).allSatisfy(message -> {
                assertThat(message.runId()).isEmpty();
                assertThat(message.message().id()).isNotEmpty();
                assertThat(message.at()).isPresent();
            });
        }
    }

    @Test
    void aMessageWithAnIdIsAppendedOnce() {
        try (AgentRuntime runtime = runtime()) {
            List<Message> messages = List.of(
                    Message.user("One").withId("old-1"),
                    Message.assistant("Two").withId("old-2"));
            runtime.threads().append(ANN, "t", messages);

            assertThat(runtime.threads().append(ANN, "t", messages).length()).isEqualTo(2);
            assertThatThrownBy(() -> runtime.threads().append(ThreadOwner.of("bob"), "t", messages))
                    .isInstanceOf(ThreadOwnershipException.class);
            assertThat(runtime.threads().lastMessages(ANN, "t", 9)).hasSize(2);
        }
    }

    static Stream<Arguments> noConversations() {
        Message user = Message.user("Hello");
        return Stream.of(
                Arguments.of(List.of(), "1 to 1000 messages"),
                Arguments.of(Collections.nCopies(1_001, user), "not 1001"),
                Arguments.of(List.of(user, Message.system("Be nice.")), "message 1 (the first is 0) is of the system"),
                Arguments.of(List.of(Message.of(Role.USER)), "message 0 (the first is 0) has no parts"),
                Arguments.of(
                        List.of(user, Message.assistant(" \n")), "message 1 (the first is 0) is blank; leave it out"),
                Arguments.of(List.of(Message.user("")), "message 0 (the first is 0) is blank"),
                Arguments.of(List.of(user, CALL), "call 'c1' has no result"),
                Arguments.of(List.of(CALL, user, RESULT), "message 1 (the first is 0) comes before the result of call"),
                Arguments.of(List.of(user, RESULT), "a result of call 'c1', which is not open"),
                Arguments.of(List.of(CALL, RESULT, RESULT), "message 2 (the first is 0) has a result"),
                Arguments.of(List.of(user.withId("x"), user.withId("x")), "has the id 'x' of another one"),
                Arguments.of(
                        List.of(user, Message.of(Role.TOOL, new Part.Text("It rains."))),
                        "message 1 (the first is 0) is of the tool and has a part 'text'; it may have: tool-result"),
                Arguments.of(
                        List.of(user, with(Role.ASSISTANT, CALL, RESULT), user),
                        "message 1 (the first is 0) is of the assistant and has a part 'tool-result'; it may have: text,"
                                + " reasoning, image, tool-call"),
                Arguments.of(
                        List.of(with(Role.USER, CALL), RESULT),
                        "message 0 (the first is 0) is of the user and has a part 'tool-call'; it may have: text, image"));
    }

    private static Message with(Role role, Message... messages) {
        return Message.of(
                role, Stream.of(messages).flatMap(each -> each.parts().stream()).toArray(Part[]::new));
    }

    @ParameterizedTest
    @MethodSource("noConversations")
    void whatIsNoConversationIsRejectedAndNothingIsStored(List<Message> messages, String why) {
        try (AgentRuntime runtime = runtime()) {
            assertThatThrownBy(() -> runtime.threads().append(ANN, "t", messages))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining(why);

            assertThat(runtime.threads().find(ANN, "t")).isEmpty();
        }
    }

    @Test
    void aBlankResourceOwnsNoThread() {
        try (AgentRuntime runtime = runtime()) {
            ThreadOwner blank = ThreadOwner.of(" ");

            assertThatThrownBy(() -> runtime.threads().append(blank, "t", List.of(Message.user("Hello"))))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("resource of a thread must not be blank; ThreadOwner.of(null)");
            assertThatThrownBy(() -> runtime.threads().create(blank, change -> change.title("Hello")))
                    .isInstanceOf(ConfigurationException.class);
            assertThat(runtime.threads().create(ThreadOwner.of(null), "t", change -> change.title("Hello")))
                    .isNotNull();
        }
    }

    private AgentRuntime runtime() {
        Script script = Scripts.on("lead", Turn.answers(request -> {
            asked.addAll(request.messages());
            return Steps.said("Heard.");
        }));
        return AgentRuntime.builder()
                .store(JdbcStore.sqlite(folder.resolve("store.db")))
                .providers()
                .agents(Agent.builder("lead").model(script.modelFor("lead")).build())
                .build();
    }
}
