package dev.chargehand.config.internal.offline;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SentencesTest {

    @Test
    void onlyTheMarkOfAQuoteAtTheBeginningOfALineIsDropped() {
        assertThat(Sentences.of("> The tool is\n> named `agent-<key>`, and a > b."))
                .containsExactly("The tool is named `agent-<key>`, and a > b.");
        assertThat(Sentences.of("It is named `agent-<key>`.")).containsExactly("It is named `agent-<key>`.");
    }
}
