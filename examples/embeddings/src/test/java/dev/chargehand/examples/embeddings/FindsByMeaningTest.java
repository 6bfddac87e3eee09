package dev.chargehand.examples.embeddings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FindsByMeaningTest {

    /** No question has a word in common with what is found, except those that many sentences have. */
    @Test
    void whatIsNearestInMeaningIsFound() {
        assertThat(FindsByMeaning.found(List.of(
                                "What does my pet eat?",
                                "Where do I travel at the end of the week?",
                                "What must not be in my food?"))
                        .values())
                .containsExactly(
                        "My dog Fido likes apples.",
                        "On Friday I fly to Oslo to see my sister.",
                        "I am allergic to nuts.");
    }
}
