package dev.chargehand.server.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.message.Message;
import org.junit.jupiter.api.Test;

class ClientMessagesTest {

    private final ClientMessages messages = new ClientMessages();

    @Test
    void aBlankMessageAtTheEndIsNoInputRegardlessOfInstructionsBeforeIt() {
        messages.user("Hi");
        messages.instructions("Be brief.");
        messages.user("  ");
        assertThat(messages.input(false)).isEmpty();
        assertThat(messages.input(true)).isEmpty();
    }

    @Test
    void aBlankMessageBeforeIsLeftOutAndItsInstructionsAreKept() {
        messages.instructions("Be brief.");
        messages.user("");
        messages.assistant("Yes?");
        messages.user("Go");
        assertThat(messages.input(false))
                .extracting(Message::text)
                .satisfiesExactly(
                        text -> assertThat(text).isEqualTo("Yes?"),
                        text -> assertThat(text).contains("Be brief.").endsWith("Go"));
    }
}
