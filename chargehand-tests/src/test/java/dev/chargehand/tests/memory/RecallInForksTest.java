package dev.chargehand.tests.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.event.RunEvent;
import dev.chargehand.memory.Memory;
import dev.chargehand.memory.Scope;
import dev.chargehand.message.Message;
import dev.chargehand.thread.ThreadOwner;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A fork sees what the run had recalled, and does not search again. */
class RecallInForksTest extends MemoryFixture {

    private static final String QUESTION = "What does my dog Fido like?";

    private Consumer<Memory.Builder> byWords(Scope scope) {
        return memory -> memory.lastMessages(1)
                .semanticRecall(recall -> recall.by(embeddings).scope(scope).threshold(0.2));
    }

    private static List<String> memoryOf(List<Message> messages) {
        return messages.stream().filter(Message::internal).map(Message::text).toList();
    }

    @Test
    void itSeesOtherConversations() {
        try (AgentRuntime runtime = looking(byWords(Scope.RESOURCE), false)) {
            say(runtime, "ann", "a", "My dog Fido likes apples.");
            RunResult run = say(runtime, "ann", "b", QUESTION);
            List<String> recalled = memoryOf(requests.getLast().messages());
            int asked = embeddings.texts.size();
            RunResult fork = runtime.fork(run.runId(), 1, o -> {}).result();

            assertThat(fork.text()).isEqualTo("Noted.");
            assertThat(memoryOf(requests.getLast().messages())).isEqualTo(recalled);
            assertThat(recalled()).contains("other conversations", "apples");
            assertThat(runtime.memory().settled(LONG)).isTrue();
            assertThat(embeddings.texts.stream().skip(asked)).doesNotContain(QUESTION);
        }
    }

    /** The message after the found one is the last one of the conversation, which the model sees anyway. */
    @Test
    void itSeesItsOwnConversationInTheCopy() {
        try (AgentRuntime runtime = looking(byWords(Scope.THREAD), false)) {
            say(runtime, "ann", "a", "My dog Fido likes apples.");
            RunResult run = say(runtime, "ann", "a", QUESTION);
            List<String> recalled = memoryOf(requests.getLast().messages());
            RunResult fork = runtime.fork(run.runId(), 1, o -> {}).result();

            assertThat(memoryOf(requests.getLast().messages())).isEqualTo(recalled);
            assertThat(recalled()).contains("this conversation", "apples").doesNotContain("assistant");
            String copy = fork.threadId().orElseThrow();
            assertThat(copy).isNotEqualTo("a");
            assertThat(runtime.history(fork.runId()))
                    .filteredOn(RunEvent.MemoryRecall.class::isInstance)
                    .singleElement()
                    .satisfies(event -> assertThat(((RunEvent.MemoryRecall) event).hits())
                            .singleElement()
                            .satisfies(hit -> assertThat(hit.threadId()).isEqualTo(copy)));
            assertThat(runtime.threads().delete(ThreadOwner.of("ann"), "a")).isTrue();
            assertThat(runtime.fork(fork.runId(), 1, o -> {}).result().text()).isEqualTo("Noted.");
            assertThat(memoryOf(requests.getLast().messages())).isEqualTo(recalled);
        }
    }

    @Test
    void itSeesTheSameWhereAnEarlierMessageWasDeleted() {
        try (AgentRuntime runtime = looking(byWords(Scope.THREAD), false)) {
            ThreadOwner ann = ThreadOwner.of("ann");
            runtime.threads()
                    .append(ann, "a", List.of(Message.user("One two three.").withId("first")));
            say(runtime, "ann", "a", "My dog Fido likes apples.");
            assertThat(runtime.threads().deleteMessages(ann, "a", List.of("first")))
                    .isEqualTo(1);
            RunResult run = say(runtime, "ann", "a", QUESTION);
            List<String> recalled = memoryOf(requests.getLast().messages());
            RunResult fork = runtime.fork(run.runId(), 1, o -> {}).result();

            assertThat(recalled()).contains("this conversation", "apples");
            assertThat(memoryOf(requests.getLast().messages())).isEqualTo(recalled);
            assertThat(runtime.history(fork.runId())).noneMatch(RunEvent.MemoryProblem.class::isInstance);
            RunResult forkOfTheFork = runtime.fork(fork.runId(), 1, o -> {}).result();
            assertThat(forkOfTheFork.text()).isEqualTo("Noted.");
            assertThat(memoryOf(requests.getLast().messages())).isEqualTo(recalled);
        }
    }

    @Test
    void itsOptionsChangeHowManyMessagesItSees() {
        try (AgentRuntime runtime = looking(byWords(Scope.THREAD), false)) {
            say(runtime, "ann", "a", "My dog Fido likes apples.");
            RunResult run = say(runtime, "ann", "a", QUESTION);
            int seen = requests.getLast().messages().size();
            RunResult fork = runtime.fork(
                            run.runId(), 1, o -> o.options(more -> more.memory(memory -> memory.lastMessages(0))))
                    .result();

            assertThat(fork.text()).isEqualTo("Noted.");
            assertThat(requests.getLast().messages()).hasSize(seen - 1);
        }
    }
}
