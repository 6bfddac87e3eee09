package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.message.Message;
import dev.chargehand.testkit.TestRuntime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A stored conversation is read with one call. */
class ConversationTest {

    private static TestRuntime runtime() {
        return Crew.playing(
                Scripts.on("clerk").says("Hello Ann.").then().says("You are Ann."),
                Agent.builder("clerk").model("none/none").build());
    }

    private static List<Message> both(List<Message> first, List<Message> second) {
        List<Message> all = new ArrayList<>(first);
        all.addAll(second);
        return all;
    }

    @Test
    void itHasTheMessagesOfAllItsRunsOldestFirst() {
        try (TestRuntime test = runtime()) {
            Agent clerk = test.agent("clerk");
            RunResult first = clerk.generate("I am Ann.", Crew::inThread);
            RunResult second = clerk.generate("Who am I?", Crew::inThread);

            List<Message> conversation = test.runtime().conversation("t", "u");

            assertThat(conversation)
                    .extracting(Message::text)
                    .containsExactly("I am Ann.", "Hello Ann.", "Who am I?", "You are Ann.");
            assertThat(conversation).isEqualTo(both(first.messages(), second.messages()));
        }
    }

    @Test
    void itIsWholeIfItHasMoreMessagesThanAPage() {
        try (TestRuntime test = runtime()) {
            List<Message> input = new ArrayList<>(Collections.nCopies(450, Message.user("again")));
            RunResult result = test.agent("clerk").generate(input, o -> o.thread("t"));

            assertThat(test.runtime().conversation("t", null)).hasSize(451).isEqualTo(result.messages());
        }
    }

    @Test
    void thatOfAnotherOwnerIsNotRead() {
        try (TestRuntime test = runtime()) {
            test.agent("clerk").generate("I am Ann.", Crew::inThread);

            assertThatThrownBy(() -> test.runtime().conversation("t", "other"))
                    .isInstanceOf(ThreadOwnershipException.class);
            assertThatThrownBy(() -> test.runtime().conversation("t", null))
                    .isInstanceOf(ThreadOwnershipException.class);
        }
    }

    @Test
    void oneThatDoesNotExistIsEmpty() {
        try (TestRuntime test = runtime()) {
            assertThat(test.runtime().conversation("t", "u")).isEmpty();
        }
    }
}
