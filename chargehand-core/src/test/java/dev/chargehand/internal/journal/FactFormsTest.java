package dev.chargehand.internal.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.journal.stored.FactForm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The stored forms of facts are frozen: stores hold them for years. */
class FactFormsTest {

    private static final Path FROZEN = Path.of("src/test/resources/facts/forms.txt");

    @Test
    void theFormsAreThoseThatAreFrozen() throws IOException {
        List<String> frozen = Files.readAllLines(FROZEN);
        List<String> now = FactForms.all();
        List<String> added = new ArrayList<>(now);
        added.removeAll(frozen);
        List<String> gone = new ArrayList<>(frozen);
        gone.removeAll(now);
        assertThat(added.isEmpty() && gone.isEmpty())
                .withFailMessage(() -> whatToDo(added, gone))
                .isTrue();
    }

    private static String whatToDo(List<String> added, List<String> gone) {
        return """
                The stored form of a fact has changed. Stores of released versions hold facts in the old form, and a
                version that is older than this change must refuse the new one. So either take the change back, or do as
                docs/adr/0025-saved-runs-stay-readable.md says: raise the version of the type, read the old one too, add
                runs of the new one to the golden corpus, and then write the new forms into chargehand-core/%s.
                new:  %s
                gone: %s
                """.formatted(FROZEN, String.join("\n      ", added), String.join("\n      ", gone));
    }

    static Stream<Fact> facts() {
        return FactSamples.all();
    }

    @ParameterizedTest
    @MethodSource("facts")
    void aFactIsFoundByItsFrozenName(Fact fact) {
        String name = FactForms.nameOf(fact.getClass());
        assertThat(FactForm.of(fact).key()).isEqualTo(name);
        assertThat(FactForm.of(name)).contains(FactForm.of(fact));
    }

    @Test
    void thereIsASampleOfEveryFact() {
        assertThat(facts())
                .extracting(fact -> (Object) fact.getClass())
                .containsOnly(records(Fact.class).toArray());
    }

    private static Stream<Class<?>> records(Class<?> facts) {
        return Arrays.stream(facts.getPermittedSubclasses())
                .flatMap(each -> each.isSealed() ? records(each) : Stream.of(each));
    }
}
