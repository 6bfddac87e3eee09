package dev.chargehand.tests.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.error.StoreException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.memory.Memory;
import dev.chargehand.memory.Scope;
import dev.chargehand.memory.ScopeRef;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.store.memory.PassageHits;
import dev.chargehand.thread.ThreadOwner;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What is recalled stays within its bounds: those of its owner, of the budget, and of what is shown. */
class RecallGuardsTest extends MemoryFixture {

    private Consumer<Memory.Builder> byWords(Scope scope) {
        return memory -> memory.lastMessages(1)
                .semanticRecall(recall -> recall.by(embeddings).scope(scope).threshold(0.2));
    }

    /** A store that finds the first message of thread {@code secret} of bob for all. */
    private static Store mixingOwners(Store store) {
        PassageHits foreign =
                new PassageHits(List.of(new PassageHits.Hit(ThreadOwner.of("bob"), "secret", 0, 0.9)), true);
        return withMemory(store, (call, method) -> method.equals("nearest") ? foreign : call.call());
    }

    @Test
    void aStoreThatMixesOwnersIsNotReadFurther() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        try (AgentRuntime runtime = runtime(store, byWords(Scope.RESOURCE))) {
            say(runtime, "bob", "secret", "My dog Fido likes apples.");
        }
        try (AgentRuntime runtime = runtime(mixingOwners(store), byWords(Scope.RESOURCE))) {
            RunResult result = say(runtime, "ann", "a", "What does my dog Fido like?");

            assertThat(result.status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(recalled()).isEmpty();
            assertThat(events(RunEvent.MemoryRecall.class).getLast().hits()).isEmpty();
            assertThat(events(RunEvent.MemoryProblem.class).getLast().problem()).contains("another owner");
            assertThatThrownBy(() -> runtime.memory().search("lead", ScopeRef.resource("ann"), "dog", 4))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.UNUSABLE));
        }
    }

    @Test
    void theTokensOfTheEmbeddingModelCount() {
        embeddings.uses(Usage.of(700, 0));
        try (AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns(), byWords(Scope.RESOURCE))) {
            RunResult result = say(runtime, "ann", "a", "My dog Fido likes apples.");
            assertThat(result.usageByAgent().get("memory:")).isEqualTo(Usage.of(700, 0));
            assertThat(events(RunEvent.MemoryRecall.class).getLast().usage()).isEqualTo(Usage.of(700, 0));

            RunResult poor = runtime.agent("lead")
                    .generate("Hello", o -> o.thread("a").resource("ann").budget(budget -> budget.tokens(500)));
            assertThat(poor.stopReason()).isInstanceOf(StopReason.BudgetExhausted.class);
        }
    }

    @Test
    void ofManyLongMessagesTheNearestAreShown() {
        try (AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns(), memory -> memory.lastMessages(1)
                .semanticRecall(recall -> recall.by(embeddings).topK(50).messageRange(0, 0)))) {
            List<Message> messages = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                messages.add(Message.user("Fido number " + i + ": " + "something else entirely, again. ".repeat(100)));
            }
            messages.add(Message.user("What does my dog Fido like? ".repeat(100) + "Apples."));
            messages.add(Message.user("The last one."));
            var ignored = runtime.threads().append(ThreadOwner.of("ann"), "a", messages);
            say(runtime, "ann", "a", "Hello");
            say(runtime, "ann", "a", "What does my dog Fido like?");

            assertThat(recalled()).contains("Apples.");
            assertThat(recalled().length()).isBetween(10_000, 33_000);
        }
    }

    @Test
    @SuppressWarnings("deprecation")
    void theRouterOfANetworkRecallsToo() {
        try (AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns(), byWords(Scope.RESOURCE))) {
            say(runtime, "ann", "a", "My dog Fido likes apples.");
            assertThatThrownBy(() -> runtime.agent("lead")
                            .generateNetwork("What does my dog Fido like?", o -> o.thread("b")
                                    .resource("ann")))
                    .hasMessageContaining("decision"); // the model of this test makes none
            assertThat(recalled()).contains("apples");
        }
    }
}
