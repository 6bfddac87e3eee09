package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.StoreException;
import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.run.RunId;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.thread.ThreadMessage;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import dev.chargehand.thread.Threads;
import dev.chargehand.thread.TitleSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an application can do with stored threads. */
class ThreadsTest extends ApprovalFixture {

    private static final ThreadOwner U = ThreadOwner.of("u");

    @TempDir
    Path folder;

    private static Script twoTurns() {
        return Scripts.on("clerk").says("Hello Ann.").then().says("You are Ann.");
    }

    private static TestRuntime playing(Store store, Script script) {
        return Crew.playing(
                store, script, Agent.builder("clerk").model("none/none").build());
    }

    private static TestRuntime runtime() {
        return playing(InMemoryStore.create(), twoTurns());
    }

    private Store store(boolean durable) {
        return durable ? JdbcStore.sqlite(folder.resolve("store.db")) : InMemoryStore.create();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void itHasTheMessagesOfItsRunsWithTheirPlacesAndRuns(boolean durable) {
        try (TestRuntime test = playing(store(durable), twoTurns())) {
            Agent clerk = test.agent("clerk");
            RunResult first = clerk.generate("I am Ann.", Crew::inThread);
            RunResult second = clerk.generate("Who am I?", Crew::inThread);

            List<ThreadMessage> messages = test.runtime().threads().messagesFrom(U, "t", 0, 100);

            assertThat(messages)
                    .extracting(ThreadMessage::text)
                    .containsExactly("I am Ann.", "Hello Ann.", "Who am I?", "You are Ann.");
            assertThat(messages).extracting(ThreadMessage::position).containsExactly(0L, 1L, 2L, 3L);
            assertThat(messages)
                    .extracting(ThreadMessage::role)
                    .containsExactly(Role.USER, Role.ASSISTANT, Role.USER, Role.ASSISTANT);
            assertThat(messages)
                    .extracting(message -> message.runId().map(RunId::value).orElse(""))
                    .containsExactly(
                            first.runId().value(),
                            first.runId().value(),
                            second.runId().value(),
                            second.runId().value());
            assertThat(messages)
                    .extracting(ThreadMessage::message)
                    .startsWith(first.messages().toArray(Message[]::new))
                    .endsWith(second.messages().toArray(Message[]::new));
            assertThat(messages).allSatisfy(message -> assertThat(message.at()).isPresent());
        }
    }

    @Test
    void pagesGoBothWays() {
        try (TestRuntime test = runtime()) {
            List<Message> input = new ArrayList<>(Collections.nCopies(450, Message.user("again")));
            RunResult result = test.agent("clerk").generate(input, o -> o.thread("t"));
            Threads threads = test.runtime().threads();
            ThreadOwner nobody = ThreadOwner.of(null);

            assertThat(test.thread("t", null)).hasSize(451).isEqualTo(result.messages());
            assertThat(threads.lastMessages(nobody, "t", 2))
                    .extracting(ThreadMessage::position)
                    .containsExactly(449L, 450L);
            assertThat(threads.messagesBefore(nobody, "t", 449, 2))
                    .extracting(ThreadMessage::position)
                    .containsExactly(447L, 448L);
            assertThat(threads.messagesFrom(nobody, "t", 449, 9))
                    .extracting(ThreadMessage::position)
                    .containsExactly(449L, 450L);
            assertThatThrownBy(() -> threads.lastMessages(nobody, "t", 0))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("1 to 1000");
        }
    }

    @Test
    void thatOfAnotherOwnerIsNeitherReadNorChanged() {
        try (TestRuntime test = runtime()) {
            test.agent("clerk").generate("I am Ann.", Crew::inThread);
            Threads threads = test.runtime().threads();

            for (ThreadOwner other :
                    List.of(ThreadOwner.of("other"), ThreadOwner.of(null), new ThreadOwner("u", "a"))) {
                for (Runnable attempt : List.<Runnable>of(
                        () -> threads.find(other, "t"),
                        () -> threads.lastMessages(other, "t", 9),
                        () -> threads.messagesFrom(other, "t", 0, 9),
                        () -> threads.change(other, "t", t -> t.title("Mine")),
                        () -> threads.copy(other, "t", 9, t -> {}),
                        () -> threads.delete(other, "t"))) {
                    assertThatThrownBy(attempt::run).isInstanceOf(ThreadOwnershipException.class);
                }
                assertThat(threads.list("other", 0, 9)).isEmpty();
            }
            assertThat(threads.find(U, "t").orElseThrow().titleSource()).contains(TitleSource.FIRST_WORDS);
        }
    }

    @Test
    void oneThatDoesNotExistIsEmpty() {
        try (AgentRuntime runtime = AgentRuntime.builder().providers().build()) {
            Threads threads = runtime.threads();

            assertThat(threads.find(U, "t")).isEmpty();
            assertThat(threads.lastMessages(U, "t", 9)).isEmpty();
            assertThat(threads.delete(U, "t")).isFalse();
            assertThatThrownBy(() -> threads.change(U, "t", t -> t.title("T")))
                    .isInstanceOf(StoreException.class)
                    .extracting(e -> ((StoreException) e).kind())
                    .isEqualTo(StoreException.Kind.NOT_FOUND);
            assertThatThrownBy(() -> threads.copy(U, "t", 9, t -> {})).isInstanceOf(StoreException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void oneIsCreatedNamedAndListed(boolean durable) {
        try (TestRuntime test = playing(store(durable), twoTurns())) {
            Threads threads = test.runtime().threads();
            ThreadRecord created = threads.create(
                    U,
                    t -> t.title("Holidays").metadata(Map.of("colour", "blue")).addMetadata("year", 2026));
            String id = created.threadId();
            assertThat(threads.find(U, id)).contains(created);
            ThreadRecord other = threads.create(U, "mine", t -> {});
            assertThatThrownBy(() -> threads.create(ThreadOwner.of("v"), "mine", t -> {}))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("There is a thread 'mine' already");

            test.agent("clerk").generate("I am Ann.", o -> o.thread(id).resource("u"));
            ThreadRecord renamed = threads.change(U, id, t -> t.title("Alps").addMetadata("colour", null));

            assertThat(renamed.title()).contains("Alps");
            assertThat(renamed.metadata().canonical()).isEqualTo(Json.parse("{\"year\":2026}"));
            assertThat(renamed.length()).isEqualTo(2);
            assertThat(threads.list("u", 0, 9)).containsExactlyInAnyOrder(renamed, other);
            assertThat(threads.list("u", 1, 1)).hasSize(1);
            assertThat(threads.list("v", 0, 9)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCopyIsContinuedOnItsOwn(boolean durable) {
        try (TestRuntime test = playing(store(durable), twoTurns())) {
            Threads threads = test.runtime().threads();
            test.agent("clerk").generate("I am Ann.", Crew::inThread);
            threads.change(U, "t", t -> t.title("Names").addMetadata("k", "v"));

            ThreadRecord copy = threads.copy(U, "t", 1, t -> t.title("Another"));
            test.agent("clerk")
                    .generate("Who am I?", o -> o.thread(copy.threadId()).resource("u"));

            assertThat(copy.length()).isEqualTo(1);
            assertThat(copy.title()).contains("Another");
            assertThat(copy.metadata()).isEqualTo(Json.parse("{\"k\":\"v\"}"));
            assertThat(test.thread(copy.threadId(), "u"))
                    .extracting(Message::text)
                    .containsExactly("I am Ann.", "Who am I?", "You are Ann.");
            assertThat(test.thread("t", "u")).extracting(Message::text).containsExactly("I am Ann.", "Hello Ann.");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void oneIsDeletedOnlyWhenItsRunsHaveEnded(boolean durable) {
        Script script = Scripts.on("lead", Turn.calls("deleteRecord", Map.of("id", "r1")));
        try (TestRuntime test = Crew.playing(store(durable), script, lead(delete()))) {
            RunResult waiting = test.agent("lead").generate("Go", Crew::inThread);
            Threads threads = test.runtime().threads();

            assertThatThrownBy(() -> threads.delete(U, "t")).isInstanceOfSatisfying(ThreadBusyException.class, e -> {
                assertThat(e.code()).isEqualTo("resource-busy");
                assertThat(e.retryable()).isTrue();
                assertThat(e.runId()).isEqualTo(waiting.runId().value());
            });
            assertThat(threads.find(U, "t")).isPresent();

            assertThat(test.runtime().cancel(waiting.runId())).isTrue();
            assertThat(threads.delete(U, "t")).isTrue();
            assertThat(threads.find(U, "t")).isEqualTo(Optional.empty());
        }
    }

    @Test
    void noneIsReadAfterTheEndOfTheRuntime() {
        AgentRuntime runtime = AgentRuntime.builder().providers().build();
        runtime.close();

        assertThatThrownBy(() -> runtime.threads().find(U, "t")).isInstanceOf(ConfigurationException.class);
    }
}
