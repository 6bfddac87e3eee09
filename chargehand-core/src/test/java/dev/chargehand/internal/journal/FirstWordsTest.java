package dev.chargehand.internal.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.thread.ThreadOwner;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FirstWordsTest {

    private static final Message GUIDANCE =
            new Message("m", Role.USER, List.of(new Part.Text("Guidance for the model")), true);

    @Test
    void theyAreThoseOfTheFirstTextThatAUserSaid() {
        Stream<Message> messages =
                Stream.of(Message.assistant("Welcome"), GUIDANCE, Message.user(" \n"), Message.user("My order"));

        assertThat(FirstWords.of(ThreadOwner.of("ann"), messages)).isEqualTo("My order");
        assertThat(FirstWords.of(ThreadOwner.of(null), Stream.of(GUIDANCE))).isNull();
    }

    @Test
    void theThreadOfASubAgentHasNone() {
        assertThat(FirstWords.of(new ThreadOwner("ann", "boss/writer"), Stream.of(Message.user("Write it"))))
                .isNull();
    }
}
