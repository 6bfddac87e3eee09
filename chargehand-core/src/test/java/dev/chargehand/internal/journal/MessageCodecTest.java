package dev.chargehand.internal.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.StoreException;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The messages of a thread are read as they were written, by the journal and by programs that read a store. */
class MessageCodecTest {

    static Stream<Message> messages() {
        return FactSamples.all().filter(Fact.Said.class::isInstance).flatMap(said -> ((Fact.Said) said)
                .messages().stream());
    }

    @ParameterizedTest
    @MethodSource("messages")
    void aStoredMessageIsTheOneForExchange(Message message) {
        String stored = MessageCodec.write(message);
        assertThat(stored).isEqualTo(message.toJson().text());
        assertThat(Message.fromJson(Json.parse(stored))).isEqualTo(MessageCodec.read(stored));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void aMessageThatIsReadIsWrittenAsItWasRead(Message message) {
        String stored = MessageCodec.write(message);
        assertThat(MessageCodec.write(MessageCodec.read(stored))).isEqualTo(stored);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "null", "7", "{}", "{\"id\":\"m\",\"role\":\"USER\",\"parts\":[{\"kind\":\"x\"}]}"})
    void aDamagedMessageIsUnreadable(String text) {
        assertThatThrownBy(() -> MessageCodec.read(text))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.UNREADABLE));
    }
}
