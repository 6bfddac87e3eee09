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

    @Test
    void anAbbreviationEndsNoSentenceAndFilledLinesAreClosedUp() {
        assertThat(Sentences.of("It is slower (eg. 20 times)  for  up\u2010\nloads. That is all."))
                .containsExactly("It is slower (eg. 20 times) for uploads.", "That is all.");
    }
}
