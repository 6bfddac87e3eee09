package dev.chargehand.tests.memory.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.event.RunEvent;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.store.InMemoryStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A call and its result are observed together, or shown together. */
class ObservedCallsTest extends ObservationFixture {

    private static final int ROUNDS = 40;

    /** Rounds of a question, a call, its result and an answer. */
    private static List<Message> rounds(int words) {
        List<Message> messages = new ArrayList<>();
        for (int i = 1; i <= ROUNDS; i++) {
            messages.add(Message.user("Look."));
            messages.add(Message.of(Role.ASSISTANT, new Part.ToolCall("c" + i, null, "look", "{\"place\":" + i + "}")));
            messages.add(Message.of(
                    Role.TOOL, new Part.ToolResult("c" + i, "look", "said" + i + " " + "word ".repeat(words), false)));
            messages.add(Message.assistant("ok"));
        }
        return messages;
    }

    /** The length of the last message moves the place at which the messages are cut over a round and more. */
    @Test
    void noResultIsLost() {
        for (int words = 1; words <= 60; words += 2) {
            InMemoryStore store = InMemoryStore.keepingEndedRuns();
            try (AgentRuntime runtime = runtime(store)) {
                List<Message> messages = new ArrayList<>(rounds(18));
                messages.add(Message.user("word ".repeat(words)));
                long length = runtime.threads().append(ANN, "t", messages).length();
                RunResult run = runtime.agent("lead")
                        .generate("And now?", o -> o.thread("t").resource("ann"));

                assertThat(run.status()).isEqualTo(RunStatus.COMPLETED);
                assertThat(length).isEqualTo(4L * ROUNDS + 1);
                assertThat(shown(requests.getLast())).as("%s words", words).containsExactlyElementsOf(said(1, ROUNDS));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {900, 1_100, 1_300, 1_500, 1_700, 1_900})
    void noBatchStartsWithAResult(int words) {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        try (AgentRuntime runtime = runtime(store)) {
            long length = runtime.threads().append(ANN, "t", rounds(words)).length();
            RunResult run = runtime.agent("lead")
                    .generate("And now?", o -> o.thread("t").resource("ann"));

            assertThat(run.status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(length).isEqualTo(4L * ROUNDS);
            assertThat(asked).hasSizeGreaterThan(4);
            int during = events(RunEvent.ObservationEnd.class).size();
            assertThat(during).isGreaterThan(4);
            assertThat(run.usageByAgent().get("memory:")).isEqualTo(Usage.of(7L * during, 3L * during));
            for (ModelRequest request : asked) {
                String text = request.messages().getLast().text();
                String data = text.substring(text.indexOf('\n') + 1, text.lastIndexOf('\n'));
                assertThat(data).doesNotStartWith("[look returns");
                assertThat(data.lines().reduce((one, two) -> two).orElseThrow()).doesNotStartWith("[assistant calls");
            }
            assertThat(shown(requests.getLast())).containsExactlyElementsOf(said(1, ROUNDS));
        }
    }
}
